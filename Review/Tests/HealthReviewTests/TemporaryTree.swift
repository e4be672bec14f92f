import Foundation
import SwiftSyntax

@testable import HealthReview

/// A temporary folder for a test, removed when the value is released.
final class TemporaryTree: Sendable {
    let path: String

    /// Creates the folder with files.
    ///
    /// - Parameter files: The texts of the files, by path.
    init(_ files: [String: String] = [:]) throws {
        let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "HealthReviewTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ data: Data, to name: String) throws {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path + "/" + name, withDestinationPath: target)
    }

    func protect(_ name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0], ofItemAtPath: path + "/" + name)
    }

    /// Reviews files with the tests' rules. Paths are relative to the folder.
    func review(
        _ names: [String] = [""], settings: ReviewSettings = ReviewSettings(),
        testCode: Review.TestCode = .excluded, rules: [any Rule] = [BadCall(), OtherCall()]
    ) throws -> ReviewOutcome {
        try Review(
            paths: names.map { $0.isEmpty ? path : path + "/" + $0 }, settings: settings,
            testCode: testCode, rules: rules
        ).run()
    }

    /// Returns a path in the form that the test uses.
    func short(_ path: String) -> String {
        path.hasPrefix(self.path + "/") ? String(path.dropFirst(self.path.count + 1)) : path
    }

    /// Returns findings in the form "a.swift:1:1 bad-call".
    func places(_ outcome: ReviewOutcome) -> [String] {
        outcome.findings.map { "\(short($0.path)):\($0.line):\($0.column) \($0.rule)" }
    }
}

/// Reports calls of `bad`.
struct BadCall: Rule {
    let name = "bad-call"
    let summary = "a call of bad"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for (file, call) in target.calls(of: "bad") {
            report.add("bad in \(target.name)", at: call, in: file)
        }
    }
}

/// Reports calls of `other`, with the project files that apply to the target.
struct OtherCall: Rule {
    let name = "other-call"
    let summary = "a call of other"
    let severity = Severity.note

    func review(_ target: Target, _ report: inout Report) {
        for (file, call) in target.calls(of: "other") {
            let files = target.projectFiles.map(\.path.lastName).sorted()
            report.add("beside \(files.joined(separator: " "))", at: call, in: file)
        }
    }
}

extension Target {
    fileprivate func calls(of name: String) -> [(SourceFile, FunctionCallExprSyntax)] {
        files.flatMap { file in
            let search = CallSearch(name)
            search.walk(file.tree)
            return search.found.map { (file, $0) }
        }
    }
}

private final class CallSearch: SyntaxVisitor {
    let name: String
    var found: [FunctionCallExprSyntax] = []

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        if called == name { found.append(node) }
        return .visitChildren
    }
}
