import SwiftSyntax

extension Target {
    /// Whether an expression is an `HKHealthStore`, by its declaration or, where that can't be seen, by
    /// a name that says so.
    func isHealthStore(_ expression: ExprSyntax) -> Bool {
        let bare = expression.bare
        if let call = bare.as(FunctionCallExprSyntax.self) {
            return call.constructedName == "HKHealthStore"
        }
        if let name = bare.ownName, let found = binding(name, at: bare) {
            switch found {
            case .parameter(let parameter): return parameter.type.baseName == "HKHealthStore"
            case .variable(let binding, _):
                if let type = binding.typeAnnotation?.type {
                    return type.baseName == "HKHealthStore"
                }
                let origins = origins(of: bare)
                return origins.contains { origin in
                    origin.as(FunctionCallExprSyntax.self)?.constructedName == "HKHealthStore"
                        || origin.id != bare.id && origin.saysHealthStore
                }
            case .unwrapped(let value): return value.id != bare.id && isHealthStore(value)
            default: return bare.saysHealthStore
            }
        }
        return bare.saysHealthStore
    }
}

extension ExprSyntax {
    /// `healthStore`, `manager.hkStore`, `HKHealthStore.shared`.
    fileprivate var saysHealthStore: Bool {
        let name =
            self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? self.as(DeclReferenceExprSyntax.self)?.baseName.text
        guard let name = name?.lowercased() else { return false }
        return name.hasSuffix("healthstore") || name.hasSuffix("hkstore")
            || name.hasSuffix("healthkitstore")
    }
}
