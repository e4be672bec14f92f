import HealthEngine
import SwiftSyntax

/// Where samples, statistics or a quantity of theirs come from.
struct SampleOrigin: Sendable {
    enum Kind: Sendable {
        /// As they were saved, each source's own.
        case rawSamples
        /// Merged by HealthKit.
        case statistics
    }

    var kind: Kind
    /// Of the type's samples, as far as it is known.
    var types: PossibleTypes
    /// One of several: bound by a loop, or by a closure that is called for each.
    var isElement: Bool
    /// Narrowed to some sources, devices or a workout, by a predicate or by a filter.
    var isOfSomeSources: Bool
    /// Closures on the way that made numbers, or values that hold them, of quantities.
    var measures: [ClosureExprSyntax]
}

extension Target {
    /// What HealthKit gave that an expression stems from: samples of a handler, a descriptor's result,
    /// what a function of the target fetched; through loops, closures and collections' methods.
    ///
    /// ```
    /// for sample in try await steps() { … sample.quantity … }     // raw samples of stepCount
    /// ```
    ///
    /// Empty if any part of it isn't told by the source.
    ///
    /// - Complexity: bounded: 400 steps.
    ///
    /// - Parameter call: The call of the function the expression stands in, to tell parameters by.
    func sampleOrigins(of expression: ExprSyntax, in call: KnownCall? = nil) -> [SampleOrigin] {
        var search = SampleSearch(target: self)
        search.follow(expression, SampleSearch.Way(calls: call.map { [$0] } ?? []))
        return search.isComplete ? search.found : []
    }
}
