import SwiftSyntax

extension FunctionCallExprSyntax {
    /// `HKUnit` of `.init(from: "m")` where the type is written beside it: the annotation of the
    /// variable, or what the function or the computed variable gives back.
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
