import SwiftSyntax

extension Syntax {
    /// Whether anything inside is a condition, which may tell an enumeration's cases apart.
    fileprivate var tellsCases: Bool {
        descendants.contains { node in
            switch node.kind {
            case .switchExpr, .ifExpr, .guardStmt, .unresolvedTernaryExpr: true
            default: false
            }
        }
    }
}

extension Target {
    /// Returns the expressions that a unit's text may come from, with the values of dictionaries
    /// that the target writes: `"kg"` for `units[name]`.
    func unitTexts(of expression: ExprSyntax) -> [ExprSyntax] {
        origins(of: expression).flatMap { origin -> [ExprSyntax] in
            if let texts = rawTexts(of: origin) { return texts }
            guard let element = origin.as(SubscriptCallExprSyntax.self) else { return [origin] }
            let tables = origins(of: element.calledExpression)
            guard tables.count == 1, let table = tables[0].as(DictionaryExprSyntax.self),
                case .elements(let entries) = table.content
            else { return [origin] }
            return entries.map(\.value.bare)
        }
    }

    /// Returns the raw values of the enumeration whose `rawValue` a text is, unless the code around
    /// tells its cases apart; nil for other texts.
    private func rawTexts(of text: ExprSyntax) -> [ExprSyntax]? {
        guard text.bare.lastName == "rawValue", !text.enclosingFunction.tellsCases,
            text.enclosing(AccessorBlockSyntax.self).map({ !Syntax($0).tellsCases }) ?? true
        else { return nil }
        let base = text.bare.as(MemberAccessExprSyntax.self)?.base
        let isOwn = base.map { $0.bare.isOwn } ?? true
        guard let name = isOwn ? text.enclosingTypeName : base.flatMap({ typeName(of: $0) }),
            isDeclared(name, as: [.enum])
        else { return nil }
        let cases = types(name).flatMap { block in
            block.node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
        }
        return cases.flatMap(\.elements).compactMap { $0.rawValue?.value.bare }
    }
}
