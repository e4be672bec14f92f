import Foundation

/// A review of Swift code that uses HealthKit.
///
///     let outcome = try Review(paths: ["Sources"]).run()
///     for finding in outcome.findings { print(finding) }
///     // Sources/Steps.swift:12:9: warning: … [summed-samples]
///
/// Files are grouped into targets by their folders, and every rule checks every target. Suppression
/// comments and settings are applied. A review reads only the given files and changes nothing.
public struct Review: Sendable {
    /// How to treat code that tests other code: files that import XCTest or Testing.
    public enum TestCode: Sendable {
        case excluded, reviewed
    }

    /// The files and folders to review, in the form that findings use.
    public var paths: [String]
    /// The levels of rules, and the excluded files.
    public var settings: ReviewSettings
    /// How to treat files that test other code.
    public var testCode: TestCode

    let rules: [any Rule]

    /// Creates a review with all rules.
    ///
    /// - Parameters:
    ///   - paths: The files and folders to review.
    ///   - settings: The levels of rules, and the excluded files.
    ///   - testCode: How to treat files that test other code.
    public init(
        paths: [String], settings: ReviewSettings = ReviewSettings(),
        testCode: TestCode = .excluded
    ) {
        self.init(paths: paths, settings: settings, testCode: testCode, rules: AllRules.all)
    }

    init(
        paths: [String], settings: ReviewSettings = ReviewSettings(),
        testCode: TestCode = .excluded, rules: [any Rule]
    ) {
        self.paths = paths
        self.settings = settings
        self.testCode = testCode
        self.rules = rules
    }

    /// Reads, parses and reviews the files, on all processors.
    ///
    /// - Returns: The findings, and the files that couldn't be read or parsed.
    /// - Throws: ``ReviewError`` if a given path doesn't exist. Files that can't be read or parsed
    ///   are part of the outcome.
    /// - Complexity: O(n) in the code's length, for each rule.
    public func run() throws(ReviewError) -> ReviewOutcome {
        let exclusion = settings.exclusion
        let tree = try SourceTree(paths: paths) { exclusion.excludes($0) }
        var outcome = ReviewOutcome()
        outcome.unread = tree.unread
        outcome.skipped = tree.skipped
        outcome.excluded = tree.excluded

        let found = tree.files
        let read = LargeStackThreads.map(found.count) { ReadFile(found[$0]) }
        var swift: [String: ReviewedFile] = [:]
        var projects: [String: ProjectFile] = [:]
        for (file, read) in zip(found, read) {
            switch read {
            case .swift(let reviewed):
                if testCode == .excluded, reviewed.source.isTest {
                    outcome.tests += 1
                } else {
                    swift[file.path] = reviewed
                    outcome.add(reviewed, at: file)
                }
            case .project(let project): projects[file.path] = project
            case .unread(let reason):
                outcome.unread.append(ReviewOutcome.Unread(path: file.path, reason: reason))
            }
        }
        outcome.unread.sort { $0.path < $1.path }
        let targets = targets(found, swift, projects)
        outcome.add(applying(suppressions: findings(in: targets), in: swift), settings, swift)
        return outcome
    }

    private func targets(
        _ found: [FoundFile], _ swift: [String: ReviewedFile], _ projects: [String: ProjectFile]
    ) -> [Target] {
        var groups = TargetGroups(
            files: found.filter { swift[$0.path] != nil },
            paths: paths.map { SourceTree.canonical($0) ?? $0 })
        let mentioned = swift.values.reduce(into: Set<String>()) {
            $0.formUnion($1.source.uses.names)
        }
        let projectFiles = found.filter { projects[$0.path] != nil }
        var targets = groups.groups.map { group in
            Target(
                name: group.name, kind: group.kind,
                files: group.files.compactMap { swift[$0.path]?.source },
                projectFiles: groups.projectFiles(of: group, among: projectFiles)
                    .compactMap { projects[$0.path] },
                mentioned: mentioned)
        }
        let delivering = targets.filter { $0.kind == .library }.reduce(into: [:]) {
            $0[$1.name] = $1.deliveryStarters
        }.filter { !$0.value.isEmpty }
        if !delivering.isEmpty {
            for place in targets.indices { targets[place].deliveringModules = delivering }
        }
        return targets
    }

    /// Returns what every enabled rule finds in every target.
    private func findings(in targets: [Target]) -> [Finding] {
        let rules = rules.filter { settings.level(of: $0.name) != .off }
        let found = LargeStackThreads.map(targets.count * rules.count) { index in
            let rule = rules[index % rules.count]
            var report = Report(rule)
            rule.review(targets[index / rules.count], &report)
            return Array(report.findings)
        }
        let once = Set(rules.filter { $0.scope == .review }.map(\.name))
        let findings = found.flatMap { $0 }
        let firsts = Dictionary(
            grouping: findings.filter { once.contains($0.rule) }, by: \.rule
        ).values.compactMap { $0.min() }
        return findings.filter { !once.contains($0.rule) } + firsts
    }

    private func applying(
        suppressions findings: [Finding], in files: [String: ReviewedFile]
    ) -> Suppressions.Result {
        let byFile = Dictionary(grouping: findings, by: \.path)
        let names = Set(rules.map(\.name)).union(BuiltInRule.allCases.map(\.name))
        let off = Set(names.filter { settings.level(of: $0) == .off })
        let marked = files.values.filter(\.hasMarks)
        let results = LargeStackThreads.map(marked.count) { index in
            let file = marked[index]
            return Suppressions(file).applied(
                by: byFile[file.source.path] ?? [], known: names, off: off)
        }
        let untouched = byFile.filter { files[$0.key]?.hasMarks != true }.values.flatMap { $0 }
        return results.reduce(Suppressions.Result(findings: untouched)) { $0.adding($1) }
    }
}

extension ReviewOutcome {
    fileprivate mutating func add(_ reviewed: ReviewedFile, at file: FoundFile) {
        files += 1
        lines += reviewed.lineCount
        absolutes[file.path] = file.absolute
        if !reviewed.isValidUTF8 {
            malformed.append(
                Malformed(
                    path: file.path, line: 1, column: 1,
                    reason: "not UTF-8 throughout; read as far as it is"))
        } else if let error = reviewed.syntaxError {
            malformed.append(
                Malformed(
                    path: file.path, line: error.line, column: error.column,
                    reason: "no Swift from here; read as far as it is"))
        }
    }

    /// Adds findings, with the severities of the settings and the text of their lines.
    fileprivate mutating func add(
        _ result: Suppressions.Result, _ settings: ReviewSettings, _ swift: [String: ReviewedFile]
    ) {
        suppressed = result.suppressed
        findings = result.findings.compactMap { settings.applied(to: $0) }.sorted()
        for (path, findings) in Dictionary(grouping: findings, by: \.path) {
            guard let file = swift[path] else { continue }
            if findings.contains(where: { $0.fix != nil }) { reviewed[path] = file.text }
            let lines = LineTexts(file.text)
            for finding in findings {
                texts[path, default: [:]][finding.line] = lines[finding.line]
            }
        }
    }
}
