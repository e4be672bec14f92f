import Foundation
import HealthEngine

/// A predicate over health samples: what `NSPredicate(format:)` and `HKQuery`'s factories make.
///
/// Stores read ``node``; `evaluate(with:)` gives the same answer for a sample in memory
/// (healthkit-semantics §2.9). Immutable: a copy is the predicate itself, since Foundation's own
/// copies on Linux forget what they are.
final class HKPredicate: NSPredicate {
    let node: PredicateNode

    init(_ node: PredicateNode) {
        self.node = node
        super.init(value: false)
    }

    /// Constants of a predicate have no archived form.
    required init?(coder: NSCoder) { nil }

    /// Whether the predicate selects a sample; false for anything else, and for a predicate that
    /// a store would refuse.
    override func evaluate(with object: Any?) -> Bool {
        guard let sample = object as? HKSample,
            let filter = try? PredicateReading(type: sample.sampleType).filter(node)
        else { return false }
        return filter.matches(ObjectFacts(sample: sample))
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
