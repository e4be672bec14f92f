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

    /// Whether a value mentions an authorization result: `success ? .authorized : .denied`. Errors
    /// like `.failure(HealthError.denied)` don't count.
    var saysPermission: Bool {
        let answers = all(MemberAccessExprSyntax.self).filter { member in
            PermissionVocabulary.answers.contains(member.declName.baseName.text)
                && member.base?.bare.lastName?.hasSuffix("Error") != true
                && member.enclosing(FunctionCallExprSyntax.self)?.calledName != "failure"
        }
        return !answers.isEmpty || Syntax(self).indicatesPermission
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

    /// Whether something inside passes an answer on: `completion(.granted)`. Errors don't count.
    var passesAnswer: Bool {
        all(LabeledExprSyntax.self).contains { argument in
            guard let member = argument.expression.as(MemberAccessExprSyntax.self),
                member.base == nil, Self.passed.contains(member.declName.baseName.text),
                let call = argument.enclosing(FunctionCallExprSyntax.self)
            else { return false }
            return !PermissionVocabulary.logs.contains(call.calledName ?? "")
                && call.calledName?.hasSuffix("Error") != true
                && call.argument("throwing") == nil
        }
    }

    private static let passed: Set<String> = ["authorized", "authorised", "granted", "allowed"]

    /// Returns whether the node names the flag as an answer: `"granted": success` in a dictionary,
    /// or `granted: success` in a call into another module.
    func namesAnswer(of flag: Flag) -> Bool {
        if let element = self.as(DictionaryElementSyntax.self) {
            guard let key = element.key.bare.plainString, flag.isValue(element.value, at: self)
            else { return false }
            return PermissionVocabulary.isPermission(key)
        }
        guard let argument = self.as(LabeledExprSyntax.self), let label = argument.label?.text,
            PermissionVocabulary.isPermission(label), flag.isValue(argument.expression, at: self),
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
            let name = call.calledName
        else { return false }
        return name.first?.isUppercase == true && !name.hasSuffix("Error")
    }
}

extension Flag {
    /// Returns whether a value is the flag, or `true` where the flag was tested.
    fileprivate func isValue(_ value: ExprSyntax, at node: Syntax) -> Bool {
        if value.mentions(name) { return true }
        let literal = value.bare.as(BooleanLiteralExprSyntax.self)?.literal
        return literal?.tokenKind == .keyword(.true) && isPassed(at: node)
    }
}

extension SequenceExprSyntax {
    /// Returns whether this is `success ? "granted" : "denied"` and not a log entry.
    func saysAnswer(of flag: Flag) -> Bool {
        guard
            elements.first?.mentions(flag.name) == true
                || elements.contains(where: {
                    $0.is(UnresolvedTernaryExprSyntax.self) == false && $0.mentions(flag.name)
                }), elements.contains(where: { $0.is(UnresolvedTernaryExprSyntax.self) }),
            enclosingAssignment == nil, !Syntax(self).isLogEntry
        else { return false }
        let call = enclosing(FunctionCallExprSyntax.self)
        guard !PermissionVocabulary.logs.contains(call?.calledName ?? "") else { return false }
        return ExprSyntax(self).saysPermission
    }

    private var enclosingAssignment: Assignment? {
        enclosing(SequenceExprSyntax.self).flatMap { Assignment($0) }
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
