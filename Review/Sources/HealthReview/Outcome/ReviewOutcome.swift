/// The result of a review: the findings, and the files that weren't read.
public struct ReviewOutcome: Sendable {
    /// The findings that remain after suppressions and the baseline, with the severities of the
    /// settings. They are ordered by file, line, column and rule.
    public var findings: [Finding] = []
    /// Requested files and folders that weren't read.
    public var unread: [Unread] = []
    /// Files with syntax errors. The parts that parsed were reviewed.
    public var malformed: [Malformed] = []
    /// The number of skipped folders by name: third-party code and build products.
    public var skipped: [String: Int] = [:]
    /// The number of files and folders that the settings exclude.
    public var excluded = 0
    /// The number of test files that were skipped.
    public var tests = 0
    /// The number of Swift files that were reviewed.
    public var files = 0
    /// The number of lines in the reviewed files.
    public var lines = 0
    /// The number of findings that comments suppress.
    public var suppressed = 0
    /// The number of findings that the baseline suppresses.
    public var known = 0
    /// The number of findings that were there before a change.
    public var unchanged = 0
    /// The number of notes that ``hideNotes()`` removed.
    public private(set) var hiddenNotes = 0

    /// The text of each line that has a finding, by path and line number.
    var texts: [String: [Int: String]] = [:]
    /// The text of each file with a finding that has a correction, as it was reviewed.
    var reviewed: [String: String] = [:]
    /// The absolute path of each reviewed file, by the path that findings use.
    var absolutes: [String: String] = [:]

    /// A requested file or folder that couldn't be read.
    public struct Unread: Sendable, Hashable {
        /// The path, as reached from the given path.
        public var path: String
        /// A short phrase without a full stop.
        public var reason: String
        /// Whether unreviewed code may be at the path. It is false for a link to an enclosing
        /// folder, which is reported but hides no code.
        public var losesCode = true
    }

    /// A file with a syntax error.
    public struct Malformed: Sendable, Hashable {
        /// The path, as reached from the given path.
        public var path: String
        /// The line of the first syntax error, counted from 1.
        public var line: Int
        /// The column, counted from 1 in UTF-8 bytes.
        public var column: Int
        /// A short phrase without a full stop.
        public var reason: String
    }

    /// Removes notes from the findings and counts them in ``hiddenNotes``.
    ///
    /// - Complexity: O(findings).
    public mutating func hideNotes() {
        hiddenNotes += count(.note)
        findings.removeAll { $0.severity == .note }
    }

    /// Returns the number of findings with exactly this severity.
    ///
    /// - Parameter severity: The severity to count.
    /// - Returns: The number of findings, without suppressed ones.
    /// - Complexity: O(findings).
    public func count(_ severity: Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// Whether every requested file was read and had no syntax errors.
    public var isComplete: Bool { malformed.isEmpty && !unread.contains { $0.losesCode } }

    /// Returns the command's exit status.
    ///
    /// - Parameter severity: The lowest severity that fails the run.
    /// - Returns: 3 if a finding has this severity or a higher one; otherwise 2 if a file wasn't
    ///   read or was malformed; otherwise 0.
    /// - Complexity: O(findings).
    public func status(failOn severity: Severity) -> Int32 {
        if findings.contains(where: { $0.severity >= severity }) { return 3 }
        return isComplete ? 0 : 2
    }

    /// Returns the text of the finding's line, or an empty string if it isn't known.
    func text(of finding: Finding) -> String { texts[finding.path]?[finding.line] ?? "" }
}

/// Why a review couldn't be done.
public enum ReviewError: Error, Hashable, CustomStringConvertible {
    /// A given path doesn't exist.
    case missing(String)
    /// A settings file or a baseline couldn't be read or written.
    case file(String, reason: String)
    /// A settings file or a baseline contains an invalid value.
    ///
    /// The key is a path inside the file, for example `rules.unbounded-query`.
    case meaningless(file: String, key: String, reason: String)
    /// The given paths belong to different settings files.
    case settingsDiffer(String, String)
    /// A revision can't be read from the repository.
    case revision(String, reason: String)

    public var description: String {
        switch self {
        case .missing(let path): "\(path.printable): no such file or folder."
        case .file(let file, let reason): "\(file.printable): \(reason)."
        case .meaningless(let file, let key, let reason):
            "\(file.printable): \(key.printable): \(reason)."
        case .settingsDiffer(let one, let other):
            "The paths have different settings, \(one.printable) and \(other.printable): "
                + "review them one by one, or use --config."
        case .revision(let name, let reason): "\(name.printable): \(reason.printable)."
        }
    }
}

extension String {
    /// The text with escapes for characters that could control a terminal or start a new line.
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
