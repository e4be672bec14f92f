import Foundation

@testable import HealthReview

/// Wrong and right code under `Review/Corpus`. A comment `// finds RULE` at the end of a line marks
/// an expected finding. There must be no others.
struct Corpus {
    /// A single file, or an app's folder.
    struct Case: Sendable, CustomStringConvertible {
        let name: String
        let files: [(path: String, text: String)]
        let projectFiles: [ProjectFile]
        let rules: [any Rule]
        var description: String { name }

        /// `path:line rule` for each mark, sorted.
        var marks: [String] {
            files.flatMap { file in
                file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                    .flatMap { number, line in
                        Corpus.rules(markedIn: line).map { "\(file.path):\(number + 1) \($0)" }
                    }
            }.sorted()
        }

        var findings: [String] {
            let target = Target(
                name: name,
                files: files.map { SourceFile(path: $0.path, text: $0.text) }.filter { !$0.isTest },
                projectFiles: projectFiles)
            return rules.flatMap { rule in
                var report = Report(rule)
                rule.review(target, &report)
                return report.findings.map { "\($0.path):\($0.line) \($0.rule)" }
            }.sorted()
        }
    }

    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus")

    /// Rules that need more than a single file.
    static let ofWholeApps = ["availability-never-asked", "usage-strings"]

    static func cases(for rule: String) throws -> [Case] {
        let place = folder.appending(path: rule)
        let rules = AllRules.all.filter { $0.name == rule || !ofWholeApps.contains($0.name) }
        let names = try names(in: place)
        let alone = try names.filter { $0.hasSuffix(".swift") }.map { name in
            let text = try String(contentsOf: place.appending(path: name), encoding: .utf8)
            return Case(
                name: "\(rule)/\(name)", files: [("\(rule)/\(name)", text)], projectFiles: [],
                rules: rules)
        }
        return try alone
            + names.filter { !$0.contains(".") }.map {
                try Case(folder: place.appending(path: $0), name: "\(rule)/\($0)", rules: rules)
            }
    }

    static func apps(in folder: URL = folder.appending(path: "apps")) throws -> [Case] {
        try names(in: folder).map {
            try Case(folder: folder.appending(path: $0), name: $0, rules: AllRules.all)
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path()) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func rules(markedIn line: Substring) -> [String] {
        guard let mark = line.range(of: "// finds ") else { return [] }
        return line[mark.upperBound...].split { ", ".contains($0) }.map(String.init)
    }
}

extension Corpus.Case {
    /// Creates a case of files that are reviewed together: sources and other project files.
    fileprivate init(folder: URL, name: String, rules: [any Rule]) throws {
        var files: [(String, String)] = []
        var others: [ProjectFile] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()).sorted() {
            let file = folder.appending(path: path)
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let kind: ProjectFile.Kind? =
                switch file.pathExtension {
                case "plist": .propertyList
                case "entitlements": .entitlements
                case "pbxproj": .xcodeProject
                case "xml": .pluginManifest
                case "yml", "xcconfig": .buildSettings
                default: nil
                }
            if file.pathExtension == "swift" { files.append(("\(name)/\(path)", text)) }
            if let kind {
                others.append(ProjectFile(path: "\(name)/\(path)", kind: kind, text: text))
            }
        }
        self.init(name: name, files: files, projectFiles: others, rules: rules)
    }
}
