/// One finding of a rule, with its location.
public struct Finding: Sendable, Hashable {
    /// The name of the rule, for example `unbounded-query`.
    public var rule: String
    /// The severity, after the project's settings are applied.
    public var severity: Severity
    /// The path of the file, as reached from the given path.
    public var path: String
    /// The line number, counted from 1.
    public var line: Int
    /// The column, counted from 1 in UTF-8 bytes, as compilers count.
    public var column: Int
    /// One sentence without a full stop: what is wrong and what the consequence is.
    public var message: String
    /// A mechanical correction; nil if a person must decide.
    public var fix: Fix?

    public init(
        rule: String, severity: Severity, path: String, line: Int, column: Int, message: String,
        fix: Fix? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.message = message
        self.fix = fix
    }
}

extension Finding: Comparable {
    /// Orders findings by file, line, column, rule and message.
    public static func < (one: Finding, other: Finding) -> Bool {
        (one.path, one.line, one.column, one.rule, one.message)
            < (other.path, other.line, other.column, other.rule, other.message)
    }
}

extension Finding: CustomStringConvertible {
    /// The finding in compiler format: `Steps.swift:12:9: warning: text [rule]`.
    public var description: String {
        "\(path):\(line):\(column): \(severity.rawValue): \(message) [\(rule)]"
    }
}
