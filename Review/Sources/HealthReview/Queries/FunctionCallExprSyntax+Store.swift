import SwiftSyntax

extension FunctionCallExprSyntax {
    /// Whether the call is `store.requestAuthorization(toShare:read:)`, with or without a
    /// completion handler, or SwiftUI's
    /// `healthDataAccessRequest(store:shareTypes:readTypes:trigger:)`.
    var isAuthorizationRequest: Bool {
        switch calledName {
        case "requestAuthorization": argument("toShare") != nil || argument("read") != nil
        case "healthDataAccessRequest":
            argument("shareTypes") != nil || argument("readTypes") != nil
        default: false
        }
    }

    /// Whether the call is `store.enableBackgroundDelivery(for:frequency:)`, except in wrapper
    /// functions.
    var isBackgroundDelivery: Bool {
        guard calledName == "enableBackgroundDelivery", argument("for") != nil,
            argument("frequency") != nil
        else { return false }
        let function = enclosing(FunctionDeclSyntax.self)
        return function?.name.text != "enableBackgroundDelivery"
    }
}
