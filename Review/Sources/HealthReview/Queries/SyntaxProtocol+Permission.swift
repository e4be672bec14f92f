import SwiftSyntax

extension Assignment {
    /// Whether the assigned value grants permission: `= true`, `= .authorized`.
    var isGrant: Bool {
        guard let value = singleValue else { return false }
        if let literal = value.as(BooleanLiteralExprSyntax.self) {
            return literal.literal.tokenKind == .keyword(.true)
        }
        let name = value.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
        return ["authorized", "granted", "allowed", "authorised"].contains(name)
    }
}

extension ExprSyntax {
    /// Whether a variable's name describes a permission: `isAuthorized`, `hasAccess`.
    var isPermission: Bool {
        bare.lastName.map(PermissionVocabulary.isPermission) ?? false
    }

    /// Whether a variable's name describes a denial: `isDenied`, `permissionRefused`.
    fileprivate var saysDenied: Bool {
        let name = bare.lastName?.lowercased() ?? ""
        return ["denied", "refused", "unauthorized"].contains { name.contains($0) }
    }

    /// Whether a value mentions an authorization result: `success ? .authorized : .denied`.
    var saysPermission: Bool {
        let names = all(MemberAccessExprSyntax.self).map(\.declName.baseName.text)
        return names.contains { PermissionVocabulary.answers.contains($0) }
            || Syntax(self).indicatesPermission
    }
}

extension FunctionCallExprSyntax {
    /// Whether the call stores the flag as a permission:
    /// `defaults.set(success, forKey: "healthAuthorized")`.
    func keeps(_ flag: Flag) -> Bool {
        guard let value = keptAsPermission else { return false }
        if value.mentions(flag.name) { return true }
        return keepsTrue && flag.isPassed(at: self)
    }

    /// Whether the call stores `true` as a permission:
    /// `defaults.set(true, forKey: "healthAuthorized")`.
    var keepsTrue: Bool {
        keptAsPermission?.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.true)
    }

    private var keptAsPermission: ExprSyntax? {
        guard ["set", "setValue"].contains(calledName ?? ""), let key = argument("forKey") else {
            return nil
        }
        let text = key.plainString ?? key.shortText ?? ""
        return PermissionVocabulary.isPermission(text) ? unlabelledArgument(0) : nil
    }
}

extension Syntax {
    /// Whether a user-facing text inside says that something was denied or granted. Log texts don't
    /// count.
    var indicatesPermission: Bool {
        all(StringLiteralExprSyntax.self).contains { literal in
            let text = literal.segments.trimmedDescription.lowercased()
            guard PermissionVocabulary.reports.contains(where: { text.contains($0) }) else {
                return false
            }
            var node = Syntax(literal)
            while let outer = node.parent, node.id != id {
                if let call = outer.as(FunctionCallExprSyntax.self),
                    PermissionVocabulary.logs.contains(call.calledName ?? "")
                        || call.calledName?.hasSuffix("Error") == true
                {
                    return false
                }
                node = outer
            }
            return true
        }
    }

    /// Whether a name for a denial is set inside: `isDenied = true`, `status = .denied`.
    var setsDenial: Bool {
        all(SequenceExprSyntax.self).compactMap { Assignment($0) }.contains { assignment in
            guard let value = assignment.singleValue else { return false }
            if value.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.true) {
                return assignment.target.saysDenied
            }
            let answer = value.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            return answer.map(PermissionVocabulary.denials.contains) ?? false
        }
    }

    /// Whether something inside fetches data: constructs a query, or calls a function named like
    /// one.
    var fetches: Bool {
        all(FunctionCallExprSyntax.self).contains { call in
            if HealthQuery(call) != nil || call.calledName == "execute" { return true }
            let name = call.calledName?.lowercased() ?? ""
            return PermissionVocabulary.fetching.contains { name.hasPrefix($0) }
        }
    }

    /// Whether something inside reports a failure: passes on an error, throws, or calls a
    /// completion.
    var reportsFailure: Bool {
        descendants.contains { node in
            if node.is(ThrowStmtSyntax.self) { return true }
            if let token = node.as(TokenSyntax.self) {
                let text = token.text.lowercased()
                return text.contains("error") && text != "error" || text == "failure"
                    || text == "error" && !node.isLogged
            }
            guard let call = node.as(FunctionCallExprSyntax.self) else { return false }
            let name = call.calledName?.lowercased() ?? ""
            return ["completion", "resume", "callback", "handler", "reject", "completionhandler"]
                .contains(name)
        }
    }

    private var isLogged: Bool {
        var node = self
        while let outer = node.parent {
            if let call = outer.as(FunctionCallExprSyntax.self) {
                return PermissionVocabulary.logs.contains(call.calledName ?? "")
            }
            node = outer
        }
        return false
    }
}

extension SyntaxProtocol {
    /// Returns whether this node is in an `if` or `switch` that follows another node.
    func isConditional(after other: some SyntaxProtocol) -> Bool {
        var node = Syntax(self)
        while let outer = node.parent, !other.isInside(outer) {
            if outer.is(IfExprSyntax.self) || outer.is(SwitchExprSyntax.self) { return true }
            node = outer
        }
        return false
    }
}

extension CodeBlockItemListSyntax {
    /// All descendants, in source order.
    var descendantsOfStatements: Descendants { Syntax(self).descendants }
}
