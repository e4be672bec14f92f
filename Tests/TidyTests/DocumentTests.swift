import Foundation
import HealthTesting
import Testing

@testable import Ledger

/// Checks the documents against the repository's content.
@Suite struct DocumentTests {
    let tree: SourceTree

    init() throws { tree = try SourceTree.current.get() }

    @Test("make has at most eighteen verbs, each with its line of help")
    func verbs() throws {
        let makefile = try file("Makefile")
        let verbs = makefile.lines.filter { $0.first?.isLowercase == true && $0.contains(": ") }
        #expect(verbs.count <= 18)
        #expect(verbs.allSatisfy { $0.contains(" ## ") })
    }

    @Test(
        "the compatibility ledger is what the tests say today; if not, run make ledger", .inTestAll)
    func ledger() throws {
        let root = SourceTree.repository
        let stored = try file("Documentation/Compatibility.md")
        let rendered = try Ledger.render(root)
        #expect(stored.lines == SourceFile(path: "", text: rendered).lines)
    }

    @Test("every link to a file of the repository leads somewhere")
    func links() {
        for document in tree.files where document.path.hasSuffix(".md") {
            let folder = SourceTree.repository.appending(path: document.path)
                .deletingLastPathComponent()
            for (index, line) in document.lines.enumerated() {
                for target in line.linkTargets where !target.contains(":") {
                    // DocC finds images by their name, wherever they are in the catalogue.
                    let places = document.path.contains(".docc/") ? ["", "Resources/"] : [""]
                    let isThere = places.contains { place in
                        let file = folder.appending(path: place + target)
                        return FileManager.default.fileExists(
                            atPath: file.path(percentEncoded: false))
                    }
                    #expect(isThere, "\(document.path):\(index + 1): no \(target)")
                }
            }
        }
    }

    @Test("README shows every subcommand")
    func subcommands() throws {
        let readme = try file("README.md").lines
        for command in tree.swift where command.target == "openhealth" {
            for (name, line) in command.commandNames where name != "openhealth" {
                #expect(
                    readme.contains { $0.contains("openhealth ") && $0.containsWord(name) },
                    "\(command.path):\(line): README.md doesn't show \(name)")
            }
        }
    }

    private func file(_ path: String) throws -> SourceFile {
        try #require(tree.files.first { $0.path == path })
    }
}

extension SourceFile {
    /// The names of the ArgumentParser commands in this file.
    fileprivate var commandNames: [(name: String, line: Int)] {
        lines.enumerated().compactMap { index, line in
            let parts = line.split(separator: "\"")
            guard parts.count > 1, String(parts[0]).trimmed.hasSuffix("commandName:")
            else { return nil }
            return (String(parts[1]), index + 1)
        }
    }
}

extension String {
    /// The targets of the Markdown links in this line, without fragments.
    fileprivate var linkTargets: [String] {
        ranges(of: "](").compactMap { range in
            let target = self[range.upperBound...].prefix { !")# ".contains($0) }
            return target.isEmpty ? nil : String(target)
        }
    }
}
