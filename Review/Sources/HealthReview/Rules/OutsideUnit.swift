import SwiftSyntax

/// Reports a unit string that the code doesn't contain: `HKUnit(from: arguments["unit"])`.
struct OutsideUnit: Rule {
    let name = "outside-unit"
    let summary = "a unit string from outside the app, which ends it where HealthKit can't read it"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("HKUnit") {
            for call in file.uses.calls where call.arguments.count == 1 {
                guard let text = call.argument("from"), call.makesUnit,
                    !call.isInExceptionHandler,
                    let origin = target.outsideText(of: text)
                else { continue }
                report.add(
                    "the app ends where HealthKit can't read this unit from "
                        + "\(origin.rawValue), and Swift can't catch that: look the text up in a "
                        + "table of units you know",
                    at: call, in: file)
            }
        }
    }
}

/// Where a text comes from that the source doesn't show.
private enum OutsideText: String {
    case record = "a message or file"
    case bridge = "the code across the bridge"
    case settings = "stored settings"
}

extension Target {
    /// Returns the outside origin of a text; nil if there is none, if it is checked on the way or
    /// if that can't be determined.
    ///
    /// - Complexity: bounded: 40 steps.
    fileprivate func outsideText(of expression: ExprSyntax) -> OutsideText? {
        var pending = [(expression, 0)]
        var seen: Set<SyntaxIdentifier> = []
        var steps = 0
        while let (next, depth) = pending.popLast(), steps < 40 {
            steps += 1
            if isChecked(next) { continue }
            for origin in origins(of: next, calls: .notFollowed)
            where seen.insert(origin.id).inserted {
                if origin.id != next.id, isChecked(origin) { continue }
                if let found = outsideText(ofOrigin: origin) { return found }
                if let call = origin.as(FunctionCallExprSyntax.self), depth < 4,
                    let function = function(calledBy: call)
                {
                    pending += results(of: function).map { ($0, depth + 1) }
                }
                guard let name = origin.as(DeclReferenceExprSyntax.self)?.baseName.text,
                    case .parameter(let parameter) = binding(name, at: origin)
                else { continue }
                guard let function = parameter.function else { continue }
                if function.isBridged && parameter.type.baseName?.hasSuffix("String") == true {
                    return .bridge
                }
                guard depth < 4 else { continue }
                pending += calls(of: function).prefix(16).compactMap { call in
                    call.argument(for: parameter).map { ($0, depth + 1) }
                }
            }
        }
        return nil
    }

    private func outsideText(ofOrigin origin: ExprSyntax) -> OutsideText? {
        switch origin.as(ExprSyntaxEnum.self) {
        case .subscriptCallExpr(let call):
            guard call.arguments.first?.expression.bare.plainString != nil,
                call.arguments.count == 1, !isTable(call.calledExpression)
            else { return nil }
            return .record
        case .functionCallExpr(let call):
            switch call.calledName {
            case "getString": return call.unlabelledArgument(0) == nil ? nil : .bridge
            case "string", "object", "value":
                return call.argument("forKey") != nil && call.base.map(isDefaults) == true
                    ? .settings : nil
            case "nsString": return .bridge
            default: return nil
            }
        case .memberAccessExpr(let member):
            return isDecoded(member) ? .record : nil
        case .declReferenceExpr(let name):
            guard case .variable(_, let declaration) = binding(name.baseName.text, at: name) else {
                return nil
            }
            return declaration.attributes.names.contains("AppStorage") ? .settings : nil
        default: return nil
        }
    }

    /// Returns whether a dictionary is written in the target.
    private func isTable(_ expression: ExprSyntax) -> Bool {
        origins(of: expression).allSatisfy { $0.is(DictionaryExprSyntax.self) }
    }

    private func isDefaults(_ expression: ExprSyntax) -> Bool {
        expression.contains("UserDefaults")
            || typeName(of: expression) == "UserDefaults"
            || expression.bare.lastName?.lowercased().hasSuffix("defaults") == true
    }

    /// Returns whether a member belongs to a decoded type that the target never makes itself.
    private func isDecoded(_ member: MemberAccessExprSyntax) -> Bool {
        guard let base = member.base, !isSelf(base) else { return false }
        guard let type = typeName(of: base) ?? elementTypeName(of: base) else { return false }
        let inherited = inherited(by: type)
        guard !inherited.isDisjoint(with: ["Decodable", "Codable"]),
            isDeclared(type, as: [.struct, .class]),
            case .variable(let binding, _) = self.member(member.declName.baseName.text, of: type),
            binding.accessorBlock == nil, binding.initializer == nil,
            binding.declaredTypeName == "String"
        else { return false }
        return (index.calls[type] ?? []).isEmpty
    }

    /// Returns whether the function around a use checks the text: in a `switch`, a list of known
    /// texts, or a function that says so.
    private func isChecked(_ expression: ExprSyntax) -> Bool {
        guard let name = expression.bare.as(DeclReferenceExprSyntax.self)?.baseName.text else {
            return false
        }
        return Syntax(expression.enclosingFunction).descendants.contains { node in
            guard node.position < expression.position else { return false }
            if let choice = node.as(SwitchExprSyntax.self) { return choice.subject.mentions(name) }
            guard let call = node.as(FunctionCallExprSyntax.self), let called = call.calledName,
                call.arguments.contains(where: { $0.expression.mentions(name) })
            else { return false }
            let words = called.camelCaseWords
            return called == "contains"
                || words.contains {
                    ["valid", "validate", "validated", "supported", "known", "allowed", "check"]
                        .contains($0)
                }
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether a closure around the call is passed to something that catches exceptions.
    fileprivate var isInExceptionHandler: Bool {
        var node = parent
        while let outer = node, !outer.is(FunctionDeclSyntax.self) {
            if let call = outer.as(ClosureExprSyntax.self)?.receivingCall,
                let text = call.calledExpression.shortText?.lowercased(),
                text.contains("catch") || text.contains("exception")
            {
                return true
            }
            node = outer.parent
        }
        return false
    }
}

extension FunctionDeclSyntax {
    /// Whether code in another language calls the function.
    fileprivate var isBridged: Bool {
        attributes.contains { attribute in
            guard let attribute = attribute.as(AttributeSyntax.self) else { return false }
            return attribute.attributeName.baseName == "objc" && attribute.arguments != nil
        }
    }
}
