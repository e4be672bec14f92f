import SwiftSyntax

extension FunctionCallExprSyntax {
    /// `store.requestAuthorization(toShare:read:)`, with a completion or without, or SwiftUI's
    /// `healthDataAccessRequest(store:shareTypes:readTypes:trigger:)`.
    var isAuthorizationRequest: Bool {
        switch calledName {
        case "requestAuthorization": argument("toShare") != nil || argument("read") != nil
        case "healthDataAccessRequest":
            argument("shareTypes") != nil || argument("readTypes") != nil
        default: false
        }
    }

    /// `store.enableBackgroundDelivery(for:frequency:)`, but for those that only pass it on.
    var isBackgroundDelivery: Bool {
        guard calledName == "enableBackgroundDelivery", argument("for") != nil,
            argument("frequency") != nil
        else { return false }
        let function = enclosing(FunctionDeclSyntax.self)
        return function?.name.text != "enableBackgroundDelivery"
    }
}
