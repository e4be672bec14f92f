import Foundation
import HealthEngine

/// The syntax tree of a predicate, independent of a type and an app.
///
/// `HKSource.default()`, units and key paths are resolved when a query runs; see
/// ``PredicateTranslation``.
indirect enum PredicateNode: Hashable {
    case always
    case never
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(PredicateComparison)
    case statistic(StatisticComparison)
    /// Matches workouts with at least one matching activity.
    case activity(PredicateNode)
    /// A predicate that cannot be evaluated, with the reason and a text for its description: the
    /// invalid format, or FALSEPREDICATE.
    case invalid(String, text: String)
}

/// A comparison of an attribute, given by its key path, with a constant.
struct PredicateComparison: Hashable {
    var keyPath: String
    var comparison: PredicateOperator
    var caseSensitivity: SampleFilter.CaseSensitivity = .significant
    var constant: PredicateConstant
}

/// A comparison of a statistic of a workout or an activity with a quantity.
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
    /// The UUID of an object; a comparison tests membership in the workout or correlation with it.
    case object(UUID)
    case day(DateComponents)
    case list([PredicateConstant])
    /// A variable of a format or an expression, without its `$`. A query rejects it: see
    /// `withSubstitutionVariables(_:)`.
    case variable(String)
    /// A value of an unsupported type, with the name of the type.
    case unsupported(String)
}

extension PredicateConstant {
    /// Converts a value passed by an app: a Swift value or a Foundation object.
    init(_ value: Any?) {
        guard let value = PredicateConstant.unwrapped(value), !(value is NSNull) else {
            self = .null
            return
        }
        self =
            Self.single(value) ?? Self.collection(value)
            ?? .unsupported(String(describing: Swift.type(of: value)))
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
        case let concept as HKHealthConceptIdentifier: .string(concept.identifier)
        case let components as DateComponents: .day(components)
        case let number as NSNumber: .number(number.doubleValue)
        case let text as NSString: .string("\(text)")
        case let date as NSDate:
            .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let uuid as NSUUID: UUID(uuidString: uuid.uuidString).map { .uuid($0) }
        default: swiftNumber(value)
        }
    }

    /// Converts Swift numbers, which are not bridged to NSNumber on every platform; nil for other
    /// values.
    private static func swiftNumber(_ value: Any) -> PredicateConstant? {
        if let integer = value as? any BinaryInteger { return .number(Double(integer)) }
        if let number = value as? any BinaryFloatingPoint { return .number(Double(number)) }
        return nil
    }

    /// Converts arrays and sets; nil for other values. Sets are sorted by description, so that
    /// equal predicates compare equal.
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

    /// Returns a value without its optionals; nil if there is none.
    static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        guard let optional = value as? any Unwrappable else { return value }
        return unwrapped(optional.content)
    }
}

/// A protocol of `Optional` only, through which an optional inside an `Any` can be unwrapped.
private protocol Unwrappable {
    var content: Any? { get }
}

extension Optional: Unwrappable {
    fileprivate var content: Any? { self }
}
