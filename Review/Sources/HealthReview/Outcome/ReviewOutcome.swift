/// What a review found, and what it didn't read.
public struct ReviewOutcome: Sendable {
    /// By file, line, column and rule; suppressed ones are gone, severities are as the settings say.
    public var findings: [Finding] = []
    /// What was asked for and not read.
    public var unread: [Unread] = []
    /// Files that were read as far as they are Swift.
    public var malformed: [Malformed] = []
    /// Folders that hold other people's code or none, by name, with how often.
    public var leftOut: [String: Int] = [:]
    /// Files and folders that the settings leave out.
    public var excluded = 0
    /// Files of tests that were left out.
    public var tests = 0
    /// Swift files reviewed.
    public var files = 0
    /// Their lines.
    public var lines = 0
    /// Findings that a comment hides.
    public var suppressed = 0
    /// Findings that a baseline hides.
    public var known = 0

    /// The lines that findings stand in, for what needs their text.
    var texts: [String: [Int: String]] = [:]
    /// Where every reviewed file is, from the file system's root.
    var absolutes: [String: String] = [:]

    /// Something that was asked for and couldn't be read.
    public struct Unread: Sendable, Hashable {
        public var path: String
        /// In a few words, without a full stop.
        public var reason: String
        /// Whether code may stand there that nobody reviewed. A link back to a folder above it is told
        /// and loses nothing.
        public var losesCode = true
    }

    /// A file that the parser had to mend.
    public struct Malformed: Sendable, Hashable {
        public var path: String
        /// From 1: where it stops being Swift.
        public var line: Int
        /// From 1, in UTF-8 bytes.
        public var column: Int
        /// In a few words, without a full stop.
        public var reason: String
    }

    /// The number of findings of a severity.
    ///
    /// - Complexity: O(findings).
    public func count(_ severity: Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// Whether all that was asked for was read, and was Swift.
    public var isWhole: Bool { malformed.isEmpty && !unread.contains { $0.losesCode } }

    /// The command's exit status: 3 with findings at or above a severity, else 2 if something wasn't
    /// read or was malformed, else 0.
    public func status(failOn severity: Severity) -> Int32 {
        if findings.contains(where: { $0.severity >= severity }) { return 3 }
        return isWhole ? 0 : 2
    }

    /// The text of the line that a finding stands in; empty if it can't be told.
    func text(of finding: Finding) -> String { texts[finding.path]?[finding.line] ?? "" }
}

/// Why a review wasn't done.
public enum ReviewError: Error, Hashable, CustomStringConvertible {
    /// A given path leads nowhere.
    case missing(String)
    /// A settings file or a baseline can't be read or written.
    case file(String, reason: String)
    /// A settings file or a baseline says something that has no meaning.
    ///
    /// The key is a path in the file: `rules.unbounded-query`.
    case meaningless(file: String, key: String, reason: String)
    /// The given paths stand under different settings files.
    case settingsDiffer(String, String)

    public var description: String {
        switch self {
        case .missing(let path): "\(path.printable): no such file or folder."
        case .file(let file, let reason): "\(file.printable): \(reason)."
        case .meaningless(let file, let key, let reason):
            "\(file.printable): \(key.printable): \(reason)."
        case .settingsDiffer(let one, let other):
            "The paths have different settings, \(one.printable) and \(other.printable): "
                + "review them one by one, or say --config."
        }
    }
}

extension String {
    /// Without what could steer a terminal or begin another line.
    var printable: String {
        guard unicodeScalars.contains(where: Self.steers) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            text +=
                Self.steers(scalar)
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(Character(scalar))
        }
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator]
            .contains(scalar.properties.generalCategory)
    }
}
