import SwiftSyntax

extension Target {
    /// Returns whether a call persists its argument: `defaults.set(data, forKey:)`,
    /// `data.write(to:)`, `saveAnchor(anchor)`.
    ///
    /// The body of a target's function is searched; other functions are classified by name.
    func keeps(_ call: FunctionCallExprSyntax, depth: Int = 0) -> Bool {
        guard depth < 4, let name = call.calledName, !call.isInLog else { return false }
        if let function = function(calledBy: call) {
            guard let body = function.body else { return Self.namesStoring(name, call) }
            return keeps(Syntax(body), depth: depth + 1)
        }
        return Self.namesStoring(name, call)
    }

    /// Returns whether anything inside a node is persisted.
    func keeps(_ node: Syntax, depth: Int = 0) -> Bool {
        node.descendants.contains { inner in
            if let call = inner.as(FunctionCallExprSyntax.self) { return keeps(call, depth: depth) }
            guard let sequence = inner.as(SequenceExprSyntax.self),
                let assignment = Assignment(sequence)
            else { return false }
            return keeps(assignment, depth: depth)
        }
    }

    /// Returns whether an assignment writes to UserDefaults, to `@AppStorage`, or to a property
    /// that does.
    func keeps(_ assignment: Assignment, depth: Int = 0) -> Bool {
        if assignment.target.all(DeclReferenceExprSyntax.self).contains(where: { name in
            ["UserDefaults", "defaults", "userDefaults"].contains(name.baseName.text)
        }) {
            return true
        }
        var member = assignment.target.ownName.flatMap { binding($0, at: assignment.node) }
        if member == nil, let access = assignment.target.bare.as(MemberAccessExprSyntax.self) {
            let name = access.declName.baseName.text
            let owner = access.base?.all(DeclReferenceExprSyntax.self).first?.baseName.text
            member =
                access.base.flatMap { typeName(of: $0) }.flatMap { self.member(name, of: $0) }
                ?? owner.flatMap { self.member(name, of: $0) }
        }
        if depth < 4, let element = assignment.target.bare.as(SubscriptCallExprSyntax.self),
            let type = typeName(of: element.calledExpression)
        {
            return types(type).contains { block in
                block.node.memberBlock.members.contains { member in
                    member.decl.as(SubscriptDeclSyntax.self)?.setter.map {
                        keeps(Syntax($0), depth: depth + 1)
                    } ?? false
                }
            }
        }
        guard depth < 4, case .variable(let binding, let declaration) = member else { return false }
        if declaration.attributes.storageKey != nil { return true }
        guard declaration.memberOf != nil, let accessors = binding.accessorBlock,
            case .accessors(let list) = accessors.accessors
        else { return false }
        return list.contains { accessor in
            accessor.accessorSpecifier.tokenKind != .keyword(.get)
                && accessor.body.map { keeps(Syntax($0), depth: depth + 1) } ?? false
        }
    }

    private static func namesStoring(_ name: String, _ call: FunctionCallExprSyntax) -> Bool {
        guard name.first?.isUppercase != true else {
            return name.hasPrefix("SecItem") && name != "SecItemCopyMatching"
        }
        let words = name.camelCaseWords
        guard let verb = words.first, words != ["archived", "data"] else { return false }
        if ["save", "store", "persist", "write", "archive", "remember"].contains(verb) {
            return true
        }
        if name == "set" || name == "setValue" || name == "setObject" {
            if call.argument("forKey") != nil { return true }
        }
        guard
            ["set", "update", "put", "record", "advance", "keep", "commit", "cache"].contains(verb)
        else {
            return false
        }
        return words.contains("anchor")
            || call.arguments.contains {
                $0.label?.text.camelCaseWords.contains("anchor") == true
            }
    }
}

extension FunctionCallExprSyntax {
    fileprivate var isInLog: Bool { Syntax(self).isLogEntry }
}

extension SubscriptDeclSyntax {
    fileprivate var setter: AccessorDeclSyntax? {
        guard case .accessors(let list) = accessorBlock?.accessors else { return nil }
        return list.first { $0.accessorSpecifier.tokenKind != .keyword(.get) }
    }
}
