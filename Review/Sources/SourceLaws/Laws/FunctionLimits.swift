import SwiftSyntax

/// The limits on a function's length and nesting depth, and the exceptions.
///
/// A function is a `func`, an `init`, a `deinit`, an accessor, or a closure outside all of these.
/// Local functions and closures belong to the function that contains them.
///
/// The length counts lines from `func`, `init` or `get` (`var` for a getter without `get`) to the
/// closing brace, including blank lines and comments. Doc comments, attributes and the lines of
/// nested types don't count. Members of nested types are measured separately.
///
/// The depth is the number of open braces around a statement, without the function's own, of: `if`
/// and its `else` (a chain of `else if` is one), `guard … else`, `for`, `while`, `repeat`, `do` and
/// `catch`, `defer`, `switch` (its cases add nothing), closures and local functions. Braces that
/// open and close on one line add nothing.
enum FunctionLimits {
    static let lines = 60
    static let depth = 4
    static let summary = "no function is longer than 60 lines or nested more than 4 deep"

    /// A function that may exceed the limits.
    struct Exception: Sendable {
        let path: String
        /// The function's name in breaches: "render(_:)".
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
    /// Functions that exceed a limit without an exception, and unused exceptions.
    var excessiveFunctions: [Breach] {
        var unused = FunctionLimits.exceptions.filter { $0.path == path }
        var found: [Breach] = []
        for function in functions where function.isExcessive {
            let granted = FunctionLimits.exceptions.contains {
                $0.path == path && $0.function == function.name
            }
            unused.removeAll { $0.function == function.name }
            if !granted { found.append(breach(function.complaint, atLine: function.line)) }
        }
        return found
            + unused.map {
                breach("\($0.function) needs its exception no more", atLine: 1)
            }
    }

    /// All functions with their measurements, in source order.
    public var functions: [MeasuredFunction] {
        let search = FunctionSearch(self)
        search.walk(tree)
        return search.functions.sorted { $0.line < $1.line }
    }
}

/// A function's length and depth. ``FunctionLimits`` defines what counts.
public struct MeasuredFunction {
    /// The name: "sum(of:by:)", "init(name:)", "total" for a getter, "total.set" for another
    /// accessor.
    public let name: String
    /// The line of the declaration, counted from 1.
    public let line: Int
    /// The number of lines.
    public let lines: Int
    /// The largest nesting depth.
    public let depth: Int
    /// The first line of the deepest block.
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
