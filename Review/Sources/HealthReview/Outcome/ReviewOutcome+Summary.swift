extension ReviewOutcome {
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
        if hiddenNotes > 0 {
            text += " \(Self.plural(hiddenNotes, "note")) not shown: --notes."
        }
        let hidden = [
            suppressed > 0 ? "\(suppressed) by comments" : nil,
            known > 0 ? "\(known) by the baseline" : nil,
            unchanged > 0 ? "\(unchanged) from before the change" : nil,
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

    /// The reason behind the gravest finding, for standard error: the first paragraph of its
    /// rule's page. It is empty if there are no findings.
    public var explanation: String {
        let gravest = findings.max { one, other in
            (one.severity, other) < (other.severity, one)
        }
        guard let gravest else { return "" }
        let reason = RuleDescription.all.first { $0.name == gravest.rule }?.reason
        let place = "\(gravest.path.printable):\(gravest.line)"
        return "Why \(gravest.rule) (\(place)):\n"
            + (reason.map { $0.split(separator: "\n").map { "  \($0)\n" }.joined() } ?? "")
            + "The fix: \(Review.tool) --explain \(gravest.rule)\n"
    }

    private static func plural(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}
