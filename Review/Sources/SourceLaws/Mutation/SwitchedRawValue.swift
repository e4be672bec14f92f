import SwiftSyntax

/// A raw value of an enumeration that changes behind a condition.
///
/// The raw value in a case must be a literal. So the enumeration gets its own `rawValue` and
/// `init(rawValue:)`, which list all cases with a condition for each. All cases of an enumeration
/// have the same change, with different keys.
struct SwitchedRawValue {
    let change: SwitchedChange

    /// Creates the change; nil if a case has no literal, or the enumeration no raw type.
    init?(_ changed: EnumCaseElementSyntax, in enumeration: EnumDeclSyntax) {
        let raw = enumeration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        guard let type = raw, ["Int", "UInt", "Int32", "String"].contains(type) else { return nil }
        let name = "\(enumeration.name.text)@\(enumeration.position.utf8Offset)."
        var values: [(name: String, value: String)] = []
        for member in enumeration.memberBlock.members {
            guard let cases = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
            for element in cases.elements {
                guard let literal = element.rawValue?.value.trimmedDescription else { return nil }
                let wrong = type == "String" ? "\(literal) + \"X\"" : "91234"
                let condition = SwitchedChange.condition(of: name + element.name.text)
                values.append((element.name.text, "(\(condition) ? \(wrong) : \(literal))"))
            }
        }
        let access = enumeration.modifiers.contains { $0.name.text == "public" } ? "public " : ""
        let getter = values.map { "case .\($0.name): return \($0.value)" }
        let setter = values.map { "case \($0.value): self = .\($0.name)" }
        let end = enumeration.memberBlock.rightBrace.positionAfterSkippingLeadingTrivia
        change = SwitchedChange(
            range: end..<end,
            replacement: "\n\(access)var rawValue: \(type) { switch self { "
                + getter.joined(separator: "; ")
                + " } }; \(access)init?(rawValue: \(type)) { switch rawValue { "
                + setter.joined(separator: "; ") + "; default: return nil } } ",
            key: name + changed.name.text)
    }
}
