import SwiftSyntax

extension Target {
    /// Returns the completion closure of a store operation, such as an authorization request or a
    /// save.
    func storeCompletion(of call: FunctionCallExprSyntax) -> ClosureExprSyntax? {
        guard let name = call.calledName, let last = call.closures.last else { return nil }
        switch name {
        case "requestAuthorization": return call.isAuthorizationRequest ? last : nil
        case "enableBackgroundDelivery": return call.isBackgroundDelivery ? last : nil
        case "getRequestStatusForAuthorization", "disableAllBackgroundDelivery",
            "disableBackgroundDelivery", "handleAuthorizationForExtension", "preferredUnits":
            return call.base.map(isHealthStore) == true ? last : nil
        case "save", "delete", "deleteObjects":
            return call.base.map(isHealthStore) == true ? last : nil
        case "beginCollection", "endCollection", "finishWorkout", "insertRouteData", "finishRoute":
            // Methods of workout and route builders.
            return last
        default: return nil
        }
    }

    /// Returns whether an expression is an `HKHealthStore`: by its declaration, or by an
    /// unambiguous name if the declaration isn't visible. `store` alone isn't enough, since other
    /// stores delete too.
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
    /// The first name of a chain: `Health` in `Health.shared.store`.
    fileprivate var firstName: String? {
        var expression = self
        while let base = expression.as(MemberAccessExprSyntax.self)?.base?.bare {
            expression = base
        }
        return expression.as(DeclReferenceExprSyntax.self)?.baseName.text
    }
}
