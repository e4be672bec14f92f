public import Foundation

#if !canImport(ObjectiveC)
    extension NSSortDescriptor: _Substitutable {}

    // Foundation on Linux sorts by Swift key paths only. These have the signatures it lacks.
    extension NSSortDescriptor {
        /// Sorts samples by a key: `HKSampleSortIdentifierStartDate`, `"startDate"`.
        ///
        /// `HKSampleQuery` sorts by the `HKSampleSortIdentifier…` and `HKWorkoutSortIdentifier…`
        /// constants and by the properties they stand for, and reports `errorInvalidArgument` for
        /// any other key (healthkit-semantics §9.9). `compare(_:to:)` finds two objects equal if
        /// either has no such key.
        public convenience init(key: String?, ascending: Bool) {
            self.init(
                substituting: KeyedSortDescriptor(key: key ?? "self", ascending: ascending))
        }

        /// The key sorted by: that of ``init(key:ascending:)``, or the property's name where the
        /// descriptor was made of the key path of a sample's `startDate` or `endDate`; nil else.
        public var key: String? {
            if let keyed = self as? KeyedSortDescriptor { return keyed.name }
            if KeyedSortDescriptor.startDates.contains(keyPath) {
                return HKPredicateKeyPathStartDate
            }
            if KeyedSortDescriptor.endDates.contains(keyPath) {
                return HKPredicateKeyPathEndDate
            }
            return nil
        }
    }

    /// A sort descriptor that knows its key's name.
    // Immutable.
    final class KeyedSortDescriptor: NSSortDescriptor {
        let name: String

        init(key: String, ascending: Bool) {
            name = key
            let isEnd = Self.endNames.contains(key)
            let path: KeyPath<HKSample, Date> = isEnd ? \.endDate : \.startDate
            super.init(keyPath: path, ascending: ascending)
        }

        required init?(coder: NSCoder) { nil }

        override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
            guard let a = object1 as? HKSample, let b = object2 as? HKSample,
                let order = order(a, b)
            else { return .orderedSame }
            if ascending { return order }
            return order == .orderedAscending
                ? .orderedDescending
                : order == .orderedDescending ? .orderedAscending : .orderedSame
        }

        override var reversedSortDescriptor: Any {
            KeyedSortDescriptor(key: name, ascending: !ascending)
        }

        override func copy(with zone: NSZone? = nil) -> Any { self }
    }

    extension KeyedSortDescriptor {
        static let startNames: Set<String> = [
            HKSampleSortIdentifierStartDate, HKPredicateKeyPathStartDate,
        ]
        static let endNames: Set<String> = [
            HKSampleSortIdentifierEndDate, HKPredicateKeyPathEndDate,
        ]

        /// Key paths of subclasses are different key paths.
        static var startDates: [AnyKeyPath] {
            [
                \HKSample.startDate, \HKQuantitySample.startDate, \HKCategorySample.startDate,
                \HKCorrelation.startDate, \HKWorkout.startDate,
                \HKCumulativeQuantitySample.startDate,
                \HKDiscreteQuantitySample.startDate, \HKStateOfMind.startDate,
            ]
        }
        static var endDates: [AnyKeyPath] {
            [
                \HKSample.endDate, \HKQuantitySample.endDate, \HKCategorySample.endDate,
                \HKCorrelation.endDate, \HKWorkout.endDate, \HKCumulativeQuantitySample.endDate,
                \HKDiscreteQuantitySample.endDate, \HKStateOfMind.endDate,
            ]
        }

        /// Nil where the key isn't one of samples, or an object doesn't have it.
        private func order(_ a: HKSample, _ b: HKSample) -> ComparisonResult? {
            if Self.startNames.contains(name) { return a.startDate.compare(b.startDate) }
            if Self.endNames.contains(name) { return a.endDate.compare(b.endDate) }
            return workoutOrder(a, b)
        }

        private func workoutOrder(_ a: HKSample, _ b: HKSample) -> ComparisonResult? {
            guard let a = a as? HKWorkout, let b = b as? HKWorkout else { return nil }
            switch name {
            case HKWorkoutSortIdentifierDuration, HKPredicateKeyPathWorkoutDuration:
                return (a.duration as NSNumber).compare(b.duration as NSNumber)
            case HKWorkoutSortIdentifierTotalDistance, HKPredicateKeyPathWorkoutTotalDistance:
                return Self.order(a.totalDistance, b.totalDistance)
            case HKWorkoutSortIdentifierTotalEnergyBurned,
                HKPredicateKeyPathWorkoutTotalEnergyBurned:
                return Self.order(a.totalEnergyBurned, b.totalEnergyBurned)
            case HKWorkoutSortIdentifierTotalSwimmingStrokeCount:
                return Self.order(a.totalSwimmingStrokeCount, b.totalSwimmingStrokeCount)
            case HKWorkoutSortIdentifierTotalFlightsClimbed:
                return Self.order(a.totalFlightsClimbed, b.totalFlightsClimbed)
            default: return nil
            }
        }

        /// A workout without the total comes before those that have one.
        private static func order(_ a: HKQuantity?, _ b: HKQuantity?) -> ComparisonResult? {
            guard let a, let b else {
                return a == nil ? b == nil ? .orderedSame : .orderedAscending : .orderedDescending
            }
            return try? a.comparison(with: b)
        }
    }
#endif
