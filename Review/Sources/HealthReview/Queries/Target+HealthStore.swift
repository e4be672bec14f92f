import SwiftSyntax

extension Target {
    /// Whether an expression is an `HKHealthStore`: by its declaration or, where that can't be seen, by
    /// a name that leaves no doubt. `store` alone may be anything that deletes.
    func isHealthStore(_ expression: ExprSyntax) -> Bool {
        let bare = expression.bare
        if let type = typeName(of: bare) { return type == "HKHealthStore" }
        guard let name = bare.lastName else { return false }
        if let type = bare.firstName, bare.isRootedInType,
            case .variable(let binding, _) = member(name, of: type)
        {
            let made = binding.initializer?.value.bare.as(FunctionCallExprSyntax.self)
            let declared = binding.typeAnnotation?.type.baseName ?? made?.constructedName
            return declared == "HKHealthStore"
        }
        let plain = name.lowercased()
        return ["healthstore", "hkstore", "healthkitstore"].contains { plain.hasSuffix($0) }
    }
}

extension ExprSyntax {
    /// `store` of `manager.store` and of `store`.
    fileprivate var lastName: String? {
        self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? self.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// `Health` of `Health.shared.store`.
    fileprivate var firstName: String? {
        var expression = self
        while let base = expression.as(MemberAccessExprSyntax.self)?.base?.bare {
            expression = base
        }
        return expression.as(DeclReferenceExprSyntax.self)?.baseName.text
    }
}
