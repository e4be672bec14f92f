import Foundation

/// Writes a message with a C format string, including `%{public}@` and `%{private}d`.
///
/// As on Apple's platforms, the arguments of `%@` and `%s` are private unless marked as public, and
/// numbers are public unless marked as private. An argument of the wrong kind is written as its
/// description, a missing one as `<decode: missing data>`.
///
/// - Parameters:
///   - message: The format string.
///   - dso: Ignored.
///   - log: The log.
///   - type: The level.
///   - args: The arguments of the format.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    type: OSLogType = .default, _ args: Any...
) {
    log.write(type, OSLogMessage(format: "\(message)", arguments: args))
}

/// Writes a message with a C format string. Takes the level as the first argument; otherwise like
/// the function that takes the format string first.
///
/// - Parameters:
///   - type: The level.
///   - dso: Ignored.
///   - log: The log.
///   - message: The format string.
///   - args: The arguments of the format.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    _ message: StaticString, _ args: Any...
) {
    log.write(type, OSLogMessage(format: "\(message)", arguments: args))
}

/// Writes a message with interpolated values to the default log, at the default level.
///
/// - Parameter message: The message.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message) }

/// Writes a message with interpolated values.
///
/// - Parameters:
///   - type: The level.
///   - log: The log.
///   - message: The message.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message)
}

extension OSLogMessage {
    init(format: String, arguments: [Any]) {
        var parts: [Part] = []
        var arguments = arguments[...]
        var remaining = Substring(format)
        while let percent = remaining.firstIndex(of: "%") {
            parts.append(.literal(String(remaining[..<percent])))
            remaining = remaining[remaining.index(after: percent)...]
            guard let directive = Directive(&remaining) else {
                parts.append(.literal("%"))
                continue
            }
            parts.append(
                directive.isPercent ? .literal("%") : directive.part(arguments.popFirst()))
        }
        parts.append(.literal(String(remaining)))
        self.init(parts: parts)
    }

    /// A parsed format directive. `%{public}-8.2lf` has the privacy `public`, the modifiers "-8.2"
    /// and the letter "f"; length modifiers such as `l` are dropped.
    private struct Directive {
        var isPublic: Bool?
        var modifiers = ""
        var letter: Character = "@"

        var isPercent: Bool { letter == "%" }

        init?(_ remaining: inout Substring) {
            var text = remaining
            if text.first == "{" {
                guard let brace = text.firstIndex(of: "}") else { return nil }
                let words = text[..<brace].dropFirst().split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                if words.contains("public") { isPublic = true }
                if words.contains("private") || words.contains("sensitive") { isPublic = false }
                text = text[text.index(after: brace)...]
            }
            modifiers = String(text.prefix { "-+ #0123456789.".contains($0) })
            text = text.dropFirst(modifiers.count).drop { "hlqztjL".contains($0) }
            guard let letter = text.first, "%@sSdDiuUxXoOfFeEgGaAcCp".contains(letter) else {
                return nil
            }
            self.letter = letter
            remaining = text.dropFirst()
        }

        func part(_ argument: Any?) -> Part {
            guard let argument else { return .literal("<decode: missing data>") }
            let isVisible = isPublic ?? !"@sS".contains(letter)
            let text = text(argument)
            return isVisible ? .literal(text) : .privateValue(text)
        }

        private func text(_ argument: Any) -> String {
            switch letter {
            case "f", "F", "e", "E", "g", "G", "a", "A":
                if let number = argument as? Double ?? (argument as? Float).map(Double.init) {
                    return String(format: "%\(modifiers)\(letter)", number)
                }
            case "d", "D", "i", "u", "U", "x", "X", "o", "O":
                if let number = (argument as? any BinaryInteger).map({ Int64(clamping: $0) }) {
                    let letter = letter.lowercased() == "x" ? "\(letter)" : letter.lowercased()
                    return String(format: "%\(modifiers)ll\(letter)", number)
                }
            default: break
            }
            return String(describing: argument)
        }
    }
}
