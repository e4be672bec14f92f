import Foundation
import HealthTesting
import Testing

/// Complete outputs compared with golden files, byte by byte: each case listed in
/// `Fixtures/golden`. The README there describes how to record them again.
@Suite(.inTestAll) struct GoldenTests {
    static let sessions = (try? GoldenFile.names(in: "sessions")) ?? []

    @Test("the output equals its golden file byte for byte", arguments: GoldenCase.answers)
    func answer(_ golden: GoldenCase) throws {
        let store = try GoldenStore.shared.get()
        let run = try store.run(golden.words)
        #expect(run.status == 0, "\(run.errors)")
        // Output for scripts contains no messages.
        let words = golden.name.hasSuffix(".txt") ? GoldenText.marked(run.errors) : ""
        try GoldenFile("answers/" + golden.name).check(run.output + words, in: store.folder)
    }

    @Test("a session of commands on its own store equals its golden file", arguments: sessions)
    func session(_ name: String) throws {
        let folder = try TemporaryFolder()
        let file = GoldenFile("sessions/" + name)
        let lines = try file.text().split(separator: "\n").map(String.init)
        var text = lines.prefix { $0.hasPrefix("#") }.map { $0 + "\n" }.joined()
        for line in lines where line.hasPrefix("$ ") {
            let words = GoldenText.words(String(line.dropFirst(2)), in: folder)
            text += try line + "\n" + GoldenTests.output(words, in: folder)
        }
        try file.check(text, in: folder)
    }

    @Test("every served page equals its golden file, as HTML and as JSON")
    func pages() async throws {
        let store = try GoldenStore.shared.get()
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        for page in GoldenCase.pages {
            for (name, target) in page.forms {
                let answer = try await serving.send(target, cookie: cookie)
                try GoldenFile("pages/" + name).check(answer.body, in: store.folder)
            }
        }
    }

    @Test(
        "what a watcher is told from the start is its golden file", .serialized,
        arguments: ["bodyMass", "sleepAnalysis", "workout"], [".txt", ".json"])
    func watch(type: String, form: String) throws {
        let store = try GoldenStore.shared.get()
        let words = ["watch", type, "--from-start", "--name", type + form]
        let watch = try RunningCommand(
            words + (form == ".json" ? ["--json"] : []), store: store.path)
        defer { watch.kill() }
        // It prints this after it has written the existing entries.
        try watch.waitForMessage("Watching")
        #expect(watch.interrupt() == 0)
        try GoldenFile("watch/" + type + form).check(watch.output, in: store.folder)
    }

    @Test("every golden file has its case", .enabled(if: !GoldenFile.areWrittenAnew))
    func complete() throws {
        let pages = GoldenCase.pages.flatMap { $0.forms.map { $0.name } }
        #expect(GoldenCase.answers.count > 50 && pages.count > 20 && GoldenTests.sessions.count > 5)
        #expect(try GoldenFile.names(in: "answers") == GoldenCase.answers.map(\.name).sorted())
        #expect(try GoldenFile.names(in: "pages") == pages.sorted())
    }

    /// Returns what a line of a session prints: answer, messages, and the exit status unless it is
    /// 0.
    private static func output(_ words: [String], in folder: TemporaryFolder) throws -> String {
        if words.first == "show" {
            return try Python.run(GoldenText.showing, Array(words.dropFirst())) + "\n"
        }
        let run = try CommandRun(
            Array(words.dropFirst()), store: folder.path + "/health.sqlite",
            environment: GoldenStore.environment)
        return run.output + GoldenText.marked(run.errors)
            + (run.status == 0 ? "" : "[\(run.status)]\n")
    }
}

/// A line of a list: a name, and a command or an address.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    static let answers = listed("commands.txt").filter { $0.name != "-" }
    /// The commands that fill the store.
    static let preparations = listed("commands.txt").filter { $0.name == "-" }
    static let pages = listed("pages.txt")

    var name: String
    var words: String

    var testDescription: String { name }

    /// The files of a page, each with its address.
    var forms: [(name: String, target: String)] {
        if name.contains(".") { return [(name, words)] }
        var parts = words.split(separator: "?", maxSplits: 1).map(String.init)
        parts[0] += ".json"
        return [(name + ".html", words), (name + ".json", parts.joined(separator: "?"))]
    }

    private static func listed(_ list: String) -> [GoldenCase] {
        ((try? GoldenFile(list).text()) ?? "").split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
            .filter { $0.count == 2 }
            .map { GoldenCase(name: $0[0], words: $0[1]) }
    }
}

/// A store of the fictional Dora's export, prepared by the first commands in the list. For tests
/// that only read.
final class GoldenStore: Sendable {
    static let shared = Result { try GoldenStore() }
    static let environment = ["COLUMNS": "80"]

    let folder: TemporaryFolder
    var path: String { folder.path + "/health.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        for preparation in GoldenCase.preparations {
            let run = try run(preparation.words)
            guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
        }
    }

    func run(_ words: String) throws -> CommandRun {
        try CommandRun(
            GoldenText.words(words, in: folder), store: path,
            environment: GoldenStore.environment)
    }
}
