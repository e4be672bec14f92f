import Foundation
import Testing

@testable import HealthReview

@Suite("which files are read")
struct SourceTreeTests {
    private func names(_ tree: TemporaryTree, _ paths: [String] = [""]) throws -> [String] {
        try found(tree, paths).files.map { tree.short($0.path) }
    }

    private func found(_ tree: TemporaryTree, _ paths: [String] = [""]) throws -> SourceTree {
        try SourceTree(paths: paths.map { $0.isEmpty ? tree.path : tree.path + "/" + $0 })
    }

    @Test("Swift and what speaks for a project is found, everywhere below and in order")
    func below() throws {
        let tree = try TemporaryTree([
            "b.swift": "", "a/c/d.swift": "", "App/Info.plist": "", "App/App.entitlements": "",
            "App.xcodeproj/project.pbxproj": "", "README.md": "", "a/x.m": "",
        ])
        #expect(
            try names(tree) == [
                "App.xcodeproj/project.pbxproj", "App/App.entitlements", "App/Info.plist",
                "a/c/d.swift", "b.swift",
            ])
    }

    @Test("other people's code and hidden folders are left out, counted and named")
    func leftOut() throws {
        let tree = try TemporaryTree([
            "Pods/a.swift": "", "x/Pods/a.swift": "", ".build/a.swift": "",
            "node_modules/a.swift": "", "DerivedData/a.swift": "", "Carthage/a.swift": "",
            "SourcePackages/a.swift": "", "checkouts/a.swift": "", "Podsy/a.swift": "",
            "._a.swift": "",
        ])
        let found = try found(tree)
        #expect(found.files.map { tree.short($0.path) } == ["Podsy/a.swift"])
        #expect(
            found.skipped == [
                "Pods": 2, ".build": 1, "node_modules": 1, "DerivedData": 1, "Carthage": 1,
                "SourcePackages": 1, "checkouts": 1, "hidden files": 1,
            ])
    }

    @Test("a folder that is given is read, whatever its name")
    func given() throws {
        let tree = try TemporaryTree(["Pods/a.swift": ""])
        #expect(try names(tree, ["Pods"]) == ["Pods/a.swift"])
    }

    @Test("what is reached twice is read once, by the path without a link")
    func once() throws {
        let tree = try TemporaryTree(["z/a.swift": "", "b.swift": ""])
        try tree.link("aa", to: "z")
        try tree.link("aaa.swift", to: "b.swift")
        #expect(try names(tree) == ["b.swift", "z/a.swift"])
        #expect(try names(tree, ["z", "", "z/a.swift"]) == ["z/a.swift", "b.swift"])
        #expect(try found(tree).unread.isEmpty)
    }

    @Test("a link to code elsewhere is followed, and links behind it too")
    func elsewhere() throws {
        let other = try TemporaryTree(["c.swift": ""])
        let third = try TemporaryTree(["d.swift": ""])
        try other.link("third", to: third.path)
        let tree = try TemporaryTree()
        try tree.link("other", to: other.path)
        #expect(try names(tree) == ["other/c.swift", "other/third/d.swift"])
    }

    @Test("circular links are reported, and no file is lost")
    func loops() throws {
        let tree = try TemporaryTree(["a/b/c.swift": ""])
        try tree.link("a/b/up", to: "..")
        try tree.link("a/root", to: "/")
        try tree.link("a/here", to: ".")
        let found = try found(tree)
        #expect(found.files.map { tree.short($0.path) } == ["a/b/c.swift"])
        #expect(found.unread.map { tree.short($0.path) } == ["a/b/up", "a/here", "a/root"])
        #expect(found.unread.allSatisfy { !$0.losesCode })
    }

    @Test("links that lead nowhere or to themselves are told, but a picture's isn't")
    func dangling() throws {
        let tree = try TemporaryTree()
        try tree.link("gone.swift", to: "nowhere")
        try tree.link("gone", to: "nowhere")
        try tree.link("gone.png", to: "nowhere")
        try tree.link("self.swift", to: "self.swift")
        let unread = try found(tree).unread
        #expect(unread.map { tree.short($0.path) } == ["gone", "gone.swift", "self.swift"])
        #expect(unread.map(\.reason).last == "a link that leads to itself")
        #expect(unread.allSatisfy { $0.losesCode })
    }

    @Test("a path that leads nowhere is refused")
    func missing() throws {
        let tree = try TemporaryTree()
        #expect(throws: ReviewError.missing(tree.path + "/no")) { try names(tree, ["no"]) }
    }

    @Test("a file argument of another kind is reported")
    func strange() throws {
        let tree = try TemporaryTree(["a.txt": ""])
        #expect(try found(tree, ["a.txt"]).unread.count == 1)
    }

    @Test("a pipe isn't waited for")
    func pipe() throws {
        let tree = try TemporaryTree()
        #expect(mkfifo(tree.path + "/a.swift", 0o600) == 0)
        #expect(try found(tree).unread.map(\.reason) == ["no ordinary file"])
    }

    @Test("unreadable files are reported", .disabled(if: getuid() == 0, "root reads everything"))
    func protected() throws {
        let tree = try TemporaryTree(["a.swift": "", "b/c.swift": ""])
        try tree.protect("a.swift")
        try tree.protect("b")
        let outcome = try tree.review()
        #expect(outcome.unread.map { tree.short($0.path) } == ["a.swift", "b"])
        #expect(outcome.status(failOn: .warning) == 2)
    }
}
