import SwiftSyntax

extension ValueSearch {
    /// Returns the entries of a table of constants: all, or the one under a literal key.
    func entries(
        of call: SubscriptCallExprSyntax, _ calls: [KnownCall]
    ) -> [KnownValue]? {
        guard let key = call.arguments.first?.expression.bare, call.arguments.first?.label == nil
        else { return nil }
        let tables = target.origins(of: call.calledExpression, calls: .notFollowed)
        guard tables.count == 1, tables[0].isInConstant else { return nil }
        if let array = tables[0].as(ArrayExprSyntax.self) {
            return array.elements.map { KnownValue(expression: $0.expression, calls: calls) }
        }
        guard let entries = tables[0].as(DictionaryExprSyntax.self)?.entries else { return nil }
        let matching = entries.filter { $0.key.trimmedDescription == key.trimmedDescription }
        let isLiteral = key.plainString != nil || key.isRootedInType
        return (isLiteral && !matching.isEmpty ? matching : entries).map {
            KnownValue(expression: $0.value, calls: calls)
        }
    }

    /// Returns what a closure's parameter receives from the list that its method goes through.
    mutating func elements(
        of closure: ClosureExprSyntax, _ place: Int, _ calls: [KnownCall]
    ) -> [KnownValue]? {
        guard let list = closure.collection(ofParameter: 0) else { return nil }
        let known = KnownValue(expression: list, calls: calls)
        if closure.parameter(1) != nil, closure.signature?.parameterClause != nil {
            return parts(ofElementsOf: known, place)
        }
        return closure.collection(ofParameter: place) == nil ? nil : elements(of: known)
    }

    /// Returns the keys or the values of a table's entries, or the parts of a list's tuples.
    mutating func parts(ofElementsOf list: KnownValue, _ place: Int) -> [KnownValue]? {
        let tables = target.origins(of: list.expression, calls: .notFollowed)
        if tables.count == 1, let entries = tables[0].as(DictionaryExprSyntax.self)?.entries {
            return entries.map {
                KnownValue(expression: place == 0 ? $0.key : $0.value, calls: list.calls)
            }
        }
        return elements(of: list)?.flatMap { parts(of: $0, place) }
    }

    /// Returns a part of a tuple, or of an entry of a dictionary.
    func parts(of value: KnownValue, _ place: Int) -> [KnownValue] {
        target.origins(of: value.expression).compactMap { origin in
            guard let elements = origin.as(TupleExprSyntax.self).map({ Array($0.elements) }),
                elements.indices.contains(place)
            else { return nil }
            return KnownValue(expression: elements[place].expression, calls: value.calls)
        }
    }

    /// Returns the elements of a list. Those that are only reached through a name aren't followed.
    mutating func elements(of list: KnownValue) -> [KnownValue]? {
        guard level < Self.maximumLevel else { return nil }
        level += 1
        defer { level -= 1 }
        var all: [KnownValue] = []
        var lists = [list]
        while let next = lists.popLast() {
            all += inserted(to: next)
            for origin in target.origins(of: next.expression, calls: .notFollowed) {
                steps += 1
                guard steps < Self.maximumSteps else { return nil }
                let leaf = KnownValue(expression: origin, calls: next.calls)
                if origin.is(NilLiteralExprSyntax.self) { continue }
                if let array = origin.as(ArrayExprSyntax.self) {
                    all += array.elements.map {
                        KnownValue(expression: $0.expression, calls: next.calls)
                    }
                } else if let call = origin.as(FunctionCallExprSyntax.self),
                    let (lists: inner, elements: made) = contents(ofListMadeBy: call, next.calls)
                {
                    lists += inner
                    all += made
                } else if let parts = origin.as(SequenceExprSyntax.self)?.summands {
                    lists += parts.map { KnownValue(expression: $0, calls: next.calls) }
                } else if let member = origin.as(MemberAccessExprSyntax.self),
                    let entries = entries(of: member, next.calls)
                {
                    all += entries
                } else if let values = further(leaf) {
                    lists += values
                } else {
                    return nil
                }
            }
        }
        return all
    }

    /// Returns the lists or the elements that a call makes a list from.
    mutating func contents(
        ofListMadeBy call: FunctionCallExprSyntax, _ calls: [KnownCall]
    ) -> (lists: [KnownValue], elements: [KnownValue])? {
        func known(_ expression: ExprSyntax) -> KnownValue {
            KnownValue(expression: expression, calls: calls)
        }
        switch call.calledName {
        case "map", "compactMap", "flatMap":
            guard let base = call.base else { return nil }
            if let closure = call.closures.first {
                return ([], target.results(of: closure.statements).map { known($0) })
            }
            guard let path = call.unlabelledArgument(0)?.as(KeyPathExprSyntax.self),
                path.components.count == 1,
                let component = path.components.first?.component
                    .as(KeyPathPropertyComponentSyntax.self),
                let owners = elements(of: known(base))
            else { return nil }
            let name = component.declName.baseName.text
            let values = owners.flatMap { owner in
                ValueSearch.values(of: owner.expression, in: owner.calls, target)
                    .flatMap { member(name, ofConstructed: $0) }
            }
            return values.isEmpty ? onlyMember(name).map { ([], $0) } : ([], values)
        case "filter", "sorted", "reversed", "prefix", "suffix", "dropFirst", "subtracting":
            return call.base.map { ([known($0)], []) }
        case "union":
            guard let base = call.base, let other = call.unlabelledArgument(0) else { return nil }
            return ([known(base), known(other)], [])
        default:
            let made =
                call.calledExpression.as(GenericSpecializationExprSyntax.self)?.expression
                .trimmedDescription ?? call.calledName
            guard let made, ["Set", "Array"].contains(made) else {
                // `[HKSampleType]()`
                return call.calledExpression.is(ArrayExprSyntax.self) && call.arguments.isEmpty
                    ? ([], []) : nil
            }
            guard let content = call.unlabelledArgument(0) else { return ([], []) }
            return ([known(content)], [])
        }
    }

    /// Returns the keys or the values of a dictionary: `table.values`.
    func entries(
        of member: MemberAccessExprSyntax, _ calls: [KnownCall]
    ) -> [KnownValue]? {
        guard ["keys", "values"].contains(member.declName.baseName.text), let base = member.base
        else { return nil }
        let tables = target.origins(of: base, calls: .notFollowed)
        guard tables.count == 1, let entries = tables[0].as(DictionaryExprSyntax.self)?.entries
        else { return nil }
        return entries.map { entry in
            let isKey = member.declName.baseName.text == "keys"
            return KnownValue(expression: isKey ? entry.key : entry.value, calls: calls)
        }
    }

    /// Returns the values inserted into a variable after its declaration.
    func inserted(to list: KnownValue) -> [KnownValue] {
        guard case .variable(let binding, let declaration) = target.binding(of: list.expression),
            !declaration.isConstant, let name = binding.boundName
        else { return [] }
        let scope = declaration.memberOf == nil ? list.expression.enclosingFunction : nil
        return ["insert", "append"].flatMap { target.index.calls[$0] ?? [] }.compactMap { call in
            guard let base = call.base, base.bare.lastName == name,
                (target.ownMemberName(base) ?? base.bare.ownName) == name,
                scope.map({ call.isInside($0) }) ?? true, let value = call.unlabelledArgument(0)
            else { return nil }
            return KnownValue(expression: value, calls: list.calls)
        }
    }
}

extension DictionaryExprSyntax {
    fileprivate var entries: [DictionaryElementSyntax]? {
        guard case .elements(let elements) = content else { return nil }
        return Array(elements)
    }
}

extension SequenceExprSyntax {
    /// The terms of `a + b`.
    fileprivate var summands: [ExprSyntax]? {
        let terms = Array(elements)
        guard terms.count >= 3, terms.count % 2 == 1,
            stride(from: 1, to: terms.count, by: 2).allSatisfy({
                terms[$0].as(BinaryOperatorExprSyntax.self)?.operator.text == "+"
            })
        else { return nil }
        return stride(from: 0, to: terms.count, by: 2).map { terms[$0] }
    }
}

extension ExprSyntax {
    /// Whether the literal is the value of a constant, or what a getter or function returns.
    fileprivate var isInConstant: Bool {
        var node = Syntax(self)
        while let outer = node.parent {
            if let declaration = outer.as(VariableDeclSyntax.self) {
                return declaration.isConstant
                    || declaration.bindings.first?.accessorBlock != nil
            }
            if outer.is(FunctionDeclSyntax.self) { return true }
            if outer.is(SequenceExprSyntax.self) { return false }
            node = outer
        }
        return false
    }
}
