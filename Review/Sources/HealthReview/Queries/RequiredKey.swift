import HealthEngine
import SwiftSyntax

/// A metadata key that HealthKit requires for a type's samples, and the search for it in code.
struct RequiredKey {
    /// The key's text: `HKMenstrualCycleStart`.
    let text: String
    /// The name of its constant: `HKMetadataKeyMenstrualCycleStart`.
    let constant: String

    init(_ text: String) {
        self.text = text
        constant = "HKMetadataKey" + (text.hasPrefix("HK") ? String(text.dropFirst(2)) : text)
    }

    /// Returns whether a sample's metadata certainly lacks the key, at least in one case.
    func isMissing(in metadata: ExprSyntax?, of call: FunctionCallExprSyntax, _ target: Target)
        -> Bool
    {
        guard let metadata else { return true }
        let name = metadata.bare.ownName
        let body = Syntax(call.enclosingFunction)
        switch setting(of: name, in: body, before: call, target) {
        case .always: return false
        case .sometimes where target.beginsAsNil(metadata): return true
        case .sometimes, .never: break
        }
        return target.origins(of: metadata).contains { origin in
            guard isWithout(origin, target) else { return false }
            let body = origin.enclosingFunction
            let variable = origin.enclosing(PatternBindingSyntax.self)?.boundName
            return setting(of: variable ?? name, in: body, before: call, target) != .always
        }
    }

    /// Returns whether code mentions the key.
    func isMentioned(in node: some SyntaxProtocol) -> Bool {
        Syntax(node).descendants.contains { isKey($0) }
    }

    private func isKey(_ node: Syntax) -> Bool {
        if let name = node.as(DeclReferenceExprSyntax.self) {
            return name.baseName.text == constant
        }
        return node.as(ExprSyntax.self)?.plainString == text
    }

    /// Returns whether a value is nil or a literal without the key.
    private func isWithout(_ origin: ExprSyntax, _ target: Target) -> Bool {
        if origin.is(NilLiteralExprSyntax.self) { return true }
        guard let dictionary = origin.as(DictionaryExprSyntax.self) else { return false }
        guard case .elements(let elements) = dictionary.content else { return true }
        return elements.allSatisfy { isOther($0.key, target) }
    }

    /// Returns whether a key certainly is another one: a constant of HealthKit or a text.
    private func isOther(_ key: ExprSyntax, _ target: Target) -> Bool {
        target.origins(of: key).allSatisfy { origin in
            if let plain = origin.plainString { return plain != text }
            guard let name = origin.as(DeclReferenceExprSyntax.self)?.baseName.text else {
                return false
            }
            return name.hasPrefix("HKMetadataKey") && name != constant
        }
    }

    private enum Setting {
        case never, sometimes, always
    }

    /// Returns whether a body sets the key in a variable: always, or in an `if` without `else`.
    /// What isn't known counts as always.
    private func setting(
        of variable: String?, in body: Syntax, before call: FunctionCallExprSyntax, _ target: Target
    ) -> Setting {
        guard let variable else { return .never }
        var places: [Syntax] = []
        for node in body.descendants {
            if let access = node.as(SubscriptCallExprSyntax.self),
                access.calledExpression.bare.ownName == variable,
                let key = access.arguments.first?.expression, !isOther(key, target)
            {
                places.append(node)
            } else if let assignment = node.as(SequenceExprSyntax.self).flatMap({ Assignment($0) }),
                assignment.ownName == variable,
                !assignment.value.allSatisfy({ isWithout($0.bare, target) })
            {
                places.append(node)
            } else if let made = node.as(FunctionCallExprSyntax.self),
                ["merge", "updateValue"].contains(made.calledName),
                made.base?.bare.ownName == variable
            {
                return .always
            } else if let shared = node.as(InOutExprSyntax.self),
                shared.expression.bare.ownName == variable
            {
                return .always
            }
        }
        guard let place = places.first else { return .never }
        return places.count == 1 && isConditional(place, before: call) ? .sometimes : .always
    }

    /// Returns whether a statement stands in an `if` without an `else`, outside of which the sample
    /// is made, and whose condition isn't about the sample's type.
    private func isConditional(_ place: Syntax, before call: FunctionCallExprSyntax) -> Bool {
        guard let branch = place.enclosing(IfExprSyntax.self), branch.elseBody == nil,
            branch.parent?.parent?.is(IfExprSyntax.self) != true,
            branch.parent?.is(IfExprSyntax.self) != true,
            place.isInside(branch.body), !call.isInside(branch)
        else { return false }
        let names = branch.conditions.all(DeclReferenceExprSyntax.self).map {
            $0.baseName.text.lowercased()
        }
        return !names.contains {
            $0.contains("type") || $0.contains("kind") || $0.contains("ident")
        }
    }
}

extension Target {
    /// Returns whether a value is a `var` without an initial value, which begins as nil.
    fileprivate func beginsAsNil(_ metadata: ExprSyntax) -> Bool {
        guard case .variable(let binding, let declaration) = binding(of: metadata) else {
            return false
        }
        return !declaration.isConstant && binding.initializer == nil
            && binding.accessorBlock == nil
    }
}
