import HealthEngine
import SwiftSyntax

/// Reports force-unwrapped types such as `HKObjectType.quantityType(forIdentifier: .stepCount)!`.
struct ForcedType: Rule {
    let name = "forced-type"
    let summary = "a HealthKit type unwrapped by force"
    let severity = Severity.note

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("forIdentifier") {
            for node in file.uses.forceUnwraps {
                guard let (call, identifier) = lookUp(node.expression, target) else { continue }
                let isKept = !node.expression.bare.is(FunctionCallExprSyntax.self)
                if isKept && isNamed(identifier, target) { continue }
                add(call, identifier, at: node, target, file, &report)
            }
        }
    }

    /// Returns the lookup that yields the force-unwrapped value: in place, or through the unwrapped
    /// name.
    private func lookUp(
        _ expression: ExprSyntax, _ target: Target
    ) -> (FunctionCallExprSyntax, ExprSyntax)? {
        if let call = expression.bare.as(FunctionCallExprSyntax.self) {
            return Self.typeLookUp(call)
        }
        guard let name = expression.bare.ownName, !isChecked(name, at: expression) else {
            return nil
        }
        let origins = target.origins(of: expression)
        guard origins.count == 1, let call = origins[0].as(FunctionCallExprSyntax.self) else {
            return nil
        }
        return Self.typeLookUp(call)
    }

    private static func typeLookUp(
        _ call: FunctionCallExprSyntax
    ) -> (FunctionCallExprSyntax, ExprSyntax)? {
        guard let name = call.calledName, names.contains(name),
            let identifier = call.argument("forIdentifier"),
            let type = call.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text,
            type.hasPrefix("HK")
        else { return nil }
        return (call, identifier)
    }

    private static let names = [
        "quantityType", "categoryType", "correlationType", "characteristicType", "documentType",
        "scoredAssessmentType",
    ]

    /// Returns whether an `if` or `guard` before the node checks the name.
    private func isChecked(_ name: String, at node: ExprSyntax) -> Bool {
        var place: Syntax? = Syntax(node)
        let function = node.enclosingFunction
        while let current = place, current != function {
            if let branch = current.as(IfExprSyntax.self), branch.conditions.mentions(name) {
                return true
            }
            for item in current.as(CodeBlockItemListSyntax.self) ?? [] {
                if item.position < node.position,
                    let guardStatement = item.item.as(GuardStmtSyntax.self),
                    guardStatement.conditions.mentions(name)
                {
                    return true
                }
            }
            place = current.parent
        }
        return false
    }

    private func add(
        _ call: FunctionCallExprSyntax, _ identifier: ExprSyntax, at node: ForceUnwrapExprSyntax,
        _ target: Target, _ file: SourceFile, _ report: inout Report
    ) {
        if isNamed(identifier, target) {
            report.add(
                "a type unwrapped by force ends the app on a system that doesn't know it; "
                    + "`\(Self.constructor(call.calledName))` gives it without an optional",
                at: node, in: file)
        } else {
            report.add(
                "an identifier that isn't written here may name no type, and the forced unwrap "
                    + "then ends the app; unwrap it with `guard let`",
                at: node, in: file, severity: .warning)
        }
    }

    /// Returns whether the source names the identifier: `.stepCount`, which is nil only on older
    /// systems.
    private func isNamed(_ identifier: ExprSyntax, _ target: Target) -> Bool {
        target.origins(of: identifier).allSatisfy { origin in
            guard let member = origin.as(MemberAccessExprSyntax.self) else { return false }
            let base = member.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text
            return base == nil || base?.hasSuffix("TypeIdentifier") == true
        }
    }

    private static func constructor(_ method: String?) -> String {
        guard let method, let first = method.first else { return "HKObjectType" }
        return "HK" + first.uppercased() + method.dropFirst() + "(.…)"
    }
}
