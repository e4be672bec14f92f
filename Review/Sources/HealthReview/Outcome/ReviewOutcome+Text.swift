extension ReviewOutcome {
    /// Whether text output contains colour codes.
    public enum TextStyle: Sendable {
        case plain, colored
    }

    /// Returns the findings in compiler format, one per line.
    ///
    /// - Parameter style: Whether the text contains colour codes.
    /// - Returns: The lines, joined; empty if there are no findings.
    public func text(_ style: TextStyle = .plain) -> String {
        findings.map { finding in
            let place = "\(finding.path.printable):\(finding.line):\(finding.column):"
            let severity = "\(finding.severity.rawValue):"
            let message = finding.message.printable
            switch style {
            case .plain: return "\(place) \(severity) \(message) [\(finding.rule)]\n"
            case .colored:
                let color =
                    switch finding.severity {
                    case .error: "1;31"
                    case .warning: "1;33"
                    case .note: "1;36"
                    }
                return "\u{1B}[1m\(place)\u{1B}[0m \u{1B}[\(color)m\(severity)\u{1B}[0m "
                    + "\(message) \u{1B}[90m[\(finding.rule)]\u{1B}[0m\n"
            }
        }.joined()
    }

    /// A summary for standard error: what was read, what was found and what wasn't read.
    public var summary: String {
        var text = unread.map { "\($0.path.printable): not read: \($0.reason).\n" }.joined()
        text += malformed.map {
            "\($0.path.printable):\($0.line):\($0.column): \($0.reason).\n"
        }.joined()
        let severities = Severity.allCases.reversed().compactMap { severity in
            count(severity) > 0 ? Self.plural(count(severity), severity.rawValue) : nil
        }
        let found = severities.isEmpty ? "nothing found" : severities.joined(separator: ", ")
        text += "\(Self.plural(files, "file")), \(Self.plural(lines, "line")): \(found)."
        let hidden = [
            suppressed > 0 ? "\(suppressed) by comments" : nil,
            known > 0 ? "\(known) by the baseline" : nil,
        ].compactMap { $0 }
        if !hidden.isEmpty { text += " Hidden: \(hidden.joined(separator: ", "))." }
        let lost = unread.count { $0.losesCode }
        let damage = [
            lost > 0 ? "\(lost) not read" : nil,
            malformed.isEmpty ? nil : "\(malformed.count) malformed",
        ].compactMap { $0 }
        if !damage.isEmpty { text += " Incomplete: \(damage.joined(separator: ", "))." }
        var left = skipped.sorted { $0.key < $1.key }.map { name, count in
            name.printable + (count > 1 ? " (\(count))" : "")
        }
        if tests > 0 { left.append(Self.plural(tests, "file of tests", "files of tests")) }
        if excluded > 0 { left.append("\(excluded) by the settings") }
        if !left.isEmpty { text += " Left out: \(left.joined(separator: ", "))." }
        return text + "\n"
    }

    private static func plural(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}
