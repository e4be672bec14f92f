import HealthEngine
import SwiftSyntax

/// The origin of samples, statistics or their quantities.
struct SampleOrigin: Sendable {
    enum Kind: Sendable {
        /// The samples as saved, separately for each source.
        case rawSamples
        /// Statistics that HealthKit merged.
        case statistics
    }

    var kind: Kind
    /// The types of the samples, as far as known.
    var types: PossibleTypes
    /// Whether it is a single element: a loop variable, or the parameter of a closure called per
    /// element.
    var isElement: Bool
    /// Whether a predicate or filter restricts it to some sources, devices or a workout.
    var isOfSomeSources: Bool
    /// The closures on the path that turned quantities into numbers or into values that contain
    /// numbers.
    var measures: [ClosureExprSyntax]
}

extension Target {
    /// Returns the HealthKit results that an expression derives from: a handler's samples, a
    /// descriptor's result, or what a function of the target fetched. Loops, closures and
    /// collection methods are followed.
    ///
    /// ```
    /// for sample in try await steps() { … sample.quantity … }     // raw samples of stepCount
    /// ```
    ///
    /// - Complexity: bounded: 400 steps.
    ///
    /// - Parameters:
    ///   - expression: The expression to trace.
    ///   - call: The call of the enclosing function, used to resolve its parameters.
    /// - Returns: The origins; empty if any part of the expression can't be resolved.
    func sampleOrigins(of expression: ExprSyntax, in call: KnownCall? = nil) -> [SampleOrigin] {
        var search = SampleSearch(target: self)
        search.follow(expression, SampleSearch.State(calls: call.map { [$0] } ?? []))
        return search.isComplete ? search.found : []
    }
}
