import Foundation
import HealthTesting
import Testing

@testable import openhealth

/// What `serve --open` passes to the browser.
@Suite(.inTestAll) struct BrowserHandoverTests {
    /// A program in place of the browser, which records its arguments.
    private struct FakeBrowser {
        let folder: TemporaryFolder
        var runtime: String { folder.path + "/run" }
        var environment: [String: String] {
            ["PATH": folder.path + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": runtime]
        }

        init() throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(
                atPath: runtime, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let script = """
                #!/bin/sh
                cd '\(folder.path)' || exit 1
                printf '%s\\n' "$@" >arguments
                file="${1#file://}"
                stat -c %a "$file" "$(dirname "$file")" >modes
                cp "$file" page
                : >done
                """
            let path = folder.path + "/xdg-open"
            try Data(script.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: path)
        }

        func text(_ name: String) throws -> String {
            try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
        }

        var handovers: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: runtime)) ?? [])
                .filter { $0.hasPrefix(BrowserHandover.prefix) }
        }

        func wait(until isTrue: (FakeBrowser) throws -> Bool) async throws {
            for _ in 0..<6000 {
                if try isTrue(self) { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("waited in vain")
        }

        func waitUntilOpened() async throws {
            try await wait { FileManager.default.fileExists(atPath: $0.folder.path + "/done") }
        }
    }

    /// Arguments for a token that outlives all tests.
    private static let arguments = ["serve", "--open", "--handover-seconds", "7200"]

    @Test(
        "the browser's arguments hold no token; a file for its owner alone leads in once, and goes")
    func file() async throws {
        let store = try AnnasStore.shared.get()
        let browser = try FakeBrowser()
        let serving = try Serving(
            Self.arguments, store: store.path, environment: browser.environment)
        defer { serving.command.kill() }
        try await browser.waitUntilOpened()
        let arguments = try browser.text("arguments")
        #expect(arguments.hasPrefix("file://\(browser.runtime)/\(BrowserHandover.prefix)"))
        #expect(arguments.firstMatch(of: #/token|[0-9a-f]{64}/#) == nil)
        #expect(try browser.text("modes") == "600\n700\n")
        let page = try browser.text("page")
        let token = try #require(page.firstMatch(of: #/token=([0-9a-f]{64})"/#)).1
        // Not the token that is printed.
        #expect(token != serving.token)
        let redirect = try await serving.send("/?token=" + token)
        #expect(redirect.status == 303)
        let cookie = try #require(redirect.cookie)
        #expect(try await serving.send("/", cookie: cookie).status == 200)
        #expect(try await serving.send("/?token=" + token).status == 401)
        try await browser.wait { $0.handovers.isEmpty }
        #expect(try await serving.send("/?token=" + serving.token).status == 303)
        #expect(serving.command.interrupt() == 0)
    }

    @Test("an unused file is removed at the end, or after a kill by the next command")
    func leftovers() async throws {
        let store = try AnnasStore.shared.get()
        let browser = try FakeBrowser()
        let serving = try Serving(
            Self.arguments, store: store.path, environment: browser.environment)
        try await browser.waitUntilOpened()
        #expect(browser.handovers.count == 1)
        #expect(serving.command.interrupt() == 0)
        #expect(browser.handovers == [])
        try FileManager.default.removeItem(atPath: browser.folder.path + "/done")
        let killed = try Serving(
            Self.arguments, store: store.path, environment: browser.environment)
        try await browser.waitUntilOpened()
        killed.command.kill()
        let left = browser.handovers
        #expect(left.count == 1)
        // A file of another running process isn't removed.
        let other = "\(BrowserHandover.prefix)\(getpid())-abcdef"
        try FileManager.default.createDirectory(
            atPath: browser.runtime + "/" + other, withIntermediateDirectories: true)
        try FileManager.default.removeItem(atPath: browser.folder.path + "/done")
        let next = try Serving(
            Self.arguments, store: store.path, environment: browser.environment)
        defer { next.command.kill() }
        try await browser.waitUntilOpened()
        #expect(!browser.handovers.contains { left.contains($0) })
        #expect(browser.handovers.contains(other) && browser.handovers.count == 2)
        #expect(next.command.interrupt() == 0)
        #expect(browser.handovers == [other])
    }

    @Test("the file is readable for a sandboxed browser, and not replaceable by others")
    func folders() throws {
        let folder = try TemporaryFolder()
        func made(_ name: String, _ mode: Int) throws -> String {
            let path = folder.path + "/" + name
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }
        let (home, runtime) = (try made("home", 0o755), try made("run", 0o700))
        let (shared, store) = (try made("shared", 0o777), try made("store", 0o700))
        let snaps = try made("snap", 0o755)
        func candidates(_ environment: [String: String], _ store: String) -> [String] {
            HandoverFolder.candidates(environment, besideStore: store, snaps: snaps)
        }
        let environment = ["HOME": home, "XDG_RUNTIME_DIR": runtime]
        #expect(candidates(environment, store + "/health.sqlite") == [runtime, store])
        try Data().write(to: URL(fileURLWithPath: snaps + "/firefox"))
        #expect(candidates(environment, store + "/health.sqlite") == [home, runtime, store])
        #expect(candidates(["HOME": "/none"], shared + "/health.sqlite") == [])
        #expect(candidates(["HOME": "/none", "XDG_RUNTIME_DIR": shared], "/none/x") == [])
    }
}
