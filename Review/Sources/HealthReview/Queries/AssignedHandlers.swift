import SwiftSyntax

/// The handlers that are assigned to queries after their construction, in a whole target.
struct AssignedHandlers: Sendable {
    typealias Value = (property: String, value: ExprSyntax)

    /// By the node of the query's construction.
    private var byCall: [SyntaxIdentifier: [Value]] = [:]
    /// Those of queries whose construction the names don't lead to, by the query's name.
    private var byName: [String: [Value]] = [:]
    /// Those of queries that a function was given.
    private(set) var ofGivenQueries: [Value] = []

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
            ofGivenQueries.append(value)
        }
    }

    /// What is assigned to the handlers of a query, anywhere, or in its own function under its name.
    func values(of query: HealthQuery) -> [Value] {
        let found = byCall[query.call.id] ?? []
        guard let named = query.variable.flatMap({ byName[$0] }) else { return found }
        let scope = query.call.enclosingFunction
        return found + named.filter { $0.value.isInside(scope) }
    }
}
