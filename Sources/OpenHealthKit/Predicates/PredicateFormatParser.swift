import Foundation
import HealthEngine

/// A recursive-descent parser for the subset of `NSPredicate(format:)` that stores can evaluate.
///
/// ```
/// predicate  = conjunction { ("OR" | "||") conjunction }
/// conjunction = negation { ("AND" | "&&") negation }
/// negation   = ("NOT" | "!") negation | "(" predicate ")" | constant | comparison
/// comparison = operand operator [ "[c]" ] operand
/// operand    = key path | "%K" | value | "{" value { "," value } "}"
/// value      = "%@" | "%d" … | text | number | date | "nil" | "YES" | "NO" | "$" name
/// ```
///
/// A `constant` is TRUEPREDICATE or FALSEPREDICATE, a `date` is `CAST(…, "NSDate")`. Keywords are
/// case-insensitive. A comparison has a key path as one operand and a value or list as the other.
/// If both operands are values, the parser evaluates the comparison; it supports only <, <=, >, >=,
/// == and != there. Two key paths are an error.
struct PredicateFormatParser {
    /// The maximum nesting depth of parentheses and NOT; deeper formats are rejected to bound the
    /// recursion.
    static let maximumDepth = 200

    private let tokens: [PredicateToken]
    private let arguments: [Any]
    private var index = 0
    private var argumentIndex = 0
    private var depth = 0

    /// Parses a format with the values of its placeholders.
    ///
    /// Surplus arguments are ignored, as in Foundation; missing ones are an error.
    static func node(
        _ format: String, _ arguments: [Any]
    ) throws(PredicateFormatError) -> PredicateNode {
        var parser = PredicateFormatParser(
            tokens: try PredicateToken.tokens(of: format), arguments: arguments)
        let node = try parser.disjunction()
        guard parser.token.kind == .end else { throw parser.error("expected AND or OR") }
        return node
    }

    /// Parses the format of an expression: a key path, a constant or a variable.
    static func operand(
        _ format: String, _ arguments: [Any]
    ) throws(PredicateFormatError) -> PredicateOperand {
        var parser = PredicateFormatParser(
            tokens: try PredicateToken.tokens(of: format), arguments: arguments)
        let operand = try parser.operand()
        guard parser.token.kind == .end else { throw parser.error("expected the end") }
        return operand
    }

    private init(tokens: [PredicateToken], arguments: [Any]) {
        self.tokens = tokens
        self.arguments = arguments
    }

    private mutating func disjunction() throws(PredicateFormatError) -> PredicateNode {
        var nodes = [try conjunction()]
        while consume(keyword: "OR", symbol: "||") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction() throws(PredicateFormatError) -> PredicateNode {
        var nodes = [try negation()]
        while consume(keyword: "AND", symbol: "&&") { nodes.append(try negation()) }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func negation() throws(PredicateFormatError) -> PredicateNode {
        if consume(keyword: "NOT", symbol: "!") {
            return try nested { parser throws(PredicateFormatError) in .not(try parser.negation()) }
        }
        if token.kind == .symbol("(") {
            index += 1
            return try nested { parser throws(PredicateFormatError) in
                let node = try parser.disjunction()
                try parser.expect(")")
                return node
            }
        }
        if consume(keyword: "TRUEPREDICATE") { return .always }
        if consume(keyword: "FALSEPREDICATE") { return .never }
        if let keyword = keyword, Self.unsupported.contains(keyword) {
            throw error("\(keyword) is not supported by a health store")
        }
        return try comparison()
    }

    private static let unsupported: Set<String> = [
        "ANY", "ALL", "SOME", "NONE", "SUBQUERY", "FUNCTION", "TERNARY",
    ]

    private mutating func nested(
        _ body: (inout PredicateFormatParser) throws(PredicateFormatError) -> PredicateNode
    ) throws(PredicateFormatError) -> PredicateNode {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maximumDepth {
            throw error("nested more than \(Self.maximumDepth) deep")
        }
        return try body(&self)
    }
}

// Reading tokens and arguments

extension PredicateFormatParser {
    private var token: PredicateToken { tokens[min(index, tokens.count - 1)] }

    /// The current token in capitals if it is an identifier; nil for other tokens and for an
    /// identifier quoted with `#`.
    private var keyword: String? {
        if case .identifier(let identifier) = token.kind { identifier.uppercased() } else { nil }
    }

    private func error(_ reason: String) -> PredicateFormatError {
        PredicateFormatError(position: token.position, reason: reason)
    }

    private mutating func consume(keyword: String, symbol: String? = nil) -> Bool {
        guard self.keyword == keyword || symbol.map({ token.kind == .symbol($0) }) ?? false else {
            return false
        }
        index += 1
        return true
    }

    private mutating func expect(_ symbol: String) throws(PredicateFormatError) {
        guard token.kind == .symbol(symbol) else { throw error("expected \(symbol)") }
        index += 1
    }

    private mutating func argument() throws(PredicateFormatError) -> Any {
        guard argumentIndex < arguments.count else {
            throw error("there are only \(arguments.count) arguments")
        }
        defer { argumentIndex += 1 }
        index += 1
        return arguments[argumentIndex]
    }
}

// Comparisons

extension PredicateFormatParser {
    private mutating func comparison() throws(PredicateFormatError) -> PredicateNode {
        let position = token.position
        let left = try operand()
        let comparison = try comparisonOperator()
        let caseSensitivity = try caseSensitivity()
        let right = try operand()
        do {
            return try PredicateNode(left, comparison, caseSensitivity, right)
        } catch {
            throw PredicateFormatError(position: position, reason: error.reason)
        }
    }

    private mutating func comparisonOperator() throws(PredicateFormatError) -> PredicateOperator {
        let name: String? =
            switch token.kind {
            case .symbol(let symbol): Self.operatorAliases[symbol] ?? symbol
            case .identifier(let identifier): identifier.uppercased()
            default: nil
            }
        guard let name, name != "customSelector",
            let comparison = PredicateOperator(rawValue: name)
        else { throw error("expected an operator") }
        index += 1
        return comparison
    }

    private static let operatorAliases = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]

    private mutating func caseSensitivity() throws(PredicateFormatError)
        -> SampleFilter.CaseSensitivity
    {
        guard case .options(let letters) = token.kind else { return .significant }
        switch letters {
        case "c", "cl", "lc":
            index += 1
            return .ignored
        case "", "l", "n":
            index += 1
            return .significant
        default: throw error("a health store supports only the option [c]")
        }
    }

    private mutating func operand() throws(PredicateFormatError) -> PredicateOperand {
        switch token.kind {
        case .keyPath, .quotedIdentifier: return .keyPath(try keyPath())
        case .identifier:
            if let constant = try namedConstant() { return .constant(constant) }
            return .keyPath(try keyPath())
        default: return .constant(try constant())
        }
    }

    /// Parses a key path such as `metadata.%K` or `device.name`: parts separated by dots.
    private mutating func keyPath() throws(PredicateFormatError) -> String {
        var parts: [String] = []
        repeat {
            switch token.kind {
            case .identifier(let identifier), .quotedIdentifier(let identifier):
                parts.append(identifier)
                index += 1
            case .keyPath:
                let position = token.position
                guard case .string(let path) = PredicateConstant(try argument()) else {
                    throw PredicateFormatError(position: position, reason: "%K takes a String")
                }
                parts.append(path)
            default: throw error("expected a key path")
            }
        } while consume(symbol: ".")
        return parts.joined(separator: ".")
    }

    private mutating func consume(symbol: String) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        index += 1
        return true
    }
}

// Constants

extension PredicateFormatParser {
    private mutating func constant() throws(PredicateFormatError) -> PredicateConstant {
        switch token.kind {
        case .string(let text):
            index += 1
            return .string(text)
        case .number(let number):
            index += 1
            return .number(number)
        case .variable(let name):
            index += 1
            return .variable(name)
        case .value: return PredicateConstant(try argument())
        case .symbol("{"): return try list()
        case .identifier:
            if let constant = try namedConstant() { return constant }
            throw error("expected a constant")
        case .symbol("%"): throw error("% needs @, K or a number format")
        default: throw error("expected a key path or a constant")
        }
    }

    private mutating func list() throws(PredicateFormatError) -> PredicateConstant {
        index += 1
        var constants: [PredicateConstant] = []
        if consume(symbol: "}") { return .list([]) }
        repeat {
            if token.kind == .symbol("{") { throw error("a list can't contain a list") }
            constants.append(try constant())
        } while consume(symbol: ",")
        try expect("}")
        return .list(constants)
    }

    /// Parses `nil`, `YES`, `NO`, their synonyms or a `CAST`. Returns nil for other identifiers.
    /// Also for any identifier before a dot, because it begins a key path, as in `nil.name`.
    ///
    /// - Throws: An error for `SELF`, which is not supported, and for an invalid `CAST`.
    private mutating func namedConstant() throws(PredicateFormatError) -> PredicateConstant? {
        guard let keyword, tokens[min(index + 1, tokens.count - 1)].kind != .symbol(".") else {
            return nil
        }
        switch keyword {
        case "NIL", "NULL": index += 1; return .null
        case "TRUE", "YES": index += 1; return .number(1)
        case "FALSE", "NO": index += 1; return .number(0)
        case "CAST": return try date()
        case "SELF": throw error("SELF is not supported by a health store")
        default: return nil
        }
    }

    /// Parses `CAST(0, "NSDate")`, the form of dates in predicate descriptions. The number is the
    /// seconds since 2001-01-01T00:00:00Z.
    private mutating func date() throws(PredicateFormatError) -> PredicateConstant {
        index += 1
        try expect("(")
        guard case .number(let seconds) = try constant() else {
            throw error("expected a number")
        }
        try expect(",")
        guard token.kind == .string("NSDate") else {
            throw error("a health store supports CAST only to \"NSDate\"")
        }
        index += 1
        try expect(")")
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
}
