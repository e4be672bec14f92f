import SwiftSyntax

extension FunctionCallExprSyntax {
    /// Whether the call makes a unit of a text: `HKUnit(from: text)`.
    var makesUnit: Bool {
        if constructedName == "HKUnit" || impliedName == "HKUnit" { return true }
        guard calledName == "init", base == nil,
            let argument = parent?.as(LabeledExprSyntax.self),
            let outer = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        else { return false }
        switch (outer.calledName, argument.label?.text) {
        case ("doubleValue", "for"), ("HKQuantity", "unit"), ("unitDivided", "by"),
            ("unitMultiplied", "by"), ("is", "compatibleWith"):
            return true
        default: return false
        }
    }
}
