import SwiftSyntax

/// A method that starts a long-running query each time it is called, and leaves the last one
/// running.
struct QueryRestart {
    /// When it is called again: "each call from the other side".
    let occasion: String

    private let query: HealthQuery
    private let body: CodeBlockSyntax

    /// Nil if the method is called once as far as is known, or sees to the query before.
    init?(_ query: HealthQuery, _ type: String, _ target: Target) {
        guard let function = query.call.enclosingFunction.as(FunctionDeclSyntax.self),
            let body = function.body, !function.modifiers.names.contains("override"),
            let occasion = target.occasion(of: function, type)
        else { return nil }
        (self.query, self.body, self.occasion) = (query, body, occasion)
        guard !stops(target), !isChecked, keys.allSatisfy({ names($0, target) }) else { return nil }
    }

    /// Whether the method stops a query, itself or through a function of the target.
    private func stops(_ target: Target) -> Bool {
        let verbs: Set<String> = ["stop", "remove", "cancel", "unobserve", "unsubscribe", "clear"]
        return body.all(FunctionCallExprSyntax.self).contains { call in
            !verbs.isDisjoint(with: call.calledName?.camelCaseWords ?? [])
                || target.function(calledBy: call)?.body?.contains("stop") == true
        }
    }

    /// Whether a condition before the query looks at what the method keeps.
    private var isChecked: Bool {
        let kept = Set(assignments.compactMap { $0.target.keptName })
        return body.all(ConditionElementSyntax.self).contains { condition in
            condition.position < query.call.position
                && (kept.contains { condition.mentions($0) || condition.contains($0) }
                    || condition.contains("insert") || condition.contains("contains"))
        }
    }

    private var assignments: [Assignment] {
        body.all(SequenceExprSyntax.self).compactMap { Assignment($0) }
    }

    /// The keys under which the query is kept: `name` in `observers[name] = query`.
    private var keys: [ExprSyntax] {
        guard let variable = query.variable else { return [] }
        return assignments.filter { $0.singleValue?.bare.ownName == variable }.compactMap {
            $0.target.bare.as(SubscriptCallExprSyntax.self)?.arguments.first?.expression
        }
    }

    /// Returns whether a key names the query's type, so that a second query of the type takes the
    /// place of the first.
    private func names(_ key: ExprSyntax, _ target: Target) -> Bool {
        guard let type = query.call.argument("sampleType") ?? query.call.argument("type"),
            let name = type.bare.ownName
        else { return false }
        if key.mentions(name) { return true }
        guard let word = key.bare.ownName else { return false }
        switch target.binding(of: type) {
        case .unwrapped(let value): return value.mentions(word)
        case .variable(let binding, _): return binding.initializer?.value.mentions(word) ?? false
        default: return false
        }
    }
}

extension Target {
    /// When a method is called more than once; nil if that isn't known.
    fileprivate func occasion(of function: FunctionDeclSyntax, _ type: String) -> String? {
        if isExposed(function, type) { return Self.outside }
        let callers = calls(of: function).compactMap { known in
            known.call.enclosingFunction.as(FunctionDeclSyntax.self).map {
                (call: known.call, function: $0)
            }
        }
        if callers.contains(where: { Self.appearing.contains($0.function.name.text) }) {
            return "each appearance"
        }
        let isReached = callers.contains { call, caller in
            // A method that answers all calls has a branch for each.
            let branch = call.enclosing(SwitchCaseSyntax.self).map { Syntax($0.statements) }
            return isExposed(caller, caller.enclosingTypeName)
                && (branch ?? caller.body.map { Syntax($0) })?.mayStop == false
        }
        return isReached ? Self.outside : nil
    }

    private static let outside = "each call from the other side"

    /// Returns whether another language calls a function: of a bridge's class, or by a C name.
    private func isExposed(_ function: FunctionDeclSyntax, _ type: String?) -> Bool {
        let names = function.attributes.names
        if names.contains("_cdecl") || names.contains("cdecl") { return true }
        let isOfBridge =
            names.contains("objc")
            && type.map { inherited(by: $0) }?.isDisjoint(with: [
                "RCTEventEmitter", "RCTBridgeModule", "CAPPlugin", "CDVPlugin",
            ]) == false
        return isOfBridge || Reply(of: function)?.kind == .bridge
    }

    private static let appearing: Set<String> = [
        "viewWillAppear", "viewDidAppear", "sceneDidBecomeActive", "sceneWillEnterForeground",
        "applicationDidBecomeActive", "applicationWillEnterForeground",
    ]
}

extension Syntax {
    /// Whether anything is called that may stop a query, or whether a condition asks if one runs.
    fileprivate var mayStop: Bool {
        all(FunctionCallExprSyntax.self).contains { call in
            call.calledName?.camelCaseWords.contains {
                ["stop", "remove", "cancel", "unobserve", "unsubscribe", "clear"].contains($0)
            } ?? false
        }
            || all(ConditionElementSyntax.self).contains { condition in
                condition.tokens(viewMode: .sourceAccurate).contains { token in
                    let words = token.text.camelCaseWords
                    return words.contains {
                        ["observer", "observers", "running", "started", "active", "query"]
                            .contains($0)
                    }
                }
            }
    }
}

extension ExprSyntax {
    /// The variable that an assignment changes: `observers` in `self.observers[name] = query`.
    fileprivate var keptName: String? {
        let place = bare.as(SubscriptCallExprSyntax.self)?.calledExpression.bare ?? bare
        return place.ownName ?? place.lastName
    }
}

extension DeclModifierListSyntax {
    fileprivate var names: [String] { map(\.name.text) }
}
