import Foundation
import HealthEngine

/// What a predicate asks, before anyone knows of which type and in whose name.
///
/// `HKSource.default()`, units and key paths get their meaning when a store runs the predicate:
/// see ``PredicateReading``.
indirect enum PredicateNode: Hashable {
    case always
    case never
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(PredicateComparison)
    case statistic(StatisticComparison)
    /// Workouts of which some activity matches.
    case activity(PredicateNode)
    /// What can't be run, with the reason and the text it was written in.
    case refused(String, text: String)
}

/// An attribute, by its key path, against a constant.
struct PredicateComparison: Hashable {
    var keyPath: String
    var comparison: PredicateOperator
    var letterCase: SampleFilter.LetterCase = .significant
    var constant: PredicateConstant
}

/// A statistic of a workout, or of an activity of one, against a quantity.
struct StatisticComparison: Hashable {
    var scope: PredicateKey.Scope
    var type: HKQuantityType
    var measure: SampleFilter.Measure
    var comparison: PredicateOperator
    var quantity: HKQuantity
}

/// A constant of a predicate.
enum PredicateConstant: Hashable {
    case null
    case number(Double)
    case string(String)
    case date(Date)
    case uuid(UUID)
    case quantity(HKQuantity)
    case source(HKSource)
    case revision(HKSourceRevision)
    case device(HKDevice)
    /// A stored object, for membership.
    case object(UUID)
    case day(DateComponents)
    case list([PredicateConstant])
    /// Of a type that no predicate knows, by its name.
    case stranger(String)
}

extension PredicateConstant {
    /// What an app handed in: Swift's values or Foundation's objects.
    init(_ value: Any?) {
        guard let value = PredicateConstant.unwrapped(value), !(value is NSNull) else {
            self = .null
            return
        }
        self =
            Self.single(value) ?? Self.collection(value)
            ?? .stranger(String(describing: Swift.type(of: value)))
    }

    private static func single(_ value: Any) -> PredicateConstant? {
        switch value {
        case let text as String: .string(text)
        case let date as Date: .date(date)
        case let uuid as UUID: .uuid(uuid)
        case let quantity as HKQuantity: .quantity(quantity)
        case let source as HKSource: .source(source)
        case let revision as HKSourceRevision: .revision(revision)
        case let device as HKDevice: .device(device)
        case let object as HKObject: .object(object.uuid)
        case let components as DateComponents: .day(components)
        case let number as NSNumber: .number(number.doubleValue)
        case let text as NSString: .string("\(text)")
        case let date as NSDate:
            .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let uuid as NSUUID: UUID(uuidString: uuid.uuidString).map { .uuid($0) }
        default: swiftNumber(value)
        }
    }

    /// Swift's numbers, which not every system hands over as NSNumber.
    private static func swiftNumber(_ value: Any) -> PredicateConstant? {
        if let integer = value as? any BinaryInteger { return .number(Double(integer)) }
        if let number = value as? any BinaryFloatingPoint { return .number(Double(number)) }
        return nil
    }

    /// Sets are put in order of their descriptions, so that equal predicates are equal.
    private static func collection(_ value: Any) -> PredicateConstant? {
        switch value {
        case let list as [Any]: return .list(list.map { PredicateConstant($0) })
        case let list as NSArray: return .list(list.map { PredicateConstant($0) })
        case let set as Set<AnyHashable>: return ordered(set.map { PredicateConstant($0.base) })
        case let set as NSSet: return ordered(set.map { PredicateConstant($0) })
        default: return nil
        }
    }

    static func ordered(_ constants: [PredicateConstant]) -> PredicateConstant {
        .list(
            constants.map { (text: $0.description, constant: $0) }
                .sorted { $0.text < $1.text }.map(\.constant))
    }

    private static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        guard let optional = value as? any Unwrappable else { return value }
        return unwrapped(optional.content)
    }
}

/// An optional of whatever kind inside an `Any`.
private protocol Unwrappable {
    var content: Any? { get }
}

extension Optional: Unwrappable {
    fileprivate var content: Any? { self }
}
