import Foundation

/// A set of known findings, so that an existing project only reports new ones.
///
/// A finding matches by its rule, its file and the text of its line, so lines may move. A file that
/// is gone matches any other by rule and text, so files may move too. Equal findings are counted.
public struct Baseline: Sendable, Hashable {
    /// The properties that equal findings share.
    struct Entry: Sendable, Hashable, Comparable {
        var rule: String
        /// The path, relative to the baseline's folder.
        var path: String
        /// The line's text, trimmed.
        var text: String

        static func < (one: Entry, other: Entry) -> Bool {
            (one.path, one.rule, one.text) < (other.path, other.rule, other.text)
        }
    }

    private(set) var counts: [Entry: Int] = [:]
    /// The absolute folder that paths are relative to.
    private let folder: String

    private static let version = 1

    /// Creates a baseline from the findings of an outcome.
    ///
    /// - Parameters:
    ///   - outcome: The review's outcome.
    ///   - file: The path the baseline will be written to. Entries are relative to its folder.
    public init(of outcome: ReviewOutcome, for file: String) {
        self.init(of: outcome, in: Self.folder(of: file))
    }

    /// Creates a baseline whose entries are relative to an absolute folder.
    init(of outcome: ReviewOutcome, in folder: String) {
        self.folder = folder
        for finding in outcome.findings {
            counts[entry(finding, outcome), default: 0] += 1
        }
    }

    /// Returns the same entries, relative to another absolute folder.
    func moved(to folder: String) -> Baseline {
        var moved = Baseline(of: ReviewOutcome(), in: folder)
        moved.counts = counts
        return moved
    }

    /// Returns the entries without as many equal ones of another baseline as that has.
    func without(_ other: Baseline) -> Baseline {
        var rest = self
        for (entry, count) in other.counts {
            let absolute = other.folder == "/" ? "/" + entry.path : other.folder + "/" + entry.path
            var own = entry
            own.path = absolute.path(from: folder)
            guard let mine = rest.counts[own] else { continue }
            rest.counts[own] = mine > count ? mine - count : nil
        }
        return rest
    }

    /// Reads a baseline.
    ///
    /// - Parameter file: The path of the baseline.
    /// - Throws: ``ReviewError`` if the file can't be read or isn't a baseline.
    public init(file: String) throws(ReviewError) {
        folder = Self.folder(of: file)
        let object = try JSONFile(file).object
        guard let version = object["version"] as? Int else {
            throw .meaningless(file: file, key: "version", reason: "a number is meant")
        }
        guard version == Self.version else {
            throw .meaningless(
                file: file, key: "version", reason: "\(version) is newer than this command")
        }
        guard let entries = object["findings"] as? [[String: Any]] else {
            throw .meaningless(file: file, key: "findings", reason: "a list is meant")
        }
        for (index, entry) in entries.enumerated() {
            guard let rule = entry["rule"] as? String, let path = entry["path"] as? String,
                let text = entry["text"] as? String, let count = entry["count"] as? Int, count > 0
            else {
                throw .meaningless(
                    file: file, key: "findings[\(index)]",
                    reason: "rule, path, text and count are meant")
            }
            counts[Entry(rule: rule, path: path, text: text), default: 0] += count
        }
    }

    /// The baseline as JSON: one sorted entry per line, so that version control can merge it.
    public var text: String {
        let entries = counts.sorted { $0.key < $1.key }.map { entry, count in
            "    { \"path\": \(JSON.quoted(entry.path)), \"rule\": \(JSON.quoted(entry.rule)), "
                + "\"text\": \(JSON.quoted(entry.text)), \"count\": \(count) }"
        }
        let list = entries.isEmpty ? "[]" : "[\n\(entries.joined(separator: ",\n"))\n  ]"
        return "{\n  \"version\": \(Self.version),\n  \"findings\": \(list)\n}\n"
    }

    /// Writes the baseline, atomically.
    ///
    /// - Parameter file: The path of the file to write.
    /// - Throws: ``ReviewError/file(_:reason:)``
    public func write(to file: String) throws(ReviewError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw .file(file, reason: "can't be written")
        }
    }

    /// Removes known findings from an outcome and counts them in ``ReviewOutcome/known``.
    ///
    /// - Parameter outcome: The outcome to filter.
    /// - Returns: The entries that no longer occur, one line each. Entries for existing files that
    ///   weren't reviewed are omitted.
    /// - Complexity: O(findings + entries · log entries).
    public func hide(in outcome: inout ReviewOutcome) -> [String] {
        let before = outcome.findings.count
        let left = remove(from: &outcome)
        outcome.known += before - outcome.findings.count
        let reviewed = Set(outcome.absolutes.values.map { $0.path(from: folder) })
        return left.filter { reviewed.contains($0.key.path) || isGone($0.key.path) }
            .sorted { $0.key < $1.key }
            .map { entry, count in
                "\(entry.path.printable): [\(entry.rule.printable)] \(entry.text.printable)"
                    + (count > 1 ? " (\(count) times)" : "")
            }
    }

    /// Removes the entries' findings from an outcome.
    ///
    /// - Returns: The entries that no longer occur.
    func remove(from outcome: inout ReviewOutcome) -> [Entry: Int] {
        var left = counts
        outcome.findings = outcome.findings.filter { finding in
            let entry = entry(finding, outcome)
            guard let count = left[entry] else { return true }
            left[entry] = count > 1 ? count - 1 : nil
            return false
        }
        guard !outcome.findings.isEmpty else { return left }
        var moved = Dictionary(grouping: left.keys.filter { isGone($0.path) }) {
            [$0.rule, $0.text]
        }
        guard !moved.isEmpty else { return left }
        outcome.findings = outcome.findings.filter { finding in
            let entry = entry(finding, outcome)
            let key = [entry.rule, entry.text]
            guard let old = moved[key]?.last, let count = left[old] else { return true }
            left[old] = count > 1 ? count - 1 : nil
            if count == 1 { moved[key]?.removeLast() }
            return false
        }
        return left
    }

    /// Returns whether there is no file at a path of an entry.
    private func isGone(_ path: String) -> Bool {
        FileKind.behindLinks(folder == "/" ? "/" + path : folder + "/" + path) == nil
    }

    private func entry(_ finding: Finding, _ outcome: ReviewOutcome) -> Entry {
        Entry(
            rule: finding.rule,
            path: (outcome.absolutes[finding.path] ?? finding.path).path(from: folder),
            text: outcome.text(of: finding).trimmingCharacters(in: .whitespaces))
    }

    private static func folder(of file: String) -> String {
        let parent = file.contains("/") ? file.parentFolder : "."
        return SourceTree.canonical(parent) ?? parent
    }
}
