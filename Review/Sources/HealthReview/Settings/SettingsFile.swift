import Foundation

/// The file `.openhealth-review.json`, for example:
///
///     {
///       "rules": { "unbounded-query": "error", "forced-type": "off" },
///       "exclude": ["Vendored/**"],
///       "failOn": "error"
///     }
extension ReviewSettings {
    /// The name of the settings file.
    public static let fileName = ".openhealth-review.json"

    /// Returns the settings for paths: from the file in the nearest enclosing folder, up to the
    /// repository's root (the folder with `.git`), or the defaults if there is no file.
    ///
    /// - Parameter paths: The files and folders to review.
    /// - Returns: The settings of all paths.
    /// - Throws: ``ReviewError`` if a file has an invalid value, or if the paths have different
    ///   files.
    public static func found(for paths: [String]) throws(ReviewError) -> ReviewSettings {
        var first: String??
        for path in paths {
            let file = nearestFile(above: path)
            if let first, first != file {
                throw .settingsDiffer(first ?? "none", file ?? "none")
            }
            first = .some(file)
        }
        guard case .some(.some(let file)) = first else { return ReviewSettings() }
        return try ReviewSettings(file: file)
    }

    /// Reads a settings file.
    ///
    /// - Parameter file: The path of the file.
    /// - Throws: ``ReviewError``, which names the file and the key.
    public init(file: String) throws(ReviewError) {
        try self.init(file: file, rules: Set(Review.ruleNames))
    }

    init(file: String, rules: Set<String>) throws(ReviewError) {
        let object = try JSONFile(file).object
        let absolute = SourceTree.canonical(file) ?? file
        self.init(folder: absolute.parentFolder)
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            switch key {
            case "rules": levels = try Self.levels(value, file, rules)
            case "exclude":
                guard let globs = value as? [String] else {
                    throw .meaningless(file: file, key: key, reason: "a list of globs is meant")
                }
                if let empty = globs.firstIndex(where: { Glob($0).isEmpty }) {
                    throw .meaningless(
                        file: file, key: "exclude[\(empty)]", reason: "an empty glob")
                }
                exclude = globs
            case "failOn":
                guard let severity = (value as? String).flatMap(Severity.init(rawValue:)) else {
                    throw .meaningless(
                        file: file, key: key, reason: "note, warning or error is meant")
                }
                failOn = severity
            default:
                throw .meaningless(
                    file: file, key: key,
                    reason: "there is no such setting; rules, exclude and failOn are")
            }
        }
    }

    private static func levels(
        _ value: Any, _ file: String, _ known: Set<String>
    ) throws(ReviewError) -> [String: Level] {
        guard let rules = value as? [String: Any] else {
            throw .meaningless(file: file, key: "rules", reason: "levels by rule are meant")
        }
        var levels: [String: Level] = [:]
        for (rule, value) in rules.sorted(by: { $0.key < $1.key }) {
            guard known.contains(rule) else {
                let near = SpellingSuggestion.best(for: rule, among: known)
                throw .meaningless(
                    file: file, key: "rules.\(rule)",
                    reason: "there is no such rule" + (near.map { "; did you mean \($0)?" } ?? ""))
            }
            guard let level = (value as? String).flatMap(Level.init(rawValue:)) else {
                throw .meaningless(
                    file: file, key: "rules.\(rule)",
                    reason: "off, note, warning or error is meant")
            }
            levels[rule] = level
        }
        return levels
    }

    private static func nearestFile(above path: String) -> String? {
        guard let start = SourceTree.canonical(path) else { return nil }
        var folder = FileKind.at(start) == .folder ? start : start.parentFolder
        while true {
            let file = folder == "/" ? "/" + fileName : folder + "/" + fileName
            if FileKind.behindLinks(file) == .file { return file }
            if folder == "/" || FileKind.behindLinks(folder + "/.git") != nil { return nil }
            folder = folder.parentFolder
        }
    }
}

/// A JSON file whose outermost value is an object.
struct JSONFile {
    let object: [String: Any]

    init(_ path: String) throws(ReviewError) {
        let text: FileText
        do {
            text = try FileText.swift(at: path)
        } catch {
            throw .file(path, reason: error.reason)
        }
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: Data(text.text.utf8))
        } catch {
            let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
            throw .file(path, reason: "no JSON" + (detail.map { ": \($0.withoutFullStop)" } ?? ""))
        }
        guard let object = value as? [String: Any] else {
            throw .file(path, reason: "an object is meant: { … }")
        }
        self.object = object
    }
}

extension String {
    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
