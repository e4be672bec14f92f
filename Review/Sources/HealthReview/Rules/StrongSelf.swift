import SwiftSyntax

/// Reports `self` captured by the handler of a long-running query.
struct StrongSelf: Rule {
    let name = "strong-self"
    let summary = "a handler of a long-running query that holds self strongly"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for (query, type, _) in target.longRunningQueriesOfShortLivedTypes
        where target.isDeclared(type, as: [.class, .actor]) {
            for handler in target.handlers(of: query) where holdsSelf(handler) {
                let node = handler.closure.map { ExprSyntax($0) } ?? handler.value
                guard let place = target.file(of: node) else { continue }
                report.add(
                    "\(type) is never released, since the query keeps its handler: capture "
                        + "`[weak self]`", at: node, in: place)
            }
        }
    }

    private func holdsSelf(_ handler: QueryHandler) -> Bool {
        guard let closure = handler.closure else {
            // `updateHandler: handle`: a method retains its instance.
            guard let function = handler.node.as(FunctionDeclSyntax.self) else { return false }
            let isMember = function.parent?.is(MemberBlockItemSyntax.self) == true
            return isMember
                ? !function.modifiers.areStatic
                : function.body?.mentionsSelf == true
        }
        if closure.capturesSelfWeakly { return false }
        let captured = closure.signature?.capture?.items.contains {
            $0.name.text == "self" && $0.initializer == nil
        }
        return captured == true || closure.statements.mentionsSelf
    }
}

extension SyntaxProtocol {
    /// Whether `self` is used as a value inside, including in closures' capture lists.
    var mentionsSelf: Bool {
        Syntax(self).descendants.contains { node in
            if let name = node.as(DeclReferenceExprSyntax.self) {
                return name.baseName.tokenKind == .keyword(.self)
                    && name.keyPathInParent != \MemberAccessExprSyntax.declName
            }
            return node.as(ClosureCaptureSyntax.self)?.name.text == "self"
        }
    }
}
