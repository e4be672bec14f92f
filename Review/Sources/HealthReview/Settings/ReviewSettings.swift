/// A project's settings for a review, as in `.openhealth-review.json`.
public struct ReviewSettings: Sendable, Hashable {
    /// How a rule's findings are reported.
    public enum Level: String, Sendable, CaseIterable {
        case off, note, warning, error
    }

    /// The levels of rules that differ from the default. A level applies to all findings of the
    /// rule, even to those that the rule itself reports at a lower severity.
    public var levels: [String: Level] = [:]
    /// The globs to exclude, relative to ``folder``: `Vendored/**`, `*.generated.swift`.
    public var exclude: [String] = []
    /// The lowest severity that fails a run; nil for the command's default.
    public var failOn: Severity?
    /// The absolute folder that ``exclude`` is relative to.
    public var folder: String

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - levels: The levels of rules that differ from the default.
    ///   - exclude: The globs to exclude, relative to `folder`.
    ///   - failOn: The lowest severity that fails a run; nil for the command's default.
    ///   - folder: The absolute folder that `exclude` is relative to.
    public init(
        levels: [String: Level] = [:], exclude: [String] = [], failOn: Severity? = nil,
        folder: String = "/"
    ) {
        self.levels = levels
        self.exclude = exclude
        self.failOn = failOn
        self.folder = folder
    }

    func level(of rule: String) -> Level? { levels[rule] }

    /// Returns a finding with the severity of the settings, or nil if the rule is off.
    func applied(to finding: Finding) -> Finding? {
        guard let level = levels[finding.rule] else { return finding }
        guard let severity = Severity(rawValue: level.rawValue) else { return nil }
        var finding = finding
        finding.severity = severity
        return finding
    }

    var exclusion: Exclusion { Exclusion(globs: exclude.map { Glob($0) }, folder: folder) }

    /// The files and folders that the globs exclude.
    struct Exclusion: Sendable {
        var globs: [Glob]
        var folder: String

        func excludes(_ absolute: String) -> Bool {
            guard !globs.isEmpty else { return false }
            let prefix = folder == "/" ? "/" : folder + "/"
            guard absolute.hasPrefix(prefix) else { return false }
            let path = absolute.dropFirst(prefix.count)
            return globs.contains { $0.matches(String(path)) }
        }
    }
}

/// A path pattern: `*` matches anything except a slash, `**` anything, `?` one character except a
/// slash.
///
/// A pattern without a slash is matched against every name in the path. A pattern with a slash is
/// matched against the path or an enclosing folder. A matched folder includes its contents.
struct Glob: Sendable {
    private let pattern: [[Character]]
    private let isName: Bool

    init(_ text: String) {
        var text = text[...]
        if text.hasPrefix("./") { text = text.dropFirst(2) }
        while text.hasSuffix("/") { text.removeLast() }
        isName = !text.contains("/")
        pattern = text.split(separator: "/").map(Array.init)
    }

    /// Whether the pattern is empty, and would match everything.
    var isEmpty: Bool { pattern.isEmpty }

    /// Returns whether the pattern matches a relative path.
    ///
    /// - Complexity: O(path · pattern), except for patterns with several `**`.
    func matches(_ path: String) -> Bool {
        let names = path.split(separator: "/").map(Array.init)
        if isName, let pattern = pattern.first {
            return names.contains { Self.isMatch(pattern[...], $0[...]) }
        }
        return Self.isMatch(pattern[...], names[...])
    }

    /// Returns whether the pattern matches the names, or an enclosing folder of them.
    private static func isMatch(
        _ pattern: ArraySlice<[Character]>, _ names: ArraySlice<[Character]>
    ) -> Bool {
        guard let first = pattern.first else { return true }
        if first == ["*", "*"] {
            // After a slash it matches a folder's contents, not the folder.
            if pattern.count == 1 { return !names.isEmpty }
            return names.indices.contains { isMatch(pattern.dropFirst(), names[$0...]) }
        }
        guard let name = names.first, isMatch(first[...], name[...]) else { return false }
        return isMatch(pattern.dropFirst(), names.dropFirst())
    }

    /// Matches one name against one part, with greedy stars and one backtracking point: quadratic
    /// time.
    private static func isMatch(
        _ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>
    ) -> Bool {
        var (pattern, name) = (pattern, name)
        var back: (pattern: ArraySlice<Character>, name: ArraySlice<Character>)?
        while let character = name.first {
            if pattern.first == "*" {
                pattern = pattern.dropFirst()
                back = (pattern, name)
            } else if pattern.first == "?" || pattern.first == character {
                pattern = pattern.dropFirst()
                name = name.dropFirst()
            } else if let (stars, rest) = back {
                pattern = stars
                name = rest.dropFirst()
                back = (stars, name)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == "*" }
    }
}
