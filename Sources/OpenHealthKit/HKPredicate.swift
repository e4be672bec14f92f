import Foundation
import HealthEngine

/// A predicate over health samples: what `NSPredicate(format:)` and `HKQuery`'s factories make.
///
/// Stores read ``node``; `evaluate(with:)` gives the same answer for a sample in memory
/// (Semantics §2.9). Immutable: a copy is the predicate itself, since Foundation's own
/// copies on Linux forget what they are.
final class HKPredicate: NSPredicate {
    let node: PredicateNode

    init(_ node: PredicateNode) {
        self.node = node
        super.init(value: false)
    }

    /// Constants of a predicate have no archived form.
    required init?(coder: NSCoder) { nil }

    /// Whether the predicate selects a sample or an activity summary; false for anything else, and
    /// for a predicate that a store would refuse.
    override func evaluate(with object: Any?) -> Bool {
        switch object {
        case let sample as HKSample: selects(ObjectFacts(sample: sample), of: sample.sampleType)
        case let summary as HKActivitySummary:
            selects(SummaryFacts(day: summary.day), of: .activitySummaryType())
        default: false
        }
    }

    private func selects(_ facts: some SampleFacts, of type: HKObjectType) -> Bool {
        (try? PredicateReading(type: type).filter(node))?.matches(facts) ?? false
    }

    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        evaluate(with: object)
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

/// An activity summary as filters see it: it has a day and no moments.
private struct SummaryFacts: SampleFacts {
    let day: String?

    var typeIdentifier: String { HKObjectType.activitySummaryType().identifier }
    var start: Double { .nan }
    var end: Double { .nan }
    var uuid: SampleUUID { SampleUUID(high: 0, low: 0) }
    var bundleIdentifier: String? { nil }
    func metadata(_ key: String) -> MetadataValue? { nil }
}
