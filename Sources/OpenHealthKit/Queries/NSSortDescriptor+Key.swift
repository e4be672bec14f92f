public import Foundation

#if !canImport(ObjectiveC)
    // Foundation on Linux sorts by Swift key paths only. This extension adds the missing API.
    extension NSSortDescriptor {
        /// Creates a sort descriptor for a key, such as `HKSampleSortIdentifierStartDate` or
        /// `"startDate"`.
        ///
        /// `HKSampleQuery` supports the `HKSampleSortIdentifier…` and `HKWorkoutSortIdentifier…`
        /// constants and the properties they name. It reports `errorInvalidArgument` for any other
        /// key (Semantics §9.9). For such a key, and if one of the objects does not have the
        /// property, `compare(_:to:)` treats the objects as equal.
        ///
        /// - Parameters:
        ///   - key: The key; nil stands for "self", which queries reject.
        ///   - ascending: Whether smaller values come first.
        public convenience init(key: String?, ascending: Bool) {
            self.init(
                substituting: KeyedSortDescriptor(key: key ?? "self", ascending: ascending))
        }
    }

    // Not declared in the class itself: Foundation has an unavailable property with the same name,
    // and the combination crashed the optimizer.
    extension _Substitutable where Self: NSSortDescriptor {
        /// The sort key; nil for a descriptor created from a key path.
        public var key: String? { (self as? KeyedSortDescriptor)?.name }
    }

    /// A sort descriptor that stores the name of its key.
    final class KeyedSortDescriptor: NSSortDescriptor {
        let name: String

        init(key: String, ascending: Bool) {
            name = key
            let quantities: Comparator = {
                Self.order($0 as? HKQuantity, $1 as? HKQuantity)
            }
            switch key {
            case HKSampleSortIdentifierStartDate, HKPredicateKeyPathStartDate:
                super.init(keyPath: \HKSample.startDate, ascending: ascending)
            case HKSampleSortIdentifierEndDate, HKPredicateKeyPathEndDate:
                super.init(keyPath: \HKSample.endDate, ascending: ascending)
            case HKWorkoutSortIdentifierDuration, HKPredicateKeyPathWorkoutDuration:
                super.init(keyPath: \HKWorkout.duration, ascending: ascending)
            default:
                guard let path = Self.total(key) else {
                    // The superclass needs a key path. Every query rejects this one.
                    super.init(keyPath: \HKSample.description, ascending: ascending)
                    return
                }
                super.init(keyPath: path, ascending: ascending, comparator: quantities)
            }
        }

        required init?(coder: NSCoder) { nil }

        override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
            let order = ascendingOrder(object1, object2)
            switch order {
            case .orderedAscending: return ascending ? order : .orderedDescending
            case .orderedDescending: return ascending ? order : .orderedAscending
            case .orderedSame: return order
            }
        }

        override var reversedSortDescriptor: Any {
            KeyedSortDescriptor(key: name, ascending: !ascending)
        }

        override func copy(with zone: NSZone? = nil) -> Any { self }
    }

    extension KeyedSortDescriptor {
        /// Returns the key path of a workout total, given its constant or property name; nil for
        /// other keys.
        private static func total(_ key: String) -> KeyPath<HKWorkout, HKQuantity?>? {
            switch key {
            case HKWorkoutSortIdentifierTotalDistance, HKPredicateKeyPathWorkoutTotalDistance:
                \.totalDistance
            case HKWorkoutSortIdentifierTotalEnergyBurned,
                HKPredicateKeyPathWorkoutTotalEnergyBurned:
                \.totalEnergyBurned
            case HKWorkoutSortIdentifierTotalSwimmingStrokeCount: \.totalSwimmingStrokeCount
            case HKWorkoutSortIdentifierTotalFlightsClimbed: \.totalFlightsClimbed
            default: nil
            }
        }

        private func ascendingOrder(_ object1: Any, _ object2: Any) -> ComparisonResult {
            switch keyPath {
            case \HKSample.startDate:
                return Self.order(object1, object2, by: \HKSample.startDate)
            case \HKSample.endDate:
                return Self.order(object1, object2, by: \HKSample.endDate)
            case \HKWorkout.duration:
                return Self.order(object1, object2, by: \HKWorkout.duration)
            default:
                guard let path = Self.total(name), let a = object1 as? HKWorkout,
                    let b = object2 as? HKWorkout
                else { return .orderedSame }
                return Self.order(a[keyPath: path], b[keyPath: path])
            }
        }

        private static func order<Root, Value: Comparable>(
            _ object1: Any, _ object2: Any, by path: KeyPath<Root, Value>
        ) -> ComparisonResult {
            guard let a = (object1 as? Root)?[keyPath: path],
                let b = (object2 as? Root)?[keyPath: path]
            else { return .orderedSame }
            return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
        }

        /// Compares two totals in ascending order. Nil comes before every total; totals with
        /// incompatible units are equal.
        private static func order(_ a: HKQuantity?, _ b: HKQuantity?) -> ComparisonResult {
            guard let a, let b else {
                return a == nil ? b == nil ? .orderedSame : .orderedAscending : .orderedDescending
            }
            return (try? a.comparison(with: b)) ?? .orderedSame
        }
    }
#endif
