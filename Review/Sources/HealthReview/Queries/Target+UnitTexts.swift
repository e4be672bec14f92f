import SwiftSyntax

extension Target {
    /// Returns the expressions that a unit's text may come from, with the values of dictionaries
    /// that the target writes: `"kg"` for `units[name]`.
    func unitTexts(of expression: ExprSyntax) -> [ExprSyntax] {
        origins(of: expression).flatMap { origin -> [ExprSyntax] in
            guard let element = origin.as(SubscriptCallExprSyntax.self) else { return [origin] }
            let tables = origins(of: element.calledExpression)
            guard tables.count == 1, let table = tables[0].as(DictionaryExprSyntax.self),
                case .elements(let entries) = table.content
            else { return [origin] }
            return entries.map(\.value.bare)
        }
    }
}
