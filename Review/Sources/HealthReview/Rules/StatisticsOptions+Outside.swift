import HealthEngine
import SwiftSyntax

/// Options that are chosen apart from the type: both come over a bridge, or out of tables.
extension StatisticsOptions {
    /// Reports a query whose options may be for sums and for averages, or are fixed, although its
    /// type is named outside, and nothing asks for the type's aggregation style.
    func reviewOpen(
        _ query: HealthQuery, _ options: ExprSyntax, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) {
        let function = query.call.enclosingFunction
        guard let type = query.measuredType, !function.asksForStyle else { return }
        let names = possibleNames(options, target)
        let sums = names.contains("cumulativeSum")
        let isDiscrete = !names.isDisjoint(with: ["discreteAverage", "discreteMin", "discreteMax"])
        guard sums || isDiscrete, !isAsked(before: function, options, target) else { return }
        guard !target.dependsOnType(type, options, function) else { return }
        let types = target.sampleTypes(of: type).known
        let isMixed = types.contains(where: \.isCumulative) && types.contains(where: \.isDiscrete)
        let isOutside = target.isNamedOutside(type)
        guard isOutside || isMixed && !target.isEnumerated(type) else { return }
        let kind = sums && isDiscrete ? "options that don't fit it" : sums ? "a sum" : "an average"
        report.add(
            "HealthKit ends the app when the caller names a type that can't have \(kind): choose "
                + "the options by `aggregationStyle`", at: options, in: file, severity: .warning)
    }

    /// Returns whether a caller, or the function that makes the options, asks for the style.
    private func isAsked(
        before function: Syntax, _ options: ExprSyntax, _ target: Target
    ) -> Bool {
        var bodies: [Syntax] = []
        if let declaration = function.as(FunctionDeclSyntax.self) {
            bodies += target.calls(of: declaration).prefix(20).map(\.call.enclosingFunction)
        }
        for origin in target.origins(of: options, calls: .notFollowed) {
            if let call = origin.as(FunctionCallExprSyntax.self),
                let maker = target.function(calledBy: call)
            {
                bodies.append(Syntax(maker))
            } else if let member = origin.as(MemberAccessExprSyntax.self), member.base != nil,
                !ExprSyntax(member).isRootedInType
            {
                return true
            }
        }
        return bodies.contains(where: \.asksForStyle)
    }

    /// Returns the options that a value may have, whatever they depend on.
    private func possibleNames(_ options: ExprSyntax, _ target: Target) -> Set<String> {
        var nodes: [Syntax] = []
        if let name = options.bare.as(DeclReferenceExprSyntax.self)?.baseName.text,
            case .variable(let binding, let declaration) = target.binding(name, at: options),
            declaration.memberOf == nil,
            let block = declaration.enclosing(CodeBlockItemListSyntax.self)
        {
            nodes = binding.initializer.map { [Syntax($0)] } ?? []
            nodes += block.all(FunctionCallExprSyntax.self).filter {
                ["insert", "formUnion"].contains($0.calledName) && $0.base?.bare.ownName == name
            }.map { Syntax($0) }
            nodes += target.assignments(to: binding, declaration).map { Syntax($0.node) }
        }
        for origin in target.origins(of: options, calls: .notFollowed) {
            nodes.append(Syntax(origin))
            if let call = origin.as(FunctionCallExprSyntax.self),
                let maker = target.function(calledBy: call)
            {
                nodes.append(Syntax(maker))
            } else if let element = origin.as(SubscriptCallExprSyntax.self) {
                nodes += target.origins(of: element.calledExpression).map { Syntax($0) }
            }
        }
        let known = ["cumulativeSum", "discreteAverage", "discreteMin", "discreteMax"]
        return Set(
            nodes.flatMap { $0.all(MemberAccessExprSyntax.self) }.map(\.declName.baseName.text)
        ).intersection(known)
    }
}

extension HealthQuery {
    /// The expression of the only type that statistics are calculated for.
    fileprivate var measuredType: ExprSyntax? {
        call.argument("quantityType")
            ?? call.argument("predicate")?.bare.as(FunctionCallExprSyntax.self)?.argument("type")
    }
}

extension Target {
    /// Returns whether a type is made of a text that the target doesn't know:
    /// `HKQuantityTypeIdentifier(rawValue: name)`.
    fileprivate func isNamedOutside(_ type: ExprSyntax) -> Bool {
        ValueSearch.values(of: type, self).contains { value in
            guard let call = value.expression.as(FunctionCallExprSyntax.self),
                let identifier = call.argument("forIdentifier") ?? call.unlabelledArgument(0)
            else { return false }
            return ValueSearch.values(of: identifier, in: value.calls, self).contains { value in
                guard let made = value.expression.as(FunctionCallExprSyntax.self),
                    let text = made.argument("rawValue")
                else { return false }
                return ValueSearch.values(of: text, in: value.calls, self).contains {
                    $0.expression.plainString == nil && !$0.expression.isRootedInType
                }
            }
        }
    }

    /// Returns whether the options are chosen by the type, or the type is looked up in a list.
    fileprivate func dependsOnType(
        _ type: ExprSyntax, _ options: ExprSyntax, _ function: Syntax
    ) -> Bool {
        let names = relatedNames(type)
        func mentions(_ node: some SyntaxProtocol) -> Bool {
            node.all(DeclReferenceExprSyntax.self).contains { names.contains($0.baseName.text) }
        }
        if mentions(options) { return true }
        if case .variable(let binding, _) = binding(of: options), let value = binding.initializer,
            mentions(value)
        {
            return true
        }
        return function.descendants.contains { node in
            switch node.as(SyntaxEnum.self) {
            case .switchExpr(let choice): choice.namesOption && mentions(choice.subject)
            case .ifExpr(let choice): choice.body.namesOption && mentions(choice.conditions)
            case .unresolvedTernaryExpr: node.parent.map { $0.namesOption && mentions($0) } ?? false
            case .functionCallExpr(let call):
                call.calledName == "contains" && mentions(call.arguments)
            default: false
            }
        }
    }

    /// Returns the names that a type is made of: `type`, `identifier`, `name`.
    private func relatedNames(_ type: ExprSyntax) -> Set<String> {
        var names: Set<String> = []
        var pending = [type]
        while let next = pending.popLast(), names.count < 20 {
            for reference in next.all(DeclReferenceExprSyntax.self) {
                let name = reference.baseName.text
                guard name.first?.isUppercase == false, names.insert(name).inserted else {
                    continue
                }
                switch binding(name, at: reference) {
                case .unwrapped(let value): pending.append(value)
                case .variable(let binding, let declaration) where declaration.memberOf == nil:
                    if let value = binding.initializer?.value { pending.append(value) }
                default: continue
                }
            }
        }
        return names
    }

    /// Returns whether a type comes from an enum's member, whose other members may say what is
    /// summed.
    fileprivate func isEnumerated(_ type: ExprSyntax) -> Bool {
        origins(of: type, calls: .notFollowed).contains { origin in
            origin.all(MemberAccessExprSyntax.self).contains { member in
                member.base.flatMap { typeName(of: $0) }.map { isDeclared($0, as: [.enum]) }
                    ?? false
            }
        }
    }
}

extension Syntax {
    /// Whether anything inside asks how a type is aggregated: `aggregationStyle`, `isCumulative`.
    fileprivate var asksForStyle: Bool {
        all(TokenSyntax.self).contains { token in
            guard case .identifier(let text) = token.tokenKind else { return false }
            let name = text.lowercased()
            let words = text.camelCaseWords
            return words.contains("aggregation")
                || words.contains(where: { $0.hasPrefix("aggregat") })
                    && words.contains(where: { ["style", "kind", "type", "method"].contains($0) })
                || name.contains("cumulative") && name != "cumulativesum"
                || name.contains("discrete")
                    && !["discreteaverage", "discretemin", "discretemax"].contains(name)
        }
    }
}

extension SyntaxProtocol {
    /// Whether a statistics option is named inside.
    fileprivate var namesOption: Bool {
        all(MemberAccessExprSyntax.self).contains {
            ["cumulativeSum", "discreteAverage", "discreteMin", "discreteMax"]
                .contains($0.declName.baseName.text)
        }
    }
}
