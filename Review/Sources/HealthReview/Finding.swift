/// One thing a rule found, and where.
public struct Finding: Sendable, Hashable {
    /// The rule's name, as `unbounded-query`.
    public var rule: String
    public var severity: Severity
    /// The file, as it was reached from the path that was given.
    public var path: String
    /// From 1.
    public var line: Int
    /// From 1, in UTF-8 bytes, as compilers count.
    public var column: Int
    /// One sentence that says what is wrong here and what it costs; without a full stop.
    public var message: String

    public init(
        rule: String, severity: Severity, path: String, line: Int, column: Int, message: String
    ) {
        self.rule = rule
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }
}

extension Finding: Comparable {
    /// By file, line, column and rule.
    public static func < (one: Finding, other: Finding) -> Bool {
        (one.path, one.line, one.column, one.rule, one.message)
            < (other.path, other.line, other.column, other.rule, other.message)
    }
}

extension Finding: CustomStringConvertible {
    /// As a compiler prints: `Steps.swift:12:9: warning: text [rule]`.
    public var description: String {
        "\(path):\(line):\(column): \(severity.rawValue): \(message) [\(rule)]"
    }
}
