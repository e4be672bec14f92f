import SwiftSyntax

/// The limits on a function's length and nesting depth, and the exceptions.
///
/// A function is a `func`, an `init`, a `deinit`, an accessor, or a closure outside all of these.
/// Local functions and closures belong to the function that contains them.
///
/// The length counts lines from the keyword, such as `func`, `init` or `get`, to the closing brace,
/// including blank lines and comments. A getter without `get` begins at `var` or `subscript`, a
/// closure at its brace. Doc comments and attributes before the keyword don't count, nor do the
/// lines of nested types. Members of nested types are measured separately.
///
/// The depth of a statement is the number of pairs of braces around it, without the function's own.
/// These braces count: `if` and its `else` (a chain of `else if` is one), `guard … else`, `for`,
/// `while`, `repeat`, `do` and `catch`, `defer`, `switch` (its cases add nothing), closures and
/// local functions. Braces that open and close on one line add nothing.
enum FunctionLimits {
    static let lines = 60
    static let depth = 4
    static let summary = "no function is longer than 60 lines or nested more than 4 deep"

    /// A function that may exceed the limits.
    struct Exception: Sendable {
        let path: String
        /// The function's name in violations: "render(_:)".
        let function: String
        let reason: String
    }

    /// The exceptions. If there are more than a dozen, the limits need to change.
    static let exceptions: [Exception] = [
        Exception(
            path: "Sources/HealthEngine/Statistics/EntryRun.swift",
            function: "withRun(_:sources:_:)",
            reason: "Swift lends a buffer to a closure alone, and a run is made of six")
    ]
}

extension SourceFile {
    /// Functions that exceed a limit without an exception, and exceptions for this file that no
    /// function needs.
    var excessiveFunctions: [Violation] {
        var unused = FunctionLimits.exceptions.filter { $0.path == path }
        var found: [Violation] = []
        for function in functions where function.isExcessive {
            let granted = FunctionLimits.exceptions.contains {
                $0.path == path && $0.function == function.name
            }
            unused.removeAll { $0.function == function.name }
            if !granted { found.append(violation(function.complaint, atLine: function.line)) }
        }
        return found
            + unused.map {
                violation("\($0.function) needs its exception no more", atLine: 1)
            }
    }

    /// All functions that have a body, with their measurements, by line.
    public var functions: [MeasuredFunction] {
        let search = FunctionSearch(self)
        search.walk(tree)
        return search.functions.sorted { $0.line < $1.line }
    }
}

/// A function's length and depth. ``FunctionLimits`` defines what counts.
public struct MeasuredFunction {
    /// The name: "sum(of:by:)", "init(name:)", "total" for a getter, "total.set" for another
    /// accessor, "total closure" for a closure in a stored property.
    public let name: String
    /// The first line that counts, from 1: the line of `func`, for example.
    public let line: Int
    /// The length in lines.
    public let lines: Int
    /// The largest depth of a statement; 0 without nested braces.
    public let depth: Int
    /// The line at which the first block of the largest depth begins; 0 if the depth is 0.
    public let deepestLine: Int

    var isExcessive: Bool { lines > FunctionLimits.lines || depth > FunctionLimits.depth }

    var complaint: String {
        var parts: [String] = []
        if lines > FunctionLimits.lines {
            parts.append("\(lines) lines, \(FunctionLimits.lines) at most")
        }
        if depth > FunctionLimits.depth {
            parts.append(
                "nested \(depth) deep in line \(deepestLine), \(FunctionLimits.depth) at most")
        }
        return "\(name): " + parts.joined(separator: "; ")
    }
}
