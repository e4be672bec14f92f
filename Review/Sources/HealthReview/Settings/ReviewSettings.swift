/// What a project says about a review, as `.openhealth-review.json` does.
public struct ReviewSettings: Sendable, Hashable {
    /// How a rule's findings are told.
    public enum Level: String, Sendable, CaseIterable {
        case off, note, warning, error
    }

    /// Levels by rule, where they aren't the rule's own. All findings of the rule take the level,
    /// also those that the rule itself takes lighter.
    public var levels: [String: Level] = [:]
    /// Globs of what is left out, from ``folder``: `Vendored/**`, `*.generated.swift`.
    public var exclude: [String] = []
    /// The severity from which findings fail a run.
    public var failOn: Severity?
    /// The folder that ``exclude`` is read from, absolute.
    public var folder: String

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

    /// A finding with its severity as it is wanted; nil if the rule is off.
    func applied(to finding: Finding) -> Finding? {
        guard let level = levels[finding.rule] else { return finding }
        guard let severity = Severity(rawValue: level.rawValue) else { return nil }
        var finding = finding
        finding.severity = severity
        return finding
    }

    var exclusion: Exclusion { Exclusion(globs: exclude.map { Glob($0) }, folder: folder) }

    /// What the globs leave out.
    struct Exclusion: Sendable {
        var globs: [Glob]
        var folder: String

        func leavesOut(_ absolute: String) -> Bool {
            guard !globs.isEmpty else { return false }
            let prefix = folder == "/" ? "/" : folder + "/"
            guard absolute.hasPrefix(prefix) else { return false }
            let path = absolute.dropFirst(prefix.count)
            return globs.contains { $0.matches(String(path)) }
        }
    }
}

/// A pattern of paths: `*` is anything but a slash, `**` anything, `?` one character but a slash.
///
/// A pattern without a slash is held against every name on the way, one with a slash against the whole
/// path or a folder on the way. A folder's match takes in all that lies in it.
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

    /// Whether it says nothing, and would match everything.
    var isEmpty: Bool { pattern.isEmpty }

    /// - Complexity: O(path · pattern) but for several `**`.
    func matches(_ path: String) -> Bool {
        let names = path.split(separator: "/").map(Array.init)
        if isName, let pattern = pattern.first {
            return names.contains { Self.isMatch(pattern[...], $0[...]) }
        }
        return Self.isMatch(pattern[...], names[...])
    }

    /// Whether the pattern matches the names, or a folder that they lie in.
    private static func isMatch(
        _ pattern: ArraySlice<[Character]>, _ names: ArraySlice<[Character]>
    ) -> Bool {
        guard let first = pattern.first else { return true }
        if first == ["*", "*"] {
            // Behind a slash it stands for what lies in the folder, not for the folder.
            if pattern.count == 1 { return !names.isEmpty }
            return names.indices.contains { isMatch(pattern.dropFirst(), names[$0...]) }
        }
        guard let name = names.first, isMatch(first[...], name[...]) else { return false }
        return isMatch(pattern.dropFirst(), names.dropFirst())
    }

    /// One name against one part: greedy stars with one step back, so that time stays quadratic.
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
