import SwiftSyntax

extension Target {
    /// Returns the value of an implicit member such as `.beatsPerMinute` that an extension in the
    /// target adds to one of the types: its initial value, or the getter's result.
    func extensionMember(_ expression: ExprSyntax, of types: [String]) -> ExprSyntax? {
        guard let member = expression.as(MemberAccessExprSyntax.self), member.base == nil else {
            return nil
        }
        for type in types {
            guard
                case .variable(let own, let declaration) = self.member(
                    member.declName.baseName.text, of: type),
                declaration.isStatic
            else { continue }
            if let value = own.initializer?.value { return value }
            guard let statements = own.getterStatements else { return nil }
            let results = results(of: statements)
            return results.count == 1 ? results[0] : nil
        }
        return nil
    }
}
