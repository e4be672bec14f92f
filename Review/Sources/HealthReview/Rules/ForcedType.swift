import HealthEngine
import SwiftSyntax

/// Reports force-unwrapped types whose identifier comes from outside:
/// `HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: name))!`. A look-up by an
/// identifier that the source names can't fail.
struct ForcedType: Rule {
    let name = "forced-type"
    let summary = "a HealthKit type unwrapped by force, of an identifier that may name no type"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("forIdentifier") {
            for node in file.uses.forceUnwraps {
                guard let identifier = identifier(lookedUpBy: node.expression, target) else {
                    continue
                }
                guard isFromOutside(identifier, target) else { continue }
                report.add(
                    "the app ends here if the identifier names no type that this system knows; "
                        + "unwrap it with `guard let`", at: node, in: file)
            }
        }
    }

    /// Returns the identifier of the lookup that yields the force-unwrapped value: in place, or through
    /// the unwrapped name.
    private func identifier(
        lookedUpBy expression: ExprSyntax, _ target: Target
    ) -> ExprSyntax? {
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

    private static func typeLookUp(_ call: FunctionCallExprSyntax) -> ExprSyntax? {
        guard let name = call.calledName, names.contains(name),
            let identifier = call.argument("forIdentifier"), isOfHealthKit(call)
        else { return nil }
        return identifier
    }

    /// Whether a function is called on a type of HealthKit, or on the implied one:
    /// `.quantityType(forIdentifier: identifier)`.
    private static func isOfHealthKit(_ call: FunctionCallExprSyntax) -> Bool {
        guard let base = call.base else {
            return call.calledExpression.is(MemberAccessExprSyntax.self)
        }
        return base.bare.as(DeclReferenceExprSyntax.self)?.baseName.text.hasPrefix("HK") ?? false
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

    /// Returns whether an identifier can be made from a text that the source doesn't show:
    /// `HKQuantityTypeIdentifier(rawValue: name)`, also as an element of a list, an entry of a table
    /// or the argument of a caller. A text that names no type counts too.
    private func isFromOutside(_ identifier: ExprSyntax, _ target: Target) -> Bool {
        ValueSearch.values(of: identifier, target).contains { value in
            guard let call = value.expression.as(FunctionCallExprSyntax.self),
                let text = Self.rawValue(of: call)
            else { return false }
            return ValueSearch.values(of: text, in: value.calls, target).contains {
                isUnknown($0.expression)
            }
        }
    }

    /// Returns the text of `HKQuantityTypeIdentifier(rawValue: text)` and `.init(rawValue: text)`.
    private static func rawValue(of call: FunctionCallExprSyntax) -> ExprSyntax? {
        guard call.constructedName?.hasSuffix("TypeIdentifier") == true || call.calledName == "init"
        else { return nil }
        return call.argument("rawValue")
    }

    /// Returns whether a text isn't the identifier of a type: neither a literal nor
    /// `HKQuantityTypeIdentifier.stepCount.rawValue`.
    private func isUnknown(_ text: ExprSyntax) -> Bool {
        if let literal = text.plainString { return Catalogue.type(identifier: literal) == nil }
        guard let member = text.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "rawValue",
            let identifier = member.base?.bare.as(MemberAccessExprSyntax.self)
        else { return true }
        return identifier.base?.bare.lastName?.hasSuffix("TypeIdentifier") != true
    }
}
