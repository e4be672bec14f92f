extension ReviewOutcome {
    /// Whether text output contains colour codes.
    public enum TextStyle: Sendable {
        case plain, colored
    }

    /// Returns the findings in compiler format, one line for each rule in a file.
    ///
    /// A rule that finds the same in several places of a file prints the first, and names the lines
    /// of the others: `Steps.swift:12:9: warning: … (also lines 30, 41) [rule]`.
    ///
    /// - Parameter style: Whether the text contains colour codes.
    /// - Returns: The lines, joined; empty if there are no findings.
    public func text(_ style: TextStyle = .plain) -> String {
        repeats.map { Self.line($0.first, path: $0.first.path, $0.also, style) }.joined()
    }

    /// Returns every finding in the format that Xcode shows beside the code: absolute paths, one
    /// line for each.
    ///
    /// - Returns: The lines, joined; empty if there are no findings.
    public func xcode() -> String {
        findings.map { Self.line($0, path: absolutes[$0.path] ?? $0.path, "", .plain) }.joined()
    }

    /// The first finding of each rule in each file, with the lines of the others.
    private var repeats: [(first: Finding, also: String)] {
        var places: [[String]: Int] = [:]
        var groups: [(first: Finding, lines: [Int])] = []
        for finding in findings {
            let key = [finding.path, finding.rule, finding.severity.rawValue]
            if let place = places[key] {
                groups[place].lines.append(finding.line)
            } else {
                places[key] = groups.count
                groups.append((finding, []))
            }
        }
        return groups.map { group in
            let lines = group.lines.filter { $0 != group.first.line }
            guard !lines.isEmpty else { return (group.first, "") }
            let shown = lines.prefix(8).map(String.init) + (lines.count > 8 ? ["…"] : [])
            let word = lines.count == 1 ? "line" : "lines"
            return (group.first, " (also \(word) \(shown.joined(separator: ", ")))")
        }
    }

    private static func line(
        _ finding: Finding, path: String, _ also: String, _ style: TextStyle
    ) -> String {
        let place = "\(path.printable):\(finding.line):\(finding.column):"
        let severity = "\(finding.severity.rawValue):"
        let message = finding.message.printable + also
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
    }
}
