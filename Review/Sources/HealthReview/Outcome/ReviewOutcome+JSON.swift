extension ReviewOutcome {
    /// The outcome as `--json` prints it. `Documentation/Review/Running.md` describes the format.
    public var json: String {
        JSON.object([
            ("version", .number(1)),
            (
                "tool",
                .object([("name", .string(Review.tool)), ("version", .string(Review.version))])
            ),
            ("findings", .array(findings.map(Self.json))),
            (
                "counts",
                .object(
                    Severity.allCases.reversed().map { ($0.rawValue, .number(count($0))) }
                        + [
                            ("suppressed", .number(suppressed)), ("known", .number(known)),
                            ("unchanged", .number(unchanged)),
                            ("notesNotShown", .number(hiddenNotes)),
                        ])
            ),
            (
                "read",
                .object([
                    ("files", .number(files)), ("lines", .number(lines)),
                    ("testsLeftOut", .number(tests)), ("excluded", .number(excluded)),
                ])
            ),
            (
                "unread",
                .array(
                    unread.map {
                        .object([
                            ("path", .string($0.path)), ("reason", .string($0.reason)),
                            ("losesCode", .bool($0.losesCode)),
                        ])
                    })
            ),
            (
                "malformed",
                .array(
                    malformed.map {
                        .object([
                            ("path", .string($0.path)), ("line", .number($0.line)),
                            ("column", .number($0.column)), ("reason", .string($0.reason)),
                        ])
                    })
            ),
            (
                "leftOut",
                .object(skipped.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) })
            ),
        ]).text + "\n"
    }

    private static func json(_ finding: Finding) -> JSON {
        .object([
            ("rule", .string(finding.rule)), ("severity", .string(finding.severity.rawValue)),
            ("path", .string(finding.path)), ("line", .number(finding.line)),
            ("column", .number(finding.column)), ("message", .string(finding.message)),
        ])
    }
}
