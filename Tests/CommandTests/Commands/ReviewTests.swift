import Foundation
import HealthTesting
import Testing

@testable import openhealth

/// `openhealth review`, with a script in place of the tool.
@Suite(.inTestAll) struct ReviewTests {
    /// Creates a folder with an executable at each path, which prints its name and arguments and
    /// exits with 3.
    private func folder(_ tools: [String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for tool in tools {
            let url = URL(fileURLWithPath: folder.path + "/" + tool)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let script = """
                #!/bin/sh
                echo "\(tool)"
                for word in "$@"; do printf '<%s>\\n' "$word"; done
                echo told >&2
                exit 3
                """
            try Data(script.utf8).write(to: url)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: url.path)
        }
        return folder
    }

    private func search(
        _ folder: TemporaryFolder, executable: String, environment: [String: String] = [:]
    ) -> ReviewTool {
        ReviewTool(
            environment: environment,
            executable: URL(fileURLWithPath: folder.path + "/" + executable))
    }

    @Test("all arguments, both streams and the exit status are the tool's")
    func passing() throws {
        let folder = try folder(["tool"])
        let environment = ["OPENHEALTH_REVIEW": folder.path + "/tool"]
        let run = try CommandRun(
            ["review", "--json", "a b", "--store", "x", "-5", "--", "--as"],
            environment: environment)
        #expect(run.output == "tool\n<--json>\n<a b>\n<--store>\n<x>\n<-5>\n<-->\n<--as>\n")
        #expect(run.errors == "told\n")
        #expect(run.status == 3)
        #expect(
            try CommandRun(["review", "--help"], environment: environment).output
                == "tool\n<--help>\n")
        #expect(try CommandRun(["review"], environment: environment).output == "tool\n")
    }

    @Test("the tool is looked for beside the command, in its repository, then on PATH")
    func order() throws {
        let name = ReviewTool.name
        let places = [
            "repository/.build/debug/\(name)", "repository/Review/.build/release/\(name)",
            "repository/Review/.build/debug/\(name)", "bin/\(name)",
        ]
        for first in places.indices {
            let folder = try folder(Array(places[first...]) + ["repository/Review/Package.swift"])
            let search = search(
                folder, executable: "repository/.build/debug/openhealth",
                environment: ["PATH": "relative:/nonexistent:\(folder.path)/bin"])
            #expect(try search.path == folder.path + "/" + places[first])
        }
    }

    @Test("a configured tool that can't be run is reported, and no other is used")
    func named() throws {
        let folder = try folder(["bin/\(ReviewTool.name)"])
        let run = try CommandRun(
            ["review"],
            environment: ["OPENHEALTH_REVIEW": folder.path + "/no", "PATH": folder.path + "/bin"])
        #expect(run.status == 1)
        #expect(run.errors.contains("$OPENHEALTH_REVIEW is \(folder.path)/no"))
        #expect(run.output.isEmpty)
    }

    @Test("a folder or a file without permission is no tool")
    func noTool() throws {
        let folder = try folder(["a/\(ReviewTool.name)/x", "b/\(ReviewTool.name)"])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: "\(folder.path)/b/\(ReviewTool.name)")
        let search = search(
            folder, executable: "c/openhealth",
            environment: ["PATH": "\(folder.path)/a:\(folder.path)/b"])
        #expect(try search.path == nil)
    }

    @Test("where there is none, the one command that builds it is said, with the real path")
    func missing() throws {
        let folder = try folder(["my code/Review/Package.swift"])
        let known = search(folder, executable: "my code/.build/debug/openhealth")
        #expect(try known.path == nil)
        #expect(
            known.missing.description.hasSuffix(
                "  swift build -c release --package-path '\(folder.path)/my code/Review' --product openhealth-review"
            ))
        let unknown = search(folder, executable: "bin/openhealth")
        #expect(
            unknown.missing.description.contains(
                "  swift build -c release --package-path Review --product openhealth-review\n"))
    }
}
