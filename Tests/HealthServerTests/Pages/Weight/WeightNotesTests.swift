import Foundation
import HealthDashboard
import HealthSync
import Testing

@testable import HealthServer

@Suite("Notes on weights")
struct WeightNotesTests {
    private let now = Date(timeIntervalSinceReferenceDate: 700_000_000)
    private let range = DateInterval(start: .distantPast, end: .distantFuture)

    private func page(_ notes: [WeightPage.Note]) -> WeightPage {
        WeightPage(
            freshness: Freshness(asOf: now, isCurrent: true), timeZone: "UTC", unit: "kg",
            measured: [
                .init(date: now - 86_400, value: 82.4, source: "Diary"),
                .init(date: now - 86_400, value: 90, source: "Scale"),
                .init(date: now, value: 82, source: "Diary"),
            ], trend: [.init(date: now - 86_400, value: 82.4)], notes: notes,
            sentence: "82.0 kg is your trend.")
    }

    @Test("a note is a mark in the chart, a cell in its table and a row of the list")
    func shown() throws {
        let notes: [WeightPage.Note] = [
            .init(date: now - 86_400, text: "after the holidays", tags: ["fasted"], value: 82.4)
        ]
        let html = page(notes).html(PageFrame())
        let markup = try Markup(html)
        let rings = markup.all("circle").filter {
            $0.attributes["class"] == "noted" && $0.attributes["cy"] != "6"
        }
        #expect(rings.map(\.text) == ["after the holidays (fasted)"])
        let dots = markup.all("circle").filter {
            $0.attributes["class"]?.hasPrefix("dot") == true
        }
        let own = try #require(dots.first)
        #expect(rings[0].attributes["cx"] == own.attributes["cx"])
        #expect(rings[0].attributes["cy"] == own.attributes["cy"])
        let rows = markup.all("tr").filter { $0.text.contains("after the holidays") }
        #expect(rows.count == 2)
        #expect(html.contains("with a note"))
        #expect(!page([]).html(PageFrame()).contains("class=\"noted\""))
    }

    @Test("a note on a deleted weight keeps its row without a mark")
    func gone() throws {
        let notes: [WeightPage.Note] = [
            .init(date: now - 86_400, text: "first", value: 82.9),
            .init(date: now - 5, text: "second", value: 82),
            .init(date: now, text: "third", value: nil),
        ]
        let html = page(notes).html(PageFrame())
        #expect(!html.contains("class=\"noted\""))
        #expect(html.split(separator: "this weight is not in the store").count == 4)
    }

    @Test("markup and bidirectional controls stay text in rows, marks and tags")
    func hostile() throws {
        let bad = PageExamples.hostile
        let html = page([.init(date: now, text: bad, tags: [bad], value: 82)]).html(PageFrame())
        #expect(try Markup(html).all("script").count == 1)
        #expect(!html.contains("<script>alert"))
        let ring = try #require(
            try Markup(html).all("circle").first {
                $0.attributes["class"] == "noted" && !$0.text.isEmpty
            })
        #expect(!ring.text.unicodeScalars.contains("\u{202E}"))
    }

    @Test("a thousand notes on ten thousand weights give a small page")
    func many() throws {
        var page = page([])
        page.measured = (0..<10_000).map {
            .init(date: now - Double($0) * 3600, value: 80 + Double($0 % 7), source: "Scale")
        }.reversed()
        page.notes = (0..<1000).map {
            .init(
                date: now - Double($0) * 36_000, text: "note \($0)", value: 80 + Double($0 * 10 % 7)
            )
        }
        let html = page.html(PageFrame())
        #expect(html.utf8.count < 150_000)
        #expect(html.contains("and 900 earlier ones"))
    }

    @Test("a missing, empty, damaged or foreign file affects only the notes")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("WeightNotesTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("health.weight-mirror.sqlite")
        let notes = WeightNotes(at: file)
        var found = await notes.load(in: range)
        #expect(found.notes.isEmpty && found.problem == nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try Data().write(to: file)
        found = await notes.load(in: range)
        #expect(found.problem == nil)
        #expect(try Data(contentsOf: file).isEmpty)
        let none = notes.stamp
        for bytes in [
            Data("no database at all, and longer than a page's head".utf8),
            Data("SQLite format 3\0".utf8) + Data(repeating: 0xA5, count: 8192),
        ] {
            try bytes.write(to: file)
            found = await notes.load(in: range)
            #expect(found.problem?.contains("damaged") == true, "\(found.problem ?? "")")
            #expect(try Data(contentsOf: file) == bytes)
            #expect(notes.stamp != none)
        }
        // A valid file in its place is read.
        try FileManager.default.removeItem(at: file)
        _ = try Mirror(at: file)
        found = await notes.load(in: range)
        #expect(found.problem == nil && found.notes.isEmpty)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        found = await notes.load(in: range)
        #expect(found.notes.isEmpty)
    }

    @Test("the page says why notes can't be shown, and shows the weights")
    func problem() throws {
        var page = page([])
        page.notesProblem = "Notes and tags can’t be shown: the file is <damaged>."
        let html = page.html(PageFrame())
        _ = try Markup(html)
        #expect(html.contains("the file is &lt;damaged&gt;.") && html.contains("82.0 <small>kg"))
    }
}
