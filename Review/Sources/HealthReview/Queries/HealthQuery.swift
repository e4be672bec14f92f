import HealthEngine
import SwiftSyntax

/// A query that a file constructs, with a callback or as a descriptor for `await`.
struct HealthQuery: Sendable {
    /// By Apple's class; descriptors belong to the kind of theirs.
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
    /// `HKSampleQuery(…)`.
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

    /// The name the query is kept under: `query` of `let query = HKSampleQuery(…)` and of
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

extension SourceFile {
    /// The queries the file constructs, in order.
    var queries: [HealthQuery] { uses.calls.compactMap { HealthQuery($0) } }
}

extension Target {
    /// The parts of a query: each a type with its predicate. One, but for `queryDescriptors:` and
    /// `predicates:`; empty if the source doesn't tell them.
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

    /// The types a query asks for, all of its parts together.
    func types(of query: HealthQuery) -> PossibleTypes {
        let parts = parts(of: query)
        var types = PossibleTypes(isComplete: !parts.isEmpty)
        for part in parts { types.add(part.types) }
        return types
    }
}

/// A type and the predicate on its samples, as one query asks for it.
struct QueryPart: Sendable {
    /// The whole: `.quantitySample(type: steps, predicate: today)`.
    let node: ExprSyntax
    var types: PossibleTypes
    /// nil if none is given.
    let predicate: ExprSyntax?
    /// What names the type: `steps`; nil where the form does, as `.workout()`.
    var type: ExprSyntax?

    fileprivate init(node: ExprSyntax, types: PossibleTypes, predicate: ExprSyntax?) {
        (self.node, self.types, self.predicate) = (node, types, predicate)
        type = nil
    }

    /// From `HKQueryDescriptor(sampleType:predicate:)` or a form of `HKSamplePredicate`; workouts'
    /// `.workout(predicate)` names its type itself.
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
