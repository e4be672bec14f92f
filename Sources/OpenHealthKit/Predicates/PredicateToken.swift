import Foundation

/// The error of an invalid predicate format.
struct PredicateFormatError: Error, Hashable {
    /// The position of the error, in characters from the start of the format.
    var position: Int
    var reason: String
}

/// A token of the predicate language, and its position in characters from the start of the format.
struct PredicateToken: Hashable {
    enum Kind: Hashable {
        /// A part of a key path, a keyword, or an operator such as IN.
        case identifier(String)
        /// An identifier written as `#word`, which is never a keyword.
        case quotedIdentifier(String)
        case string(String)
        case number(Double)
        /// A variable, without its `$`.
        case variable(String)
        /// A placeholder for the value of an argument: `%@`, `%d`, `%lu`.
        case value
        /// A placeholder for a key path: `%K`.
        case keyPath
        /// An operator such as `<=`, or a single character such as a parenthesis, brace, comma or
        /// dot.
        case symbol(String)
        /// The letters of a comparison's options, lowercase: "c" for `[c]`.
        case options(String)
        case end
    }

    var kind: Kind
    var position: Int
}

extension PredicateToken {
    /// Splits a format into tokens.
    ///
    /// - Complexity: O(n) in the length of the format.
    static func tokens(of format: String) throws(PredicateFormatError) -> [PredicateToken] {
        var scanner = PredicateScanner(format)
        var tokens: [PredicateToken] = []
        while true {
            let token = try scanner.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }
}

/// A scanner over the characters of a predicate format.
private struct PredicateScanner {
    private let characters: [Character]
    private var position = 0

    init(_ format: String) { characters = Array(format) }

    mutating func next() throws(PredicateFormatError) -> PredicateToken {
        while let character = peek(), character.isWhitespace { position += 1 }
        let start = position
        return PredicateToken(kind: try kind(), position: start)
    }

    private mutating func kind() throws(PredicateFormatError) -> PredicateToken.Kind {
        guard let first = peek() else { return .end }
        switch first {
        case "\"", "'": return .string(try string(closedBy: first))
        case "%": return try placeholder()
        case "[": return .options(try options())
        case "#":
            position += 1
            return .quotedIdentifier(try identifier())
        case "_", "@": return .identifier(try identifier())
        case _ where first.isLetter: return .identifier(try identifier())
        case _ where first.isNumber: return .number(try number())
        case ".", "-":
            if let second = peek(1), second.isNumber { return .number(try number()) }
            return .symbol(symbol())
        case "$":
            position += 1
            return .variable(try identifier())
        default: return .symbol(symbol())
        }
    }

    private func peek(_ offset: Int = 0) -> Character? {
        position + offset < characters.count ? characters[position + offset] : nil
    }

    private func error(_ reason: String, at start: Int? = nil) -> PredicateFormatError {
        PredicateFormatError(position: start ?? position, reason: reason)
    }

    private mutating func symbol() -> String {
        let pair = String(characters[position..<min(position + 2, characters.count)])
        let pairs: Set<String> = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"]
        let symbol = pairs.contains(pair) ? pair : String(pair.prefix(1))
        position += symbol.count
        return symbol
    }

    private mutating func identifier() throws(PredicateFormatError) -> String {
        let start = position
        while let character = peek(),
            character.isLetter || character.isNumber || character == "_"
                || character == "@" && position == start
        { position += 1 }
        if start == position { throw error("expected a name") }
        return String(characters[start..<position])
    }

    private mutating func number() throws(PredicateFormatError) -> Double {
        let start = position
        while let character = peek() {
            let isSign = character == "-" || character == "+"
            let isExponent = position > start && "eE".contains(characters[position - 1])
            let isPart = character.isASCII && (character.isNumber || character == ".")
            guard isPart || "eE".contains(character) || isSign && (position == start || isExponent)
            else { break }
            position += 1
        }
        guard let number = Double(String(characters[start..<position])) else {
            throw error("not a number", at: start)
        }
        return number
    }

    private mutating func string(
        closedBy quote: Character
    ) throws(PredicateFormatError) -> String {
        let start = position
        position += 1
        var text = ""
        while let character = peek(), character != quote {
            position += 1
            guard character == "\\" else {
                if character == "%", peek() == "%" { position += 1 }
                text.append(character)
                continue
            }
            guard let escaped = peek() else { break }
            position += 1
            switch escaped {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            // The escape sequences of LIKE are kept, because LIKE interprets them later.
            case "*", "?": text += ["\\", escaped]
            default: text.append(escaped)
            }
        }
        if peek() == nil { throw error("the string is not terminated", at: start) }
        position += 1
        return text
    }

    private mutating func placeholder() throws(PredicateFormatError) -> PredicateToken.Kind {
        let start = position
        position += 1
        if peek() == "@" {
            position += 1
            return .value
        }
        if peek() == "K" {
            position += 1
            return .keyPath
        }
        while let character = peek(), "hlqLzt".contains(character) { position += 1 }
        guard let kind = peek(), "diuxXofFeEgGaAcC".contains(kind) else {
            let isPercent = peek() == "%"
            throw error(
                isPercent ? "%% is allowed only in strings" : "% needs @, K or a number format",
                at: start)
        }
        position += 1
        return .value
    }

    private mutating func options() throws(PredicateFormatError) -> String {
        let start = position
        position += 1
        var letters = ""
        while let character = peek(), character != "]" {
            letters.append(character)
            position += 1
        }
        if peek() == nil { throw error("[ without ]", at: start) }
        position += 1
        return letters.lowercased()
    }
}
