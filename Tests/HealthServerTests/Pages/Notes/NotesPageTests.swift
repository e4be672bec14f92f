import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

@Suite("The notes on days")
struct NotesPageTests {
    private let day = CivilDate(2024, 3, 9)
    private let all = CivilDate.supportedRange

    private func store() throws -> RecordedStore {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 86_400, 87_000, 600, .watch)
        try file.write()
        return file
    }

    private func pages(_ file: RecordedStore, writing: StoreWriting? = nil) throws -> StorePages {
        try StorePages(
            storeAt: file.path, timeZone: .gmt, cache: nil, notes: nil, stepGoal: nil,
            writing: writing)
    }

    private func form(_ text: String?, day: String = "2024-03-09", back: String? = "/?day=1")
        -> PageQuery
    {
        let fields: [(String, String?)] = [("day", day), ("text", text), ("back", back)]
        return PageQuery(
            path: NotesPage.path,
            form: fields.compactMap { name, value in
                value.map { PageQuery.Field(name, $0) }
            })
    }

    @Test("a note is saved by its form, shown in it again, and removed by an empty one")
    func roundTrip() async throws {
        let file = try store()
        let pages = try pages(file)
        let address = try await pages.saveNote(form("Ran a fever,\r\nstayed in bed "))
        #expect(address == "/?day=1")
        let shown = try Markup(
            pages.noteForm(day, PageFrame(formKey: "key"), returnTo: "/?period=day&day=x").markup)
        #expect(shown.all("textarea").map(\.text) == ["Ran a fever,\nstayed in bed"])
        let values = Dictionary(
            uniqueKeysWithValues: shown.all("input").map {
                ($0.attributes["name"] ?? "", $0.attributes["value"] ?? "")
            })
        #expect(
            values == ["csrf": "key", "day": "2024-03-09", "back": "/?period=day&day=x"])
        #expect(pages.notes(on: [day...day]).map(\.text) == ["Ran a fever,\nstayed in bed"])
        let series = PageExamples.series(.steps, 100, 900, days: 3)
        let days = try #require(series.days(.gregorian(in: .gmt)))
        #expect(pages.notes(on: [days, days]).map(\.day) == [day])
        _ = try await pages.saveNote(form("", back: nil))
        #expect(try await pages.dayNotes(PageQuery(path: "/notes")).total == 0)
        #expect(try file.open(.reading).dayNotes(all) == [])
    }

    @Test("a form that is sent to the server leads back to its page")
    func served() async throws {
        let file = try store()
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        let key = try #require(try await running.csrf("/cards", cookie))
        let response = try await running.send(
            "/notes", "POST", cookie: cookie,
            headers: [
                "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
            ],
            body: "csrf=\(key)&day=2024-03-09&text=Slept+badly&back=%2Ftype%2FstepCount%3Fday%3D1")
        #expect(response.status == 303)
        #expect(response.headers["location"] == "/type/stepCount?day=1")
        let page = try await running.send("/notes", cookie: cookie)
        #expect(page.status == 200 && page.body.contains("Slept badly"))
        let json = try await running.send("/notes.json", cookie: cookie)
        #expect(json.body.contains("\"day\":\"2024-03-09\""))
    }

    @Test(
        "a note is marked in the chart of each page whose days it is on",
        arguments: [
            "/?period=day&day=2024-03-09", "/type/stepCount?period=month&day=2024-03-01",
            "/year/stepCount?day=2024-03-01", "/sleep?day=2024-03-10",
            "/compare?metric=stepCount&from=2024-03-01&to=2024-03-05&from2=2024-03-06&to2=2024-03-10",
        ])
    func marked(_ address: String) async throws {
        let file = try RecordedStore()
        for number in 0..<10 {
            let noon = Self.march + Double(number) * 86_400 + 43_200
            try file.add("stepCount", "Watch", noon, noon + 600, Double(600 + number), .watch)
            try file.add("sleepAnalysis", "Watch", noon - 36_000, noon - 18_000, 3, .watch)
        }
        try file.write()
        try file.open().setDayNote("Ran a fever", on: day, now: 0)
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        let page = try await running.send(address, cookie: cookie)
        #expect(page.status == 200)
        let marks = try Markup(page.body).all("circle").filter { $0.attributes["class"] == "noted" }
        #expect(!marks.isEmpty && page.body.contains("Ran a fever"), "\(address)")
    }

    /// 2024-03-01T00:00:00Z, in seconds since the reference date.
    private static let march = 730_944_000.0

    @Test("markup and bidirectional controls stay text in the form and in the list")
    func hostile() async throws {
        let file = try store()
        let pages = try pages(file)
        let hostile = "</textarea>" + PageExamples.hostile
        _ = try await pages.saveNote(form(hostile))
        let shown = try Markup(pages.noteForm(day, PageFrame(), returnTo: "/").markup)
        #expect(shown.all("textarea").map(\.text) == [hostile])
        let page = try await pages.dayNotes(PageQuery(path: "/notes")).html(PageFrame())
        let list = try Markup(page)
        #expect(list.all("bdi").contains { $0.text == hostile })
        #expect(list.all("script").allSatisfy { $0.text.isEmpty })
        #expect(list.all("textarea").isEmpty)
    }

    @Test(
        "a form that returns to another site is refused and saves nothing",
        arguments: [
            "//evil.example", "///evil.example", "https://evil.example/", "evil.example",
            "/\\evil.example", "\\\\evil.example", "/\t/evil.example", " /", "/a b",
            "/a\r\nSet-Cookie: x=y", "/\u{0}", "/é", "javascript:alert(1)",
            "/" + String(repeating: "a", count: 2_000),
        ])
    func foreignAddress(_ back: String) async throws {
        let file = try store()
        let pages = try pages(file)
        await #expect(throws: PageError.self) { try await pages.saveNote(form("x", back: back)) }
        #expect(try file.open(.reading).dayNotes(all) == [])
    }

    @Test("a form returns to any page of this site, and without an address to the list")
    func ownAddress() throws {
        for back in ["/", "/notes", "/type/stepCount?period=day&day=2024-03-09", "/sleep#night"] {
            #expect(try DayNoteForm.returnAddress(back) == back)
        }
        #expect(try DayNoteForm.returnAddress(nil) == "/notes")
    }

    @Test("a note without a day, of a day that doesn't exist, or too long is refused")
    func refused() async throws {
        let file = try store()
        let pages = try pages(file)
        for day in ["", "2024-02-30", "noon", "10000-01-01"] {
            await #expect(throws: PageError.self) {
                try await pages.saveNote(form("x", day: day))
            }
        }
        let error = await #expect(throws: StoreError.self) {
            try await pages.saveNote(form(String(repeating: "secret ", count: 400)))
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.pageSentence.contains("secret") == false)
        #expect(try file.open(.reading).dayNotes(all) == [])
    }

    @Test("what saves for a server of many people saves the note, or nothing does")
    func writer() async throws {
        let file = try store()
        let pages = try pages(file) { _ in throw PageError.unavailable("frozen") }
        await #expect(throws: PageError.unavailable("frozen")) {
            try await pages.saveNote(form("x"))
        }
        #expect(try file.open(.reading).dayNotes(all) == [])
    }

    @Test("the list has 50 notes a page, the newest first, each a link to its day")
    func paging() async throws {
        let file = try store()
        let writer = try file.open()
        for number in 0..<120 {
            try writer.setDayNote(
                "note \(number)", on: CivilDate(dayNumber: day.dayNumber + number), now: 0)
        }
        let pages = try pages(file)
        func part(_ number: String?) async throws -> NotesPage {
            let query = number.map { [PageQuery.Field("page", $0)] } ?? []
            return try await pages.dayNotes(PageQuery(path: "/notes", query: query))
        }
        let first = try await part(nil)
        #expect(first.notes.map(\.text) == (70..<120).reversed().map { "note \($0)" })
        #expect(first.sentence == "120 notes" && first.count == 3)
        let links = try Markup(first.html(PageFrame())).all("a").map { $0.attributes["href"] }
        #expect(links.contains("/?day=\(CivilDate(dayNumber: day.dayNumber + 119))"))
        #expect(links.contains("/notes?page=2") && !links.contains("/notes?page=0"))
        let last = try await part("3")
        #expect(last.notes.map(\.text) == (0..<20).reversed().map { "note \($0)" })
        let moves = try Markup(last.html(PageFrame())).all("a").filter {
            $0.attributes["rel"] != nil
        }
        #expect(moves.map { $0.attributes["href"] } == ["/notes?page=2"])
        for wrong in ["0", "-1", "x", "4", "9223372036854775807", "9223372036854775808"] {
            await #expect(throws: PageError.self, "\(wrong)") { try await part(wrong) }
        }
    }

    @Test("long notes are cut in the list, so that the page stays small")
    func small() throws {
        let notes = (0..<NotesPage.size).map { number in
            DayNote(
                day: CivilDate(dayNumber: day.dayNumber - number),
                text: String(repeating: "<", count: DayNote.maximumLength), modified: 0)
        }
        let page = NotesPage(notes, of: 50, part: 1, timeZone: .gmt, now: .now)
        #expect(page.html(PageFrame()).utf8.count < 80_000)
    }
}
