/// A declaration that clients of a room can see.
struct PublicDeclaration {
    /// Up to the body or the end of the line: "public func sum(of values: [Double]) -> Double".
    let signature: String
    /// Between the braces; nil where there are none.
    let body: String?
    let line: Int
    /// Whether a doc comment stands above, attributes aside.
    let isDocumented: Bool
    /// Whether it stands in an extension that adds a conformance, whose protocol documents it.
    let isConformance: Bool

    /// "func", "struct", "var": the first word that is no modifier.
    var kind: String {
        signature.split { !$0.isLetter }.map(String.init).first { Self.kinds.contains($0) } ?? ""
    }

    private static let kinds: Set<String> = [
        "actor", "class", "enum", "func", "init", "let", "protocol", "struct", "subscript",
        "typealias", "var",
    ]

    /// Whether the name says all: a stored property, a memberwise initialiser, a `==`.
    ///
    /// Overrides and the members of NSCoding and NSCopying, which a class can't have in an extension,
    /// have their page where they come from.
    var speaksForItself: Bool {
        if signature.split(separator: " ").contains("override") { return true }
        switch kind {
        case "let", "var":
            return body == nil || signature.contains("=")
                || ["var description:", "var debugDescription:", "var supportsSecureCoding:"]
                    .contains { signature.contains($0) }
        case "init":
            return signature.contains("init(from decoder") || isMemberwise
        case "func":
            return [
                "func ==", "func <", "func hash(into", "func encode(to", "func encode(with coder:",
                "func copy(with zone:", "func next() async", "func makeAsyncIterator()",
            ].contains { signature.contains($0) }
        case "typealias":
            return signature.contains("typealias Element =")
        case "struct":
            return signature.contains("struct Iterator: AsyncIteratorProtocol")
        default:
            return false
        }
    }

    /// Whether the body only hands its parameters on: `self.name = name`.
    private var isMemberwise: Bool {
        (body ?? "").split(whereSeparator: { "\n;".contains($0) }).allSatisfy { line in
            let sides = line.split(separator: " ")
            return sides.isEmpty
                || (sides.count == 3 && sides[0] == "self." + sides[2] && sides[1] == "=")
        }
    }

    /// The parameters of a function: ["of values: [Double]", "by step: Int = 2"].
    var parameters: [String] {
        guard let start = signature.firstIndex(of: "(") else { return [] }
        var depth = 0
        var parts = [""]
        for character in signature[start...] {
            if ")]".contains(character) { depth -= 1 }
            if depth == 0, character == ")" { break }
            if depth == 1, character == "," {
                parts.append("")
            } else if depth > 0 {
                parts[parts.count - 1].append(character)
            }
            if "([".contains(character) { depth += 1 }
        }
        return parts.map { $0.trimmed }.filter { !$0.isEmpty }
    }

    /// Parameters that Apple's signatures have.
    private static let applesOwn = ["precededByGap:"]

    /// Parameters that are true or false, at whose call sites nobody knows what is true.
    var booleanParameters: [String] {
        parameters.filter { parameter in
            let type = parameter.split(separator: ":").last?.split(separator: "=").first ?? ""
            return ["Bool", "Bool?"].contains(String(type).trimmed)
                && !Self.applesOwn.contains { parameter.hasPrefix($0) }
        }
    }
}

extension SourceFile {
    /// Public declarations in order.
    var publicDeclarations: [PublicDeclaration] {
        var isConformance = false
        return code.indices.compactMap { index in
            let text = code[index]
            if text.hasPrefix("extension ") || text.hasPrefix("}") {
                isConformance = text.split(separator: "{")[0].split(separator: " where ")[0]
                    .contains(": ")
            }
            let words = text.split(separator: " ").filter { !$0.hasPrefix("@") }
            guard ["public", "open"].contains(words.first), !words.contains("import") else {
                return nil
            }
            let (signature, body) = declaration(from: index)
            let declaration = PublicDeclaration(
                signature: signature, body: body, line: index + 1,
                isDocumented: isDocumented(index), isConformance: isConformance)
            // A variable may be called open.
            return declaration.kind.isEmpty ? nil : declaration
        }
    }

    /// Public declarations that a stranger can't use from their page.
    ///
    /// Stored properties and memberwise initialisers are left to their names, members of a
    /// conformance to the protocol's page.
    var undocumented: [Breach] {
        guard room != nil else { return [] }
        return
            publicDeclarations
            .filter { !$0.isDocumented && !$0.isConformance && !$0.speaksForItself }
            .map { breach("no doc comment: \($0.signature)", at: $0.line) }
    }

    /// Public functions whose calls would read `f(true)`. Apple's signatures are as they are.
    var booleanParameters: [Breach] {
        guard room != nil, !path.hasPrefix("Sources/OpenHealthKit/") else { return [] }
        return publicDeclarations.filter { ["func", "subscript"].contains($0.kind) }
            .flatMap { declaration in
                declaration.booleanParameters.map {
                    breach("a boolean parameter: \($0)", at: declaration.line)
                }
            }
    }

    /// Attributes and the reason of an unchecked claim may stand between a page and its declaration.
    private func isDocumented(_ index: Int) -> Bool {
        let above = lines[..<index].last {
            !$0.trimmed.hasPrefix("@") && !$0.trimmed.hasPrefix("// ")
        }
        return above?.trimmed.hasPrefix("///") == true
    }

    /// Reads a declaration and what stands between its braces.
    private func declaration(from index: Int) -> (signature: String, body: String?) {
        let goesOn = ["{", "->", "where ", "throws", "async"]
        var (signature, body) = ("", "")
        var (parentheses, braces) = (0, 0)
        for (offset, line) in code[index...].enumerated() {
            if parentheses == 0, braces == 0, offset > 0,
                !goesOn.contains(where: { line.trimmed.hasPrefix($0) })
            {
                return (signature.trimmed, nil)
            }
            for character in line.trimmed {
                if "([".contains(character) { parentheses += 1 }
                if ")]".contains(character) { parentheses -= 1 }
                if character == "}" { braces -= 1 }
                if character == "}", braces == 0 { return (signature.trimmed, body) }
                if braces > 0 { body.append(character) }
                if character == "{" { braces += 1 }
                if braces == 0 { signature.append(character) }
            }
            if braces > 0 { body.append("\n") } else { signature.append(" ") }
        }
        return (signature.trimmed, nil)
    }
}

extension StringProtocol {
    /// Without spaces at either end.
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
