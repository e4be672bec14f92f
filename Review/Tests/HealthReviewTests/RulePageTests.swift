import Foundation
import Testing

@testable import HealthReview

@Suite("the rules' pages")
struct RulePageTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.deletingLastPathComponent()
        .appending(path: "Documentation/Review")
    private static let rendered = root.appending(
        path: "Sources/HealthReview/Generated/RulePages.swift")

    /// Returns the pages of rules, whose names start in lowercase, unlike the other pages there.
    private func pages() throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
            .filter { $0.hasSuffix(".md") && $0.first?.isLowercase == true }
        return try names.reduce(into: [:]) { pages, name in
            pages[String(name.dropLast(3))] = try String(
                contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        }
    }

    @Test("the command has them as they are; OPENHEALTH_UPDATE_FIXTURES=1 renders them anew")
    func rendered() throws {
        var text = """
            // Rendered from Documentation/Review by RulePageTests; don't edit.

            /// The rules' pages, by name.
            enum RulePages {
                static let all: [String: String] = [

            """
        for (name, page) in try pages().sorted(by: { $0.key < $1.key }) {
            let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : "            " + $0
            }
            text += "        \"\(name)\": ###\"\"\"\n"
            text += lines.joined(separator: "\n") + "\n            \"\"\"###,\n"
        }
        text += "    ]\n}\n"
        if ProcessInfo.processInfo.environment["OPENHEALTH_UPDATE_FIXTURES"] == "1" {
            try Data(text.utf8).write(to: Self.rendered)
            return
        }
        #expect(try String(contentsOf: Self.rendered, encoding: .utf8) == text)
        #expect(RulePages.all == (try pages()))
    }

    @Test("every rule has one, and every page is a rule's")
    func complete() throws {
        #expect(Set(try pages().keys) == Set(RuleDescription.all.map(\.name)))
    }

    @Test("a page begins with its rule's name and says its severity")
    func beginnings() throws {
        for rule in RuleDescription.all {
            guard let page = rule.page else { continue }
            #expect(page.hasPrefix("# \(rule.name)\n"), "\(rule.name)")
            #expect(page.contains(rule.severity.rawValue), "\(rule.name)")
        }
    }

    @Test("the index lists every rule, its severity and what it finds")
    func index() throws {
        let index = try String(
            contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        let rows = index.split(separator: "\n").filter { $0.hasPrefix("| [") }
        #expect(
            rows.map(String.init)
                == RuleDescription.all.sorted { $0.name < $1.name }.map {
                    "| [\($0.name)](\($0.name).md) | \($0.severity.rawValue) | \($0.summary) |"
                })
    }

    @Test("a name that is nearly one leads to it")
    func near() throws {
        #expect(try RuleDescription.named("ignore-unused").severity == .note)
        let error = #expect(throws: RuleDescription.UnknownRule.self) {
            try RuleDescription.named("ignore-unusd")
        }
        #expect(
            error?.description == "There is no rule “ignore-unusd”; did you mean ignore-unused?")
    }
}
