import SwiftSyntax

extension ValueSearch {
    /// Returns what a member of a value can be: an argument of the value's construction, an element
    /// of a tuple, the result of a getter, or an enum's raw values.
    mutating func member(
        of access: MemberAccessExprSyntax, _ calls: [KnownCall]
    ) -> [KnownValue]? {
        guard let base = access.base?.bare else { return nil }
        let name = access.declName.baseName.text
        guard level < Self.maximumLevel else { return nil }
        var search = ValueSearch(target)
        (search.steps, search.level) = (steps + 1, level + 1)
        search.follow([KnownValue(expression: base, calls: calls)])
        steps = search.steps
        let owners = search.found
        let direct = owners.flatMap { member(name, ofConstructed: $0) }
        if !direct.isEmpty, owners.allSatisfy({ !member(name, ofConstructed: $0).isEmpty }) {
            return direct
        }
        guard let type = typeName(of: base, owners) else { return onlyMember(name) }
        if name == "rawValue" { return rawValues(of: type, owners) }
        return values(ofMember: name, type, owners)
    }

    func member(_ name: String, ofConstructed owner: KnownValue) -> [KnownValue] {
        if let tuple = owner.expression.as(TupleExprSyntax.self) {
            let elements = Array(tuple.elements)
            let place = Int(name) ?? elements.firstIndex { $0.label?.text == name }
            guard let place, elements.indices.contains(place) else { return [] }
            return [KnownValue(expression: elements[place].expression, calls: owner.calls)]
        }
        guard let call = owner.expression.as(FunctionCallExprSyntax.self) else { return [] }
        let type = call.constructedName
        let label = type.map { target.initializerLabel(ofMember: name, in: $0) } ?? name
        return call.argument(label).map { [KnownValue(expression: $0, calls: owner.calls)] } ?? []
    }

    /// Returns the name of the target's type that a value has.
    func typeName(of base: ExprSyntax, _ owners: [KnownValue]) -> String? {
        for owner in owners {
            let expression = owner.expression
            if let call = expression.as(FunctionCallExprSyntax.self),
                let name = call.constructedName, !target.types(name).isEmpty
            {
                return name
            }
            if let member = expression.as(MemberAccessExprSyntax.self),
                let name = member.base?.bare.lastName, !target.types(name).isEmpty
            {
                return name
            }
        }
        if let name = target.typeName(of: base), !target.types(name).isEmpty { return name }
        if let name = target.elementTypeName(of: base), !target.types(name).isEmpty { return name }
        let list = target.collection(of: base)?.bare.as(MemberAccessExprSyntax.self)
        guard list?.declName.baseName.text == "allCases" else { return nil }
        return list?.base?.bare.lastName.flatMap { target.types($0).isEmpty ? nil : $0 }
    }

    func values(
        ofMember name: String, _ type: String, _ owners: [KnownValue]
    ) -> [KnownValue]? {
        guard case .variable(let binding, _) = target.member(name, of: type) else { return nil }
        if let getter = binding.getterStatements {
            let cases = owners.map { $0.expression.as(MemberAccessExprSyntax.self)?.lastCase }
            let branches = getter.branches(for: cases, in: target)
            return (branches ?? target.results(of: getter)).map { KnownValue(expression: $0) }
        }
        if let value = binding.initializer?.value { return [KnownValue(expression: value)] }
        return constructions(of: type, settingMember: name)
    }

    /// Returns the results of the only getter with this name, if it returns a type or identifier of
    /// HealthKit.
    func onlyMember(_ name: String) -> [KnownValue]? {
        guard let members = target.index.computed[name], members.count == 1,
            members[0].typeAnnotation?.type.elementName?.hasPrefix("HK") == true,
            let getter = members[0].getterStatements
        else { return nil }
        return target.results(of: getter).map { KnownValue(expression: $0) }
    }

    func rawValues(of type: String, _ owners: [KnownValue]) -> [KnownValue]? {
        let names = owners.map { $0.expression.as(MemberAccessExprSyntax.self)?.lastCase }
        var values: [KnownValue] = []
        for block in target.types(type) where block.kind == .enum {
            for element in block.node.memberBlock.members
                .compactMap({ $0.decl.as(EnumCaseDeclSyntax.self) }).flatMap(\.elements)
            where names.contains(nil) || names.contains(element.name.text) {
                guard let value = element.rawValue?.value else { return nil }
                values.append(KnownValue(expression: value))
            }
        }
        return values
    }

    /// Returns the values that the constructions of a type give to a member.
    func constructions(of type: String, settingMember name: String) -> [KnownValue]? {
        constructions(of: type, target.initializerLabel(ofMember: name, in: type))
    }

    func constructions(of type: String, _ label: String) -> [KnownValue]? {
        let named = target.index.calls[type] ?? []
        let implied = target.index.initializerCalls(of: type)
        guard named.count + implied.count < 1000 else { return nil }
        return (named + implied).prefix(200).compactMap { call in
            call.argument(label).map { KnownValue(expression: $0) }
        }
    }
}

extension MemberAccessExprSyntax {
    /// The name of a case: `steps` in `.steps` and `Metric.steps`.
    fileprivate var lastCase: String? {
        guard base == nil || base?.bare.lastName?.first?.isUppercase == true else { return nil }
        return declName.baseName.text
    }
}

extension CodeBlockItemListSyntax {
    /// Returns the results of the branches of an only `switch` that match cases; nil if a case
    /// isn't known or has no branch of its own.
    fileprivate func branches(for cases: [String?], in target: Target) -> [ExprSyntax]? {
        guard !cases.isEmpty, count == 1,
            let choice = first?.item.as(ExpressionStmtSyntax.self)?.expression
                .as(SwitchExprSyntax.self) ?? first?.item.as(SwitchExprSyntax.self)
                ?? first?.item.as(ReturnStmtSyntax.self)?.expression?.as(SwitchExprSyntax.self)
        else { return nil }
        var results: [ExprSyntax] = []
        for name in cases {
            let branch = choice.cases.compactMap { $0.as(SwitchCaseSyntax.self) }.first {
                guard let name, case .case(let label) = $0.label else { return false }
                return label.all(MemberAccessExprSyntax.self).contains {
                    $0.declName.baseName.text == name
                }
            }
            guard let branch else { return nil }
            results += target.results(of: branch.statements)
        }
        return results
    }
}

extension Target {
    /// Returns the label of the initializer's parameter that a member is set to: the member's own
    /// name, unless an initializer of the type assigns another parameter.
    fileprivate func initializerLabel(ofMember name: String, in type: String) -> String {
        for assignment in index.assignments[name] ?? []
        where assignment.node.enclosingTypeName == type {
            guard let value = assignment.singleValue?.bare.ownName,
                let initializer = assignment.node.enclosing(InitializerDeclSyntax.self),
                let parameter = initializer.signature.parameterClause.parameters.first(where: {
                    $0.ownName == value
                })
            else { continue }
            return parameter.firstName.text
        }
        return name
    }
}
