import Foundation
import Testing

@testable import HealthReview

@Suite("what a change has brought")
struct ChangedSinceTests {
    /// A repository whose first commit is tagged `before`.
    private func repository(_ files: [String: String]) throws -> TemporaryTree {
        let tree = try TemporaryTree(files)
        try git(["init", "--quiet", "--initial-branch", "main"], tree)
        try commit(tree)
        try git(["tag", "before"], tree)
        return tree
    }

    private func git(_ arguments: [String], _ tree: TemporaryTree) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "git", "-C", tree.path, "-c", "user.name=Test", "-c", "user.email=test@localhost",
                "-c", "commit.gpgsign=false",
            ] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "git \(arguments)")
    }

    private func commit(_ tree: TemporaryTree) throws {
        try git(["add", "--all"], tree)
        try git(["commit", "--quiet", "--message", "A change"], tree)
    }

    private func changes(
        in tree: TemporaryTree, since name: String = "before", _ names: [String] = [""]
    ) throws -> ReviewOutcome {
        let paths = names.map { $0.isEmpty ? tree.path : tree.path + "/" + $0 }
        let review = Review(paths: paths, rules: [BadCall(), OtherCall()])
        var outcome = try review.run()
        try GitRevision(since: name, paths: paths).hideOld(in: &outcome, of: review)
        return outcome
    }

    @Test("is shown: in changed lines, in new files and in files that git doesn't know yet")
    func shown() throws {
        let tree = try repository(["a.swift": "bad()\nlet x = 1\n", "b.swift": "bad()\n"])
        try tree.write("\nbad()\nlet x = bad()\n", to: "a.swift")
        try commit(tree)
        try tree.write("other()\n", to: "new/c.swift")
        let outcome = try changes(in: tree)
        #expect(tree.places(outcome) == ["a.swift:3:9 bad-call", "new/c.swift:1:1 other-call"])
        #expect(outcome.unchanged == 2)
        #expect(outcome.summary.contains("Hidden: 2 from before the change."))
    }

    @Test("isn't a file that has moved, but is a second call in it")
    func moved() throws {
        let tree = try repository(["a.swift": "bad()\n"])
        try FileManager.default.removeItem(atPath: tree.path + "/a.swift")
        try tree.write("let a = 1\nbad()\nbad()\n", to: "Sources/b.swift")
        #expect(tree.places(try changes(in: tree)) == ["Sources/b.swift:3:1 bad-call"])
    }

    @Test("is counted from where a branch began, not from where the other branch is now")
    func branch() throws {
        let tree = try repository(["a.swift": "let a = 1\n"])
        try git(["checkout", "--quiet", "-b", "topic"], tree)
        try tree.write("bad()\n", to: "b.swift")
        try commit(tree)
        try git(["checkout", "--quiet", "main"], tree)
        try tree.write("bad()\nlet b = 1\n", to: "b.swift")
        try commit(tree)
        try git(["checkout", "--quiet", "topic"], tree)
        #expect(tree.places(try changes(in: tree, since: "main")) == ["b.swift:1:1 bad-call"])
    }

    @Test("is found below a folder, for one file, and with the settings' excluded files left out")
    func paths() throws {
        let tree = try repository(["app/a.swift": "bad()\n", "app/gen/b.swift": "bad()\n"])
        try tree.write("bad()\nbad()\n", to: "app/a.swift")
        #expect(tree.places(try changes(in: tree, ["app"])) == ["app/a.swift:2:1 bad-call"])
        #expect(tree.places(try changes(in: tree, ["app/a.swift"])) == ["app/a.swift:2:1 bad-call"])
        let settings = ReviewSettings(exclude: ["gen"], folder: tree.path + "/app")
        let review = Review(paths: [tree.path + "/app"], settings: settings, rules: [BadCall()])
        var outcome = try review.run()
        try GitRevision(since: "before", paths: review.paths).hideOld(in: &outcome, of: review)
        #expect(tree.places(outcome) == ["app/a.swift:2:1 bad-call"])
        #expect(outcome.unchanged == 1)
    }

    @Test("leaves out excluded files of the revision also if the settings are at its root")
    func excludedAtRoot() throws {
        let tree = try repository(["V/old.swift": "bad()\n", "b.swift": "let b = 1\n"])
        try FileManager.default.removeItem(atPath: tree.path + "/V/old.swift")
        try tree.write("bad()\n", to: "b.swift")
        let settings = ReviewSettings(exclude: ["V/**"], folder: tree.path)
        let review = Review(paths: [tree.path], settings: settings, rules: [BadCall()])
        var outcome = try review.run()
        try GitRevision(since: "before", paths: review.paths).hideOld(in: &outcome, of: review)
        #expect(tree.places(outcome) == ["b.swift:1:1 bad-call"])
    }

    @Test("is shown beside an equal call that a baseline has hidden")
    func besideBaseline() throws {
        let tree = try repository(["a.swift": "bad()\n"])
        let review = Review(paths: [tree.path], rules: [BadCall()])
        let baseline = Baseline(of: try review.run(), for: tree.path + "/baseline.json")
        try tree.write("bad()\nbad()\n", to: "a.swift")
        var outcome = try review.run()
        _ = baseline.hide(in: &outcome)
        try GitRevision(since: "before", paths: review.paths)
            .hideOld(in: &outcome, of: review, after: baseline)
        #expect(tree.places(outcome) == ["a.swift:2:1 bad-call"])
    }

    @Test("is found also if git writes thousands of lines of errors", .timeLimit(.minutes(2)))
    func chattyGit() throws {
        let names = (0..<900).map { "Sources_with_a_long_name_\($0).swift" }
        let files = Dictionary(names.map { ($0, "let x = 1\n") }, uniquingKeysWith: { a, _ in a })
        let tree = try repository(files)
        try git(["config", "filter.chatty.smudge", "no-such-program"], tree)
        try tree.write("*.swift filter=chatty\n", to: ".git/info/attributes")
        try tree.write("bad()\n", to: names[0])
        #expect(tree.places(try changes(in: tree)) == ["\(names[0]):1:1 bad-call"])
    }

    @Test("leaves the work tree and the index as they are")
    func untouched() throws {
        let tree = try repository(["a.swift": "bad()\n"])
        try tree.write("bad()\nbad()\n", to: "a.swift")
        let index = try Data(contentsOf: URL(filePath: tree.path + "/.git/index"))
        _ = try changes(in: tree)
        #expect(try Data(contentsOf: URL(filePath: tree.path + "/.git/index")) == index)
        let status = try Git(folder: tree.path).output(["status", "--porcelain"], of: "HEAD")
        #expect(String(decoding: status, as: UTF8.self) == " M a.swift\n")
    }

    @Test("isn't guessed: an unknown revision, an option as a name and a place without git fail")
    func failures() throws {
        let tree = try repository(["a.swift": "bad()\n"])
        for name in ["nothing", "--all", "", "HEAD:a.swift"] {
            #expect(throws: ReviewError.self, "\(name)") { try changes(in: tree, since: name) }
        }
        let plain = try TemporaryTree(["a.swift": "bad()\n"])
        #expect(throws: ReviewError.self) { try changes(in: plain) }
        #expect(throws: ReviewError.self) {
            try GitRevision(since: "before", paths: [tree.path, plain.path])
        }
    }
}
