import SwiftSyntax

/// The handlers that a target assigns to queries after their construction.
struct AssignedHandlers: Sendable {
    typealias Value = (property: String, value: ExprSyntax)

    /// Handlers by the node of the query's construction.
    private var byCall: [SyntaxIdentifier: [Value]] = [:]
    /// Handlers of queries whose construction can't be resolved, by the query's name.
    private var byName: [String: [Value]] = [:]
    /// Handlers of queries that a function receives as a parameter.
    private(set) var ofPassedQueries: [Value] = []

    private static let properties = [
        "updateHandler", "initialResultsHandler", "statisticsUpdateHandler",
    ]

    init() {}

    /// - Complexity: O(handlers assigned in the target).
    init(_ target: Target) {
        for property in Self.properties {
            for assignment in target.index.memberAssignments[property] ?? []
            where assignment.operator == .plain {
                guard let base = assignment.target.as(MemberAccessExprSyntax.self)?.base,
                    let value = assignment.singleValue
                else { continue }
                add((property, value), to: base, target)
            }
        }
    }

    private mutating func add(_ value: Value, to base: ExprSyntax, _ target: Target) {
        let calls = target.origins(of: base).filter { origin in
            origin.as(FunctionCallExprSyntax.self).flatMap { HealthQuery($0) } != nil
        }
        for call in calls { byCall[call.id, default: []].append(value) }
        guard calls.isEmpty, let name = base.bare.ownName else { return }
        byName[name, default: []].append(value)
        if case .parameter(let parameter) = target.binding(of: base),
            parameter.type.baseName.flatMap({ HealthQuery.Kind(rawValue: $0) }) != nil
        {
            ofPassedQueries.append(value)
        }
    }

    /// Returns the values assigned to a query's handlers: anywhere if the query is resolved,
    /// otherwise in the query's function under the query's name.
    func values(of query: HealthQuery) -> [Value] {
        let found = byCall[query.call.id] ?? []
        guard let named = query.variable.flatMap({ byName[$0] }) else { return found }
        let scope = query.call.enclosingFunction
        return found + named.filter { $0.value.isInside(scope) }
    }
}
