import SwiftSyntax

extension FunctionCallExprSyntax {
    /// The type of `.init(from: "m")`, for example `HKUnit`, from the variable's annotation or from
    /// the return type of the function or computed property.
    var impliedName: String? {
        guard let member = calledExpression.bare.as(MemberAccessExprSyntax.self),
            member.base == nil, member.declName.baseName.text == "init"
        else { return nil }
        var node = Syntax(self)
        while let parent = node.parent {
            switch parent.kind {
            case .initializerClause, .returnStmt, .codeBlockItem, .codeBlockItemList, .codeBlock,
                .tryExpr, .awaitExpr, .accessorBlock, .accessorDecl, .accessorDeclList,
                .switchCase, .switchCaseList, .switchExpr, .ifExpr, .expressionStmt:
                node = parent
            case .patternBinding:
                return parent.as(PatternBindingSyntax.self)?.typeAnnotation?.type.baseName
            case .functionDecl:
                return parent.as(FunctionDeclSyntax.self)?.signature.returnClause?.type.baseName
            default: return nil
            }
        }
        return nil
    }
}
