import SwiftSyntax

/// Publishers that save, and whose failure a subscription throws away: `.sink { _ in } …`.
extension SavedThoughFailed {
    func reviewPublishers(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for call in ["sink", "replaceError"].flatMap({ file.uses.callsByName[$0] ?? [] })
            where call.ignoresFailure && target.publishesWrite(call) {
                if let change = target.changeShown(before: call) {
                    report.add(
                        "this stays on screen though it can't be saved, as without permission: "
                            + "take it back where the publisher fails, and show the error",
                        at: change, in: file)
                } else {
                    report.add(
                        "nobody learns when this can't be saved, as without permission: show the "
                            + "publisher's error", at: call,
                        in: file, severity: .note)
                }
            }
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether a subscription does nothing with a failure, or at most logs it.
    fileprivate var ignoresFailure: Bool {
        if calledName == "replaceError" { return true }
        let given = argument("receiveCompletion")?.bare.as(ClosureExprSyntax.self)
        let isFirst = additionalTrailingClosures.contains { $0.label.text == "receiveValue" }
        guard let closure = given ?? (isFirst ? trailingClosure : nil) else { return false }
        return closure.statements.allSatisfy { item in
            let node = Syntax(item.item)
            let expression =
                node.as(ExpressionStmtSyntax.self)?.expression ?? node.as(ExprSyntax.self)
            return expression?.bare.as(FunctionCallExprSyntax.self)?.isReport == true
        }
    }
}

extension Target {
    /// Returns whether a chain of operators begins at a call of the target's function that saves to
    /// HealthKit.
    fileprivate func publishesWrite(_ call: FunctionCallExprSyntax) -> Bool {
        var root = call
        for _ in 0..<24 {
            guard let next = root.base?.bare.as(FunctionCallExprSyntax.self) else { break }
            root = next
        }
        guard root.id != call.id, let function = function(calledBy: root),
            let body = function.body, let file = file(of: function),
            Syntax(body).mentionsName("Future") || Syntax(body).mentionsName("Publisher")
        else { return false }
        return writes(in: file).contains { $0.calledName == "save" && $0.isInside(body) }
    }

    /// Returns the statement before a subscription that changes a member: `total += amount`.
    fileprivate func changeShown(before call: FunctionCallExprSyntax) -> Syntax? {
        var item = Syntax(call)
        while let outer = item.parent, !outer.is(CodeBlockItemListSyntax.self) { item = outer }
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return nil }
        for statement in list where statement.position < call.position {
            let node = Syntax(statement.item)
            let expression =
                node.as(ExpressionStmtSyntax.self)?.expression ?? node.as(ExprSyntax.self)
            if let assignment = expression?.as(SequenceExprSyntax.self).flatMap({ Assignment($0) }),
                case .compound = assignment.operator, isMember(assignment.target)
            {
                return node
            }
            if let change = expression?.as(FunctionCallExprSyntax.self),
                ["append", "insert"].contains(change.calledName), let base = change.base,
                isMember(base)
            {
                return node
            }
        }
        return nil
    }

    private func isMember(_ expression: ExprSyntax) -> Bool {
        guard case .variable(_, let declaration) = binding(of: expression) else { return false }
        return declaration.memberOf != nil
    }
}
