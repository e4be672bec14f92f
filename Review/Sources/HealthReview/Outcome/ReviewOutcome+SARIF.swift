import Foundation

extension ReviewOutcome {
    /// Returns the outcome as a SARIF 2.1.0 log, for code hosts.
    ///
    /// Paths are relative to a folder, and columns count UTF-16 code units. A fingerprint is built
    /// from the finding's rule, file and line text, so it stays the same when lines move.
    ///
    /// - Parameter folder: The absolute path that artifact paths are relative to: the repository's
    ///   root, usually the working directory.
    /// - Returns: The log as JSON text.
    public func sarif(from folder: String) -> String {
        let rules = RuleDescription.all
        let places = Dictionary(
            uniqueKeysWithValues: rules.enumerated().map { ($1.name, $0) })
        var seen: [String: Int] = [:]
        let results = findings.map { finding -> JSON in
            let uri = Self.uri(absolutes[finding.path] ?? finding.path, from: folder)
            let line = text(of: finding)
            let mark = Fingerprint(
                [finding.rule, uri, line.trimmingCharacters(in: .whitespaces)]).text
            seen[mark, default: 0] += 1
            var members: [(String, JSON)] = [("ruleId", .string(finding.rule))]
            if let place = places[finding.rule] { members.append(("ruleIndex", .number(place))) }
            members += [
                ("level", .string(finding.severity.rawValue)),
                ("message", .object([("text", .string(finding.message + "."))])),
                (
                    "locations",
                    .array([
                        Self.location(
                            uri, line: finding.line,
                            column: Self.column(finding.column, in: line))
                    ])
                ),
                (
                    "partialFingerprints",
                    .object([("primaryLocationLineHash", .string("\(mark):\(seen[mark] ?? 1)"))])
                ),
            ]
            if let fix = finding.fix { members.append(("fixes", Self.fixes(fix, uri))) }
            return .object(members)
        }
        let run = JSON.object([
            ("tool", .object([("driver", Self.driver(rules))])),
            ("columnKind", .string("utf16CodeUnits")),
            ("invocations", .array([.object(invocation(from: folder))])),
            ("results", .array(results)),
        ])
        return JSON.object([
            ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
            ("version", .string("2.1.0")),
            ("runs", .array([run])),
        ]).text + "\n"
    }

    private static func driver(_ rules: [RuleDescription]) -> JSON {
        .object([
            ("name", .string(Review.tool)),
            ("semanticVersion", .string(Review.version)),
            ("rules", .array(rules.map { json($0) })),
        ])
    }

    private static func json(_ rule: RuleDescription) -> JSON {
        let summary = rule.summary.prefix(1).uppercased() + rule.summary.dropFirst() + "."
        var members: [(String, JSON)] = [
            ("id", .string(rule.name)),
            ("shortDescription", .object([("text", .string(summary))])),
        ]
        if let page = rule.page {
            members.append(
                ("help", .object([("text", .string(page)), ("markdown", .string(page))])))
        }
        if let link = rule.link { members.append(("helpUri", .string(link))) }
        members.append(
            ("defaultConfiguration", .object([("level", .string(rule.severity.rawValue))])))
        return .object(members)
    }

    /// The SARIF invocation. It lists unread files, so that they don't look like files without
    /// findings.
    private func invocation(from folder: String) -> [(String, JSON)] {
        let unread = unread.filter(\.losesCode).map { one -> JSON in
            .object([
                ("level", .string("warning")),
                ("message", .object([("text", .string("\(one.path): not read: \(one.reason)."))])),
            ])
        }
        let malformed = malformed.map { one -> JSON in
            .object([
                ("level", .string("warning")),
                ("message", .object([("text", .string(one.reason + "."))])),
                (
                    "locations",
                    .array([
                        Self.location(
                            Self.uri(absolutes[one.path] ?? one.path, from: folder),
                            line: one.line, column: 1)
                    ])
                ),
            ])
        }
        return [
            ("executionSuccessful", .bool(true)),
            ("toolExecutionNotifications", .array(unread + malformed)),
        ]
    }

    private static func fixes(_ fix: Fix, _ uri: String) -> JSON {
        let replacements = fix.edits.map { edit -> JSON in
            .object([
                (
                    "deletedRegion",
                    .object([
                        ("byteOffset", .number(edit.offset)), ("byteLength", .number(edit.length)),
                    ])
                ),
                ("insertedContent", .object([("text", .string(edit.replacement))])),
            ])
        }
        let change = JSON.object([
            ("artifactLocation", .object([("uri", .string(uri))])),
            ("replacements", .array(replacements)),
        ])
        return .array([
            .object([
                ("description", .object([("text", .string(fix.summary + "."))])),
                ("artifactChanges", .array([change])),
            ])
        ])
    }

    private static func location(_ uri: String, line: Int, column: Int) -> JSON {
        .object([
            (
                "physicalLocation",
                .object([
                    ("artifactLocation", .object([("uri", .string(uri))])),
                    (
                        "region",
                        .object([("startLine", .number(line)), ("startColumn", .number(column))])
                    ),
                ])
            )
        ])
    }

    /// Converts a column in UTF-8 bytes to a column in UTF-16 code units. Both count from 1.
    static func column(_ bytes: Int, in line: String) -> Int {
        String(decoding: line.utf8.prefix(bytes - 1), as: UTF8.self).utf16.count + 1
    }

    /// Returns a percent-encoded URI: relative for a path below the folder, `file:` for other
    /// paths.
    static func uri(_ absolute: String, from folder: String) -> String {
        let isBelow = absolute.isInside(folder)
        let path = isBelow ? absolute.path(from: folder) : absolute
        var encoded = ""
        for byte in path.utf8 {
            let character = Character(UnicodeScalar(byte))
            if character.isASCII,
                character.isLetter || character.isNumber || "-._~/".contains(character)
            {
                encoded.append(character)
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return isBelow || !absolute.hasPrefix("/") ? encoded : "file://" + encoded
    }
}

/// A 64-bit FNV-1a hash of several texts. It is the same on every run and machine.
struct Fingerprint {
    let text: String

    init(_ parts: [String]) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in parts.joined(separator: "\0").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }
}
