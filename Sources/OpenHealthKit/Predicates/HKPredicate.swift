package import Foundation
package import HealthEngine

/// A predicate for health samples, created by `NSPredicate(format:)` and the functions of
/// `HKQuery`.
///
/// Stores evaluate ``node``. `evaluate(with:)` tests an object in memory with the same rules
/// (Semantics §2.9), but an object in memory belongs to no workout and no correlation. A copy is
/// the predicate itself, because copies made by Foundation on Linux lose the subclass.
final class HKPredicate: NSPredicate, NodePredicate {
    let node: PredicateNode

    init(_ node: PredicateNode) {
        self.node = node
        super.init(value: false)
    }

    /// Returns nil: the constants of a predicate cannot be archived.
    required init?(coder: NSCoder) { nil }

    /// Whether the predicate matches a sample, an activity summary or a medication. False for other objects, and
    /// for a predicate that a query would reject.
    override func evaluate(with object: Any?) -> Bool {
        switch object {
        case let sample as HKSample: matches(ObjectFacts(sample: sample), of: sample.sampleType)
        case let summary as HKActivitySummary:
            matches(SummaryFacts(day: summary.day), of: .activitySummaryType())
        case let medication as HKUserAnnotatedMedication:
            matches(
                MedicationFacts(medication: medication.stored), of: .userAnnotatedMedicationType())
        default: false
        }
    }

    private func matches(_ facts: some SampleFacts, of type: HKObjectType) -> Bool {
        (try? PredicateTranslation(type: type).filter(node))?.matches(facts) ?? false
    }

    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        bindings.map { substituting($0).evaluate(with: object) } ?? evaluate(with: object)
    }

    func substituting(_ variables: [String: Any]) -> NSPredicate {
        HKPredicate(node.substituting(variables.mapValues { PredicateConstant($0) }))
    }

    @available(*, deprecated)
    override var predicateFormat: String { node.description }

    override var description: String { node.description }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? HKPredicate)?.node == node
    }

    override var hash: Int { node.hashValue }
}

/// The properties of an activity summary that a filter can test: the day, and no start or end.
private struct SummaryFacts: SampleFacts {
    let day: String?

    var typeIdentifier: String { HKObjectType.activitySummaryType().identifier }
    var start: Double { .nan }
    var end: Double { .nan }
    var uuid: SampleUUID { SampleUUID(high: 0, low: 0) }
    var bundleIdentifier: String? { nil }
    func metadata(_ key: String) -> MetadataValue? { nil }
}

extension SampleFilter {
    /// Converts a predicate to a filter for a type and an app. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - predicate: The predicate; nil matches everything.
    ///   - type: The queried type; nil for samples of any type.
    ///   - thisApp: The bundle identifier that `HKSource.default()` stands for; nil for that of
    ///     ``AppIdentity/current``.
    /// - Throws: `errorInvalidArgument` for predicates that a store cannot evaluate: blocks,
    ///   Swift's `#Predicate`, foreign subclasses, data that is not stored, and more than 200
    ///   nested levels. Also for invalid formats, unknown keys, keys that the type does not have,
    ///   unsuitable operators and constants, and incompatible units (Semantics §2.9).
    /// - Complexity: O(n) in the size of the predicate.
    package init(
        _ predicate: NSPredicate?, for type: HKObjectType?, thisApp: String? = nil
    ) throws(HKError) {
        guard let predicate else {
            self = .everything
            return
        }
        self = try PredicateTranslation(type: type, thisApp: thisApp).filter(
            PredicateNode(predicate))
    }
}

extension PredicateNode {
    /// The maximum nesting depth of `NSCompoundPredicate`; deeper predicates are rejected to bound
    /// the recursion.
    static let maximumDepth = 200

    /// Converts any predicate. A part that a store cannot evaluate becomes ``invalid(_:text:)``.
    init(_ predicate: NSPredicate) { self = Self.node(predicate, depth: 0) }

    private static func node(_ predicate: NSPredicate, depth: Int) -> PredicateNode {
        if depth > maximumDepth {
            return invalid("Predicate: nested more than \(maximumDepth) deep.")
        }
        if let own = predicate as? any NodePredicate { return own.node }
        if let compound = predicate as? NSCompoundPredicate {
            return node(compound, depth: depth)
        }
        guard type(of: predicate) == baseClass else { return unsupportedClass(predicate) }
        if predicate.isEqual(NSPredicate(value: true)) { return .always }
        if predicate.isEqual(NSPredicate(value: false)) { return .never }
        return invalid(
            "Predicate: a block can't run in a health store. Use NSPredicate(format:) or one of"
                + " HKQuery's predicates, and apply the block to the results.")
    }

    private static let baseClass: AnyClass = type(of: NSPredicate(value: true))

    private static func node(_ compound: NSCompoundPredicate, depth: Int) -> PredicateNode {
        let parts = compound.subpredicates.map { node($0, depth: depth + 1) }
        switch compound.compoundPredicateType {
        case .and: return .and(parts)
        case .or: return .or(parts)
        case .not:
            return parts.first.map { .not($0) } ?? invalid("Predicate: NOT without a subpredicate.")
        @unknown default: return unsupportedClass(compound)
        }
    }

    private static func unsupportedClass(_ predicate: NSPredicate) -> PredicateNode {
        invalid("Predicate: a health store can't run a \(type(of: predicate)).")
    }

    private static func invalid(_ reason: String) -> PredicateNode {
        .invalid(reason, text: "FALSEPREDICATE")
    }
}

/// Converts a predicate to a filter for a type and the app of a store; without a store, for the
/// current app.
///
/// - Throws: `errorInvalidArgument` as ``SampleFilter/init(_:for:thisApp:)``.
func filter(
    _ predicate: NSPredicate?, for type: HKObjectType?, store: HKHealthStore?
) throws(HKError) -> SampleFilter {
    try SampleFilter(predicate, for: type, thisApp: store?.identity.bundleIdentifier)
}
