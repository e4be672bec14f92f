/// The one file that converts floating-point numbers to integers by itself.
let conversionHome = "Sources/HealthEngine/WholeNumber.swift"

/// What shows that an expression is a floating-point number.
private let floatingPointMarks = [
    ".rounded(", "Double(", "timeInterval", "TimeInterval", "duration)", "seconds)", ".clamped)",
]

extension SourceFile {
    /// `Int(…)` of a floating-point number, which traps on NaN and on what doesn't fit, such as
    /// the 1e19 steps of a damaged record.
    ///
    /// Only what the line itself shows is found: a rounding, a float literal, an interval. A value
    /// of another file's type isn't, so each conversion of that kind needs a look.
    var trappingConversions: [Breach] {
        guard isSwift, room != nil, path != conversionHome else { return [] }
        return code.enumerated().flatMap { index, line in
            line.matches(of: /\bU?Int(?:8|16|32|64)?\(/).compactMap { match -> Breach? in
                let argument = Self.argument(line[match.range.upperBound...])
                guard !argument.hasPrefix("exactly:"), !argument.hasPrefix("clamping:"),
                    floatingPointMarks.contains(where: argument.contains)
                        || argument.contains(/\d\.\d|\de\d/)
                else { return nil }
                return breach(
                    "\(line[match.range])…) of a floating-point number traps on what doesn't fit: "
                        + "use clamping: or exactly:", at: index + 1)
            }
        }
    }

    /// A call's text up to its closing parenthesis, or to the line's end.
    private static func argument(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[...index] }
        }
        return text
    }
}
