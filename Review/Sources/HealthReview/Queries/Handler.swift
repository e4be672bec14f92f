import SwiftSyntax

/// What HealthKit calls back, on a queue of its own: a closure, or a function given by name.
struct Handler: Sendable {
    /// What it was given as: a closure, a name.
    let value: ExprSyntax
    /// A closure or a function's declaration.
    let body: Syntax

    var closure: ClosureExprSyntax? { body.as(ClosureExprSyntax.self) }
}

/// The handlers that are assigned to queries after their construction, in a whole target.
struct AssignedHandlers {
    /// By the node of the query's construction: the property and what it was set to.
    private var byCall: [SyntaxIdentifier: [(property: String, value: ExprSyntax)]] = [:]

    private static let properties: Set<String> = [
        "updateHandler", "initialResultsHandler", "statisticsUpdateHandler",
    ]

    /// - Complexity: O(assignments in the target).
    init(_ target: Target) {
        for file in target.files {
            for assignment in file.uses.assignments where assignment.operator == .plain {
                guard let member = assignment.target.as(MemberAccessExprSyntax.self),
                    let base = member.base, let value = assignment.singleValue,
                    Self.properties.contains(member.declName.baseName.text)
                else { continue }
                for origin in target.origins(of: base) {
                    byCall[origin.id, default: []].append((member.declName.baseName.text, value))
                }
            }
        }
    }

    func values(of query: HealthQuery) -> [(property: String, value: ExprSyntax)] {
        byCall[query.call.id] ?? []
    }

    /// Whether a query goes on after its first results.
    func isLongRunning(_ query: HealthQuery) -> Bool {
        guard query.form == .callback else { return false }
        let property: String
        switch query.kind {
        case .observer: return true
        case .anchored, .activitySummary: property = "updateHandler"
        case .statisticsCollection: property = "statisticsUpdateHandler"
        default: return false
        }
        return values(of: query).contains {
            $0.property == property && !$0.value.is(NilLiteralExprSyntax.self)
        }
    }
}

extension Target {
    /// Every handler of a query that the target shows: given at its construction or assigned later.
    func handlers(of query: HealthQuery, _ assigned: AssignedHandlers) -> [Handler] {
        let given =
            query.call.closures.map { ExprSyntax($0) }
            + query.call.arguments.compactMap { argument in
                let isHandler = argument.label?.text.hasSuffix("andler") ?? false
                return isHandler && !argument.expression.is(ClosureExprSyntax.self)
                    ? argument.expression : nil
            }
        return (given + assigned.values(of: query).map(\.value)).compactMap { handler($0) }
    }

    /// The closure or the target's own function behind a value that is given as a handler.
    func handler(_ value: ExprSyntax) -> Handler? {
        let bare = value.bare
        if bare.is(ClosureExprSyntax.self) { return Handler(value: bare, body: Syntax(bare)) }
        if let function = function(named: bare) {
            return Handler(value: bare, body: Syntax(function))
        }
        let origins = origins(of: bare)
        guard origins.count == 1, origins[0].is(ClosureExprSyntax.self) else { return nil }
        return Handler(value: bare, body: Syntax(origins[0]))
    }
}

extension FunctionCallExprSyntax {
    /// `store.requestAuthorization(toShare:read:)`, with a completion or without, or SwiftUI's
    /// `healthDataAccessRequest(store:shareTypes:readTypes:trigger:)`.
    var isAuthorizationRequest: Bool {
        switch calledName {
        case "requestAuthorization": argument("toShare") != nil || argument("read") != nil
        case "healthDataAccessRequest":
            argument("shareTypes") != nil || argument("readTypes") != nil
        default: false
        }
    }

    /// `store.enableBackgroundDelivery(for:frequency:)`, but for those that only pass it on.
    var isBackgroundDelivery: Bool {
        guard calledName == "enableBackgroundDelivery", argument("for") != nil,
            argument("frequency") != nil
        else { return false }
        let function = enclosing(FunctionDeclSyntax.self)
        return function?.name.text != "enableBackgroundDelivery"
    }
}

extension Target {
    /// The closure that is called back when a store is done: of an authorization request, a save.
    func storeCompletion(of call: FunctionCallExprSyntax) -> ClosureExprSyntax? {
        guard let name = call.calledName, let last = call.closures.last else { return nil }
        switch name {
        case "requestAuthorization": return call.isAuthorizationRequest ? last : nil
        case "enableBackgroundDelivery": return call.isBackgroundDelivery ? last : nil
        case "getRequestStatusForAuthorization", "disableAllBackgroundDelivery",
            "disableBackgroundDelivery", "handleAuthorizationForExtension", "preferredUnits":
            return call.base.map(isStore) == true ? last : nil
        case "save", "delete", "deleteObjects":
            return call.base.map(isStore) == true ? last : nil
        case "beginCollection", "endCollection", "finishWorkout", "insertRouteData", "finishRoute":
            // Of workout and route builders.
            return last
        default: return nil
        }
    }

    /// Whether an expression is a health store: by its declared type, or else by its name.
    func isStore(_ expression: ExprSyntax) -> Bool {
        if let type = typeName(of: expression) { return type == "HKHealthStore" }
        let bare = expression.bare
        let name =
            bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? bare.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        guard name.first?.isLowercase == true else { return false }
        return name.lowercased().contains("healthstore") || name == "store" || name == "hkStore"
    }
}
