import SwiftSyntax

extension ClosureExprSyntax {
    /// Returns the collection whose elements a closure's parameter receives: `types` for the first
    /// parameter in `types.map { type in … }` and the second in
    /// `types.reduce(0) { sum, type in … }`.
    func collection(ofParameter place: Int) -> ExprSyntax? {
        guard let call = receivingCall, let name = call.calledName, let base = call.base else {
            return nil
        }
        switch name {
        case "map", "compactMap", "flatMap", "forEach", "filter", "first", "last", "contains",
            "allSatisfy", "firstIndex", "drop", "prefix", "sum", "total":
            return place == 0 ? base : nil
        case "sorted", "sort", "min", "max": return place < 2 ? base : nil
        case "reduce": return place == 1 ? base : nil
        default: return nil
        }
    }
}

extension TypeSyntax {
    /// The element type: `HKSample` for `[HKSample]?`, `Set<HKSample>` and `HKSample` itself.
    var elementName: String? {
        switch self.as(TypeSyntaxEnum.self) {
        case .arrayType(let type): return type.element.elementName
        case .optionalType(let type): return type.wrappedType.elementName
        case .implicitlyUnwrappedOptionalType(let type): return type.wrappedType.elementName
        case .attributedType(let type): return type.baseType.elementName
        case .someOrAnyType(let type): return type.constraint.elementName
        case .identifierType(let type):
            guard let arguments = type.genericArgumentClause?.arguments, arguments.count == 1,
                ["Set", "Array", "ArraySlice", "Optional"].contains(type.name.text)
            else { return type.name.text }
            return arguments.first?.argument.as(TypeSyntax.self)?.elementName
        default: return baseName
        }
    }
}
