import HealthEngine
import SwiftSyntax

/// A query that a file constructs: with a callback, or as a descriptor for `await`.
struct HealthQuery: Sendable {
    /// The kind of query, by Apple's class. A descriptor has the kind of its class.
    enum Kind: String, Sendable, CaseIterable {
        case sample = "HKSampleQuery"
        case anchored = "HKAnchoredObjectQuery"
        case statistics = "HKStatisticsQuery"
        case statisticsCollection = "HKStatisticsCollectionQuery"
        case observer = "HKObserverQuery"
        case source = "HKSourceQuery"
        case correlation = "HKCorrelationQuery"
        case activitySummary = "HKActivitySummaryQuery"
        case workoutRoute = "HKWorkoutRouteQuery"
        case quantitySeries = "HKQuantitySeriesSampleQuery"
        case heartbeatSeries = "HKHeartbeatSeriesQuery"
        case electrocardiogram = "HKElectrocardiogramQuery"
    }

    enum Form: Sendable {
        case callback, descriptor
    }

    let kind: Kind
    let form: Form
    /// The constructing call, `HKSampleQuery(…)`.
    let call: FunctionCallExprSyntax

    init?(_ call: FunctionCallExprSyntax) {
        guard let name = call.constructedName ?? call.impliedName, name.hasPrefix("HK") else {
            return nil
        }
        let isDescriptor = name.hasSuffix("Descriptor")
        guard let kind = Kind(rawValue: isDescriptor ? String(name.dropLast(10)) : name) else {
            return nil
        }
        self.kind = kind
        form = isDescriptor ? .descriptor : .callback
        self.call = call
    }

    /// The name that the query is stored under: `query` in `let query = HKSampleQuery(…)` and in
    /// `self.query = HKSampleQuery(…)`.
    var variable: String? {
        var node = Syntax(call)
        while let parent = node.parent {
            if let binding = parent.as(PatternBindingSyntax.self) { return binding.boundName }
            if let sequence = parent.as(SequenceExprSyntax.self) {
                guard let assignment = Assignment(sequence), node.id != assignment.target.id else {
                    return nil
                }
                return assignment.ownName
            }
            switch parent.kind {
            case .initializerClause, .exprList, .tryExpr, .awaitExpr, .forceUnwrapExpr, .asExpr:
                node = parent
            default: return nil
            }
        }
        return nil
    }
}

extension Target {
    /// Returns the parts of a query, each a type with its predicate. There is one part, except with
    /// `queryDescriptors:` and `predicates:`. The result is empty if the parts can't be resolved.
    func parts(of query: HealthQuery) -> [QueryPart] {
        for label in ["sampleType", "type", "quantityType", "correlationType"] {
            if let type = query.call.argument(label) {
                let predicate =
                    query.call.argument("predicate") ?? query.call.argument(
                        "quantitySamplePredicate")
                    ?? query.call.argument("samplePredicate")
                return [
                    QueryPart(
                        node: ExprSyntax(query.call), types: sampleTypes(of: type),
                        predicate: predicate)
                ]
            }
        }
        let list = query.call.argument("queryDescriptors") ?? query.call.argument("predicates")
        if let list { return parts(ofList: list) }
        return query.call.argument("predicate").map { predicate in
            origins(of: predicate).compactMap { QueryPart($0, in: self) }
        } ?? []
    }

    /// Returns the types that a query requests, over all its parts.
    func types(of query: HealthQuery) -> PossibleTypes {
        let parts = parts(of: query)
        var types = PossibleTypes(isComplete: !parts.isEmpty)
        for part in parts { types.add(part.types) }
        return types
    }
}

/// A type and its predicate, as one part of a query.
struct QueryPart: Sendable {
    /// The whole part: `.quantitySample(type: steps, predicate: today)`.
    let node: ExprSyntax
    var types: PossibleTypes
    /// The predicate, or nil if there is none.
    let predicate: ExprSyntax?
    /// The expression for the type: `steps`. It is nil if the form implies the type, like
    /// `.workout()`.
    var type: ExprSyntax?

    fileprivate init(node: ExprSyntax, types: PossibleTypes, predicate: ExprSyntax?) {
        (self.node, self.types, self.predicate) = (node, types, predicate)
        type = nil
    }

    /// Creates a part from `HKQueryDescriptor(sampleType:predicate:)` or a form of
    /// `HKSamplePredicate`. The form `.workout(predicate)` implies its type.
    init?(_ origin: ExprSyntax, in target: Target) {
        guard let call = origin.as(FunctionCallExprSyntax.self), let name = call.calledName else {
            return nil
        }
        switch name {
        case "HKQueryDescriptor", "quantitySample", "categorySample", "sample", "correlation",
            "init":
            let type = call.argument("sampleType") ?? call.argument("type")
            self.init(
                node: origin,
                types: type.map { target.sampleTypes(of: $0) } ?? PossibleTypes(isComplete: false),
                predicate: call.argument("predicate"))
            self.type = type
        case "workout", "workoutRoute", "audiogram", "electrocardiogram", "stateOfMind",
            "heartbeatSeries":
            var types = PossibleTypes()
            types.add(Catalogue.type(named: name))
            let predicate = call.unlabelledArgument(0) ?? call.argument("predicate")
            self.init(node: origin, types: types, predicate: predicate)
        default: return nil
        }
    }
}
