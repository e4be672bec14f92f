import SwiftSyntax

extension Target {
    /// Returns what a name or an own member refers to: `query`, `self.query`, `self?.query`, and
    /// `strong.query` after `guard let strong = self`; nil for members of other values.
    func binding(of expression: ExprSyntax) -> Binding? {
        let bare = expression.bare
        if let name = bare.as(DeclReferenceExprSyntax.self) {
            return binding(name.baseName.text, at: name)
        }
        guard let name = ownMemberName(bare), let type = bare.enclosingTypeName else { return nil }
        return member(name, of: type)
    }

    /// Returns the own member's name: `query` in `self.query`, `Self.query`, and `strong.query`
    /// after `guard let strong = self`.
    func ownMemberName(_ expression: ExprSyntax) -> String? {
        guard let member = expression.bare.as(MemberAccessExprSyntax.self), let base = member.base,
            isSelf(base)
        else { return nil }
        return member.declName.baseName.text
    }

    /// Returns whether an expression is `self`, under any name.
    func isSelf(_ expression: ExprSyntax) -> Bool {
        let bare = expression.bare
        if bare.isOwn { return true }
        guard let name = bare.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
        switch binding(name, at: bare) {
        case .unwrapped(let value): return value.bare.isOwn
        case .variable(let binding, _): return binding.initializer?.value.bare.isOwn ?? false
        default: return false
        }
    }

    /// Returns the function that a value names: `handle`, `self.handle`, `handle(_:samples:)`; nil
    /// if several have that name.
    func function(named expression: ExprSyntax) -> FunctionDeclSyntax? {
        guard case .function(let function) = binding(of: expression) else { return nil }
        return function
    }

    /// Returns the name of a value's type from its declaration: by annotation or construction. For
    /// a member of another value, the target must declare that value's type.
    func typeName(of expression: ExprSyntax) -> String? {
        var path: [String] = []
        var current = expression.bare
        while let member = current.as(MemberAccessExprSyntax.self), let base = member.base?.bare,
            path.count < 4, !isSelf(base)
        {
            path.append(member.declName.baseName.text)
            current = base
        }
        var name = ownTypeName(of: current)
        while let part = path.popLast() {
            guard let type = name, case .variable(let binding, _) = member(part, of: type) else {
                return nil
            }
            name = binding.declaredTypeName ?? initialTypeName(of: binding)
        }
        return name
    }

    private func ownTypeName(of bare: ExprSyntax) -> String? {
        if isSelf(bare) { return bare.enclosingTypeName }
        if let call = bare.as(FunctionCallExprSyntax.self), let name = call.constructedName,
            name.first?.isUppercase == true
        {
            return name
        }
        switch binding(of: bare) {
        case .variable(let binding, _):
            return binding.declaredTypeName ?? initialTypeName(of: binding)
        case .parameter(let parameter): return parameter.type.baseName
        case .unwrapped(let value): return initialTypeName(of: value.bare)
        default:
            // `Shared.store`: the base is a type.
            let type = bare.as(DeclReferenceExprSyntax.self)?.baseName.text
            return type.flatMap { types($0).isEmpty ? nil : $0 }
        }
    }

    private func initialTypeName(of binding: PatternBindingSyntax) -> String? {
        binding.initializer.flatMap { initialTypeName(of: $0.value.bare) }
    }

    /// Resolves one step only, so that cyclic names end.
    private func initialTypeName(of value: ExprSyntax) -> String? {
        if let call = value.as(FunctionCallExprSyntax.self), let name = call.constructedName {
            return name.first?.isUppercase == true ? name : nil
        }
        guard case .variable(let binding, _) = binding(of: value) else { return nil }
        if let name = binding.declaredTypeName { return name }
        let call = binding.initializer?.value.bare.as(FunctionCallExprSyntax.self)
        return call?.constructedName.flatMap { $0.first?.isUppercase == true ? $0 : nil }
    }

    /// Returns the collection that a name iterates over: `types` for `type` in `for type in types`
    /// and in `types.allSatisfy { type in … }`.
    func collection(of expression: ExprSyntax) -> ExprSyntax? {
        switch binding(of: expression) {
        case .element(let sequence, _): return sequence
        case .closureParameter(let closure, 0):
            guard let call = closure.receivingCall,
                FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
            else { return nil }
            return call.base
        default: return nil
        }
    }

    /// Returns whether the target declares a type as one of the kinds.
    func isDeclared(_ type: String, as kinds: Set<TypeBlock.Kind>) -> Bool {
        types(type).contains { kinds.contains($0.kind) }
    }

    /// Returns whether a type is a view or a view controller.
    func isScreen(_ type: String) -> Bool {
        inherited(by: type).contains { name in
            name == "View" || name.hasSuffix("ViewController") || name == "UIView"
                || name.hasSuffix("InterfaceController")
        }
    }

    /// Returns whether a type is a SwiftUI view.
    func isView(_ type: String) -> Bool { inherited(by: type).contains("View") }

    /// Returns the superclasses and protocols of a type, from all its declarations and those of its
    /// superclasses in the target.
    func inherited(by type: String) -> Set<String> {
        var all: Set<String> = []
        var pending = [type]
        while let next = pending.popLast() {
            for name in typeMembers(next)?.inherited ?? [] where all.insert(name).inserted {
                pending.append(name)
            }
        }
        return all
    }
}

extension PatternBindingSyntax {
    /// The annotated type's name: `Store` in `let store: Store?`.
    var declaredTypeName: String? { typeAnnotation?.type.baseName }
}

extension VariableDeclSyntax {
    var isStatic: Bool { modifiers.areStatic }
}

extension DeclModifierListSyntax {
    /// Whether the modifiers include `static` or `class`.
    var areStatic: Bool { contains { ["static", "class"].contains($0.name.text) } }
}

extension SyntaxProtocol {
    /// Returns whether two nodes are in different branches of one `if` or `switch`, so that only
    /// one is reached.
    func isAlternative(to other: some SyntaxProtocol) -> Bool {
        var inner = Syntax(self)
        while let outer = inner.parent {
            if other.isInside(outer) {
                if outer.is(SwitchCaseListSyntax.self) { return true }
                guard let branch = outer.as(IfExprSyntax.self), let last = branch.elseBody else {
                    return false
                }
                return [self.isInside(branch.body), other.isInside(branch.body)].contains(true)
                    && [self.isInside(last), other.isInside(last)].contains(true)
            }
            inner = outer
        }
        return false
    }
}
