import Foundation

/// One symbol's body with a wrong value in it.
struct Mutation {
    let file: String
    /// The whole file with the break in it.
    let text: String
    /// What was done, for the report.
    let summary: String

    /// nil where a symbol has no value or body of its own to break (a type, a protocol's promise).
    init?(of symbol: String, in sources: [String: String]) {
        let bare = symbol.prefix { $0 != "(" }
        let parts = bare.split(separator: ".").map(String.init)
        guard let name = parts.last else { return nil }
        let owner = parts.count > 1 ? parts[parts.count - 2] : nil
        let labels = symbol.contains("(") ? String(symbol.dropFirst(bare.count)) : nil
        for (file, text) in sources.sorted(by: { $0.key < $1.key }) {
            let declarations = Declarations(text)
            for place in declarations.places(named: name, labels: labels, in: owner) {
                if let (broken, summary) = declarations.breaking(place, name: name) {
                    (self.file, self.text, self.summary) = (file, broken, summary)
                    return
                }
            }
        }
        return nil
    }
}

/// A file as lines, with the type that each line belongs to.
private struct Declarations {
    struct Place {
        let line: Int
        let signature: String
        /// Line of the opening brace of a body, if there is one.
        let open: Int?
        let close: Int?
    }

    let lines: [String]
    private let owners: [String?]

    init(_ text: String) {
        lines = text.components(separatedBy: "\n")
        var owners: [String?] = []
        var stack: [(depth: Int, name: String)] = []
        var depth = 0
        for line in lines {
            owners.append(stack.last?.name)
            let code = line.components(separatedBy: "//")[0]
            let opens = code.count { $0 == "{" }
            let closes = code.count { $0 == "}" }
            if opens > closes, let name = Declarations.typeName(code) {
                stack.append((depth, name))
            }
            depth += opens - closes
            while let last = stack.last, depth <= last.depth { stack.removeLast() }
        }
        self.owners = owners
    }

    /// "HKUnit" of "open class HKUnit: NSObject {" and of "extension HKUnit {".
    private static func typeName(_ code: String) -> String? {
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        for (index, word) in words.enumerated()
        where ["class", "struct", "enum", "extension", "protocol", "actor"].contains(word) {
            guard index + 1 < words.count, words[index + 1] != "func", words[index + 1] != "var"
            else { return nil }
            return words[index + 1].split(separator: ".").last.map(String.init)
        }
        return nil
    }

    func places(named name: String, labels: String?, in owner: String?) -> [Place] {
        lines.indices.compactMap { index in
            guard owners[index] == owner, lines[index].contains(name) else { return nil }
            let line = lines[index].trimmingCharacters(in: .whitespaces)
            guard !line.hasPrefix("//"), declares(line, name, labels != nil) else { return nil }
            let place = place(at: index)
            if let labels, Declarations.labels(of: place.signature) != labels { return nil }
            return place
        }
    }

    private func declares(_ line: String, _ name: String, _ isFunction: Bool) -> Bool {
        if isFunction {
            return name == "init"
                ? line.range(of: #"(^|\s)init[?]?\("#, options: .regularExpression) != nil
                : line.range(
                    of: "func `?\(name)`?(<.*>)?\\(", options: .regularExpression) != nil
        }
        return line.range(
            of: "(^|\\s)(let|var|case) `?\(name)`?([:= {]|$)", options: .regularExpression) != nil
    }

    private func place(at index: Int) -> Place {
        var (signature, parentheses, line) = ("", 0, index)
        while line < lines.count, line < index + 12 {
            for character in lines[line] {
                if character == "(" { parentheses += 1 }
                if character == ")" { parentheses -= 1 }
                if character == "{", parentheses == 0 {
                    return Place(
                        line: index, signature: signature, open: line, close: closing(from: line))
                }
                signature.append(character)
            }
            let isFunction = signature.contains("func ") || signature.contains("init")
            if parentheses == 0, !isFunction { break }
            signature.append(" ")
            line += 1
        }
        return Place(line: index, signature: signature, open: nil, close: nil)
    }

    private func closing(from line: Int) -> Int? {
        var depth = 0
        for index in line..<lines.count {
            for character in lines[index] {
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
            }
            if depth == 0 { return index }
        }
        return nil
    }

    /// "(unit:doubleValue:)" of a function's signature.
    static func labels(of signature: String) -> String {
        guard let open = signature.firstIndex(of: "(") else { return "" }
        var (depth, parts) = (0, [""])
        for character in signature[open...] {
            if ")]>".contains(character) { depth -= 1 }
            if depth == 0, character == ")" { break }
            if depth == 1, character == "," {
                parts.append("")
            } else if depth > 0 {
                parts[parts.count - 1].append(character)
            }
            if "([<".contains(character) { depth += 1 }
            if character == ">", parts[parts.count - 1].hasSuffix("->") { depth += 1 }
        }
        let labels = parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .map { part in String(part.split { " :".contains($0) }.first ?? "_") + ":" }
        return "(" + labels.joined() + ")"
    }

    // MARK: - Breaking

    func breaking(_ place: Place, name: String) -> (text: String, summary: String)? {
        guard let open = place.open, let close = place.close else {
            return breakingValue(place.line)
        }
        if let body = wrongBody(place) { return replacing(open, close, body) }
        return breakingLiteral(from: open, to: close)
    }

    /// The value of a stored constant or a case.
    private func breakingValue(_ line: Int) -> (text: String, summary: String)? {
        guard lines[line].contains("=") else { return nil }
        // The literal may stand on the next line.
        for index in [line, line + 1] where index < lines.count {
            if let text = changedLiteral(lines[index]) {
                return with(index, text)
            }
        }
        return nil
    }

    private func breakingLiteral(from open: Int, to close: Int) -> (text: String, summary: String)?
    {
        for index in open...close {
            if let text = changedLiteral(lines[index]) { return with(index, text) }
        }
        return nil
    }

    private func with(_ line: Int, _ text: String) -> (text: String, summary: String) {
        var copy = lines
        copy[line] = text
        return (copy.joined(separator: "\n"), text.trimmingCharacters(in: .whitespaces))
    }

    private func changedLiteral(_ line: String) -> String? {
        if let quote = line.lastIndex(of: "\""), line[..<quote].contains("\"") {
            var copy = line
            copy.insert("X", at: quote)
            return copy
        }
        if let range = line.range(of: #"= -?[0-9][0-9_]*"#, options: .regularExpression) {
            return line.replacingCharacters(in: range, with: "= 91234")
        }
        if let range = line.range(of: #"<< [0-9]+"#, options: .regularExpression) {
            return line.replacingCharacters(in: range, with: "<< 21")
        }
        return nil
    }

    private func replacing(
        _ open: Int, _ close: Int, _ body: (lines: [String], keepsRest: Bool)
    ) -> (text: String, summary: String)? {
        var copy = lines
        let brace = lines[open]
        if body.keepsRest {
            copy.insert(contentsOf: body.lines, at: open + 1)
            if open == close { return nil }
        } else {
            let position = bodyBrace(open)
            let head = String(brace[...position])
            copy.replaceSubrange(open...close, with: [head] + body.lines + ["}"])
        }
        return (copy.joined(separator: "\n"), body.lines.joined(separator: " "))
    }

    /// The brace that opens the body: the first one outside parentheses.
    private func bodyBrace(_ line: Int) -> String.Index {
        let text = lines[line]
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if text[index] == "{", depth <= 0 { return index }
        }
        return text.index(before: text.endIndex)
    }

    /// A body that gives a wrong value of the declared type, or spoils an argument and goes on.
    private func wrongBody(_ place: Place) -> (lines: [String], keepsRest: Bool)? {
        if let type = returnType(place.signature), let wrong = wrongValues[type] {
            return (["        return \(wrong)"], false)
        }
        if let type = returnType(place.signature), type.hasSuffix("?") {
            return (["        return nil"], false)
        }
        if let type = returnType(place.signature), type.hasPrefix("[") || type.hasPrefix("Set<") {
            return (
                ["        return \(type.contains(" : ") || type.contains(": ") ? "[:]" : "[]")"],
                false
            )
        }
        for (name, type) in parameters(place.signature) {
            if let spoilt = spoiltArguments[type] {
                let value = spoilt.replacingOccurrences(of: "$", with: name)
                return (["        let \(name) = \(value)"], true)
            }
        }
        return nil
    }

    private func returnType(_ signature: String) -> String? {
        if let arrow = signature.range(of: "->", options: .backwards),
            signature[..<arrow.lowerBound].contains(")"),
            !signature[arrow.upperBound...].contains(")")
        {
            return signature[arrow.upperBound...].trimmingCharacters(in: .whitespaces)
        }
        guard signature.contains("var "), let colon = signature.firstIndex(of: ":") else {
            return nil
        }
        return signature[signature.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }

    private func parameters(_ signature: String) -> [(name: String, type: String)] {
        guard let open = signature.firstIndex(of: "("), let close = signature.lastIndex(of: ")")
        else {
            return []
        }
        return signature[signature.index(after: open)..<close].split(separator: ",").compactMap {
            part in
            let sides = part.split(separator: ":", maxSplits: 1)
            guard sides.count == 2, let name = sides[0].split(separator: " ").last else {
                return nil
            }
            let type = sides[1].split(separator: "=")[0].trimmingCharacters(in: .whitespaces)
            return (String(name), type)
        }
    }
}

/// Values that no test should take for right.
private let wrongValues: [String: String] = [
    "Int": "-91234", "Double": "-91234.5", "TimeInterval": "-91234.5", "String": "\"wrong\"",
    "Date": "Date(timeIntervalSinceReferenceDate: -91234)", "UUID": "UUID()",
    "HKQuantity": "HKQuantity(unit: HKUnit(from: \"IU\"), doubleValue: -91234)",
    "HKUnit": "HKUnit(from: \"IU\")", "NSPredicate": "NSPredicate(value: false)",
    "HKSource": "HKSource(name: \"wrong\", bundleIdentifier: \"wrong\")",
    "HKQuantityType": "HKQuantityType(.nikeFuel)", "DateInterval": "DateInterval()",
    "ComparisonResult": ".orderedSame", "HKWorkoutActivityType": ".curling",
]

/// What becomes of an argument where a body has no value to replace.
private let spoiltArguments: [String: String] = [
    "Double": "$ + 91234", "Int": "$ + 7", "Date": "$.addingTimeInterval(91234)",
    "Date?": "$?.addingTimeInterval(91234)", "String": "$ + \"X\"",
    "String?": "$.map { $0 + \"X\" }",
    "TimeInterval": "$ + 91234", "[String : Any]?": "nil as [String: Any]?",
    "[String: Any]?": "nil as [String: Any]?",
    "NSPredicate?": "NSPredicate(value: false) as NSPredicate?",
    "HKQuantity": "HKQuantity(unit: HKUnit(from: \"IU\"), doubleValue: -91234)",
    "HKQuantity?": "nil as HKQuantity?",
    "[HKSample]": "[HKSample]()", "[HKObject]": "[HKObject]()",
    "HKStatisticsOptions": "[.duration]",
    "Set<HKSampleType>": "Set<HKSampleType>()", "Set<HKObjectType>": "Set<HKObjectType>()",
]
