public import Foundation
public import HealthEngine

extension SampleFilter {
    /// What a predicate selects of a type, in the name of an app; not Apple's.
    ///
    /// - Parameters:
    ///   - predicate: Nil selects everything.
    ///   - type: Nil where samples of any type are meant.
    ///   - thisApp: The bundle identifier that `HKSource.default()` stands for.
    /// - Throws: `errorInvalidArgument` for what HealthKit raises an exception for: predicates made
    ///   of blocks or Swift's `#Predicate` and others' subclasses, since stores run predicates where
    ///   no code of the app is; bad formats; unknown keys; incompatible units
    ///   (Semantics §2.9).
    /// - Complexity: O(n) in the size of the predicate.
    public init(
        _ predicate: NSPredicate?, for type: HKObjectType?, thisApp: String? = nil
    ) throws(HKError) {
        guard let predicate else {
            self = .everything
            return
        }
        self = try PredicateReading(type: type, thisApp: thisApp).filter(PredicateNode(predicate))
    }
}

extension PredicateNode {
    /// Predicates nested deeper than this are refused, as reading them takes a stack.
    static let maximumDepth = 200

    /// What a predicate asks, whoever made it; ``refused(_:text:)`` where a store can't run it.
    init(_ predicate: NSPredicate) { self = Self.node(predicate, depth: 0) }

    private static func node(_ predicate: NSPredicate, depth: Int) -> PredicateNode {
        if depth > maximumDepth {
            return refused("Predicate: nested more than \(maximumDepth) deep.")
        }
        if let own = predicate as? HKPredicate { return own.node }
        if let compound = predicate as? NSCompoundPredicate {
            return node(compound, depth: depth)
        }
        guard type(of: predicate) == plainClass else { return foreign(predicate) }
        if predicate.isEqual(NSPredicate(value: true)) { return .always }
        if predicate.isEqual(NSPredicate(value: false)) { return .never }
        return refused(
            "Predicate: a block can't run in a health store. Use NSPredicate(format:) or one of"
                + " HKQuery's predicates, and put the block to the results.")
    }

    private static let plainClass: AnyClass = type(of: NSPredicate(value: true))

    private static func node(_ compound: NSCompoundPredicate, depth: Int) -> PredicateNode {
        let parts = compound.subpredicates.map { node($0, depth: depth + 1) }
        switch compound.compoundPredicateType {
        case .and: return .and(parts)
        case .or: return .or(parts)
        case .not: return parts.first.map { .not($0) } ?? refused("Predicate: NOT of nothing.")
        @unknown default: return foreign(compound)
        }
    }

    private static func foreign(_ predicate: NSPredicate) -> PredicateNode {
        refused("Predicate: a health store can't run a \(type(of: predicate)).")
    }

    private static func refused(_ reason: String) -> PredicateNode {
        .refused(reason, text: "FALSEPREDICATE")
    }
}

/// What a predicate selects of a type, in the name of the app that holds a store.
///
/// - Throws: `errorInvalidArgument` for predicates that stores can't run.
func filter(
    _ predicate: NSPredicate?, for type: HKObjectType?, store: HKHealthStore?
) throws(HKError) -> SampleFilter {
    try SampleFilter(predicate, for: type, thisApp: store?.identity.bundleIdentifier)
}
