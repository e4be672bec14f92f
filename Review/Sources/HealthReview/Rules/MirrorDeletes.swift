import SwiftSyntax

/// Reports `healthStore.delete(sample)` for samples that a local database lacks.
struct MirrorDeletes: Rule {
    let name = "mirror-deletes"
    let summary = "a comparison with a local store that deletes from HealthKit"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files
        where !file.isTest && !file.uses.names.isDisjoint(with: ["delete", "deleteObjects"]) {
            for call in file.uses.calls where deletes(call, target) {
                guard let reason = reason(for: call, target) else { continue }
                report.add(
                    "\(reason) deletes a person's data on every device: what is missing here may be new, hidden or not yet synced; delete the local copy only",
                    at: call, in: file)
            }
        }
    }

    private func deletes(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        guard let base = call.base else { return false }
        if call.calledName == "deleteObjects" { return call.argument("predicate") != nil }
        return call.calledName == "delete" && call.unlabelledArgument(0) != nil
            && target.isHealthStore(base)
    }

    /// Returns why this deletion isn't a user's request; nil if nothing suggests that.
    private func reason(for call: FunctionCallExprSyntax, _ target: Target) -> String? {
        let names = call.enclosingFunctions.map(\.name.text)
        if let name = names.first(where: Self.namesReconciliation) { return "`\(name)`" }
        if names.contains(where: Self.namesUserRequest) { return nil }
        if isUnderComparison(call, target) { return "a comparison with local data" }
        if isInHandler(call), !looksUpOne(call) { return "a query's handler" }
        return nil
    }

    private static func namesReconciliation(_ name: String) -> Bool {
        name.camelCaseWords.contains { reconciliations.contains($0) }
            || name.lowercased().contains("cleanup")
    }

    private static let reconciliations: Set<String> = [
        "sync", "syncs", "synchronize", "synchronise", "resync", "reconcile", "reconciliation",
        "mirror", "dedupe", "deduplicate", "dedup", "duplicates", "orphans", "orphaned", "stale",
        "prune", "merge", "cleanup",
    ]

    /// Returns whether a function's verb describes a user's action, so that it does what was
    /// requested.
    private static func namesUserRequest(_ name: String) -> Bool {
        guard let verb = name.camelCaseWords.first else { return false }
        return userRequestWords.contains(verb)
    }

    private static let userRequestWords: Set<String> = [
        "delete", "remove", "erase", "undo", "discard", "clear", "reset", "edit", "replace", "wipe",
        "revert", "tear", "on", "did",
    ]

    /// Returns whether the function queries by identifier, which finds an object that the user
    /// chose.
    private func looksUpOne(_ call: FunctionCallExprSyntax) -> Bool {
        call.enclosingFunction.all(FunctionCallExprSyntax.self).contains {
            $0.calledName == "predicateForObject"
        }
    }

    private func isInHandler(_ call: FunctionCallExprSyntax) -> Bool {
        call.enclosingClosures.contains { closure in
            if let receiving = closure.receivingCall, HealthQuery(receiving) != nil { return true }
            guard let list = closure.parent?.as(ExprListSyntax.self),
                let sequence = list.parent?.as(SequenceExprSyntax.self),
                let name = Assignment(sequence)?.target.as(MemberAccessExprSyntax.self)
            else { return false }
            return ["updateHandler", "initialResultsHandler"].contains(name.declName.baseName.text)
        }
    }

    /// Returns whether the deleted objects are those that a local collection lacks:
    /// `where !localIDs.contains($0.uuid)`, `subtracting(local)`.
    private func isUnderComparison(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        var node = Syntax(call)
        while let parent = node.parent, !parent.is(FunctionDeclSyntax.self) {
            if let test = parent.as(IfExprSyntax.self), node.id != Syntax(test.conditions).id,
                test.conditions.comparesPresence
            {
                return true
            }
            if let loop = parent.as(ForStmtSyntax.self), node.id == Syntax(loop.body).id,
                loop.whereClause?.comparesPresence == true
                    || derivesFromComparison(loop.sequence, target)
                    || loop.body.hasGuardOnPresence(before: node)
            {
                return true
            }
            node = parent
        }
        return call.unlabelledArgument(0).map { derivesFromComparison($0, target) } ?? false
    }

    private func derivesFromComparison(_ expression: ExprSyntax, _ target: Target) -> Bool {
        target.origins(of: expression).contains { origin in
            origin.is(FunctionCallExprSyntax.self) && origin.comparesPresence
        }
    }
}

extension SyntaxProtocol {
    /// The functions around this node, the innermost first.
    var enclosingFunctions: [FunctionDeclSyntax] {
        sequence(first: Syntax(self)) { $0.parent }.compactMap { $0.as(FunctionDeclSyntax.self) }
    }

    /// The closures around this node, the innermost first.
    var enclosingClosures: [ClosureExprSyntax] {
        sequence(first: Syntax(self)) { $0.parent }.dropFirst()
            .compactMap { $0.as(ClosureExprSyntax.self) }
    }

    /// Whether the code tests for membership: `!ids.contains(x)`, `subtracting`.
    fileprivate var comparesPresence: Bool {
        Syntax(self).descendants.contains { node in
            if let call = node.as(FunctionCallExprSyntax.self) {
                return call.calledName == "subtracting"
            }
            guard let negation = node.as(PrefixOperatorExprSyntax.self),
                negation.operator.text == "!",
                let call = negation.expression.bare.as(FunctionCallExprSyntax.self)
            else { return false }
            return call.calledName == "contains"
        }
    }
}

extension CodeBlockSyntax {
    /// Returns whether the statements contain `guard !ids.contains(x) else { continue }`.
    fileprivate func hasGuardOnPresence(before node: Syntax) -> Bool {
        statements.contains { item in
            item.item.as(GuardStmtSyntax.self)?.conditions.comparesPresence ?? false
        }
    }
}
