import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

@Suite("The calibration form of the page Why")
struct CalibrationFormTests {
    private let utc = CalendarBuckets(timeZone: .gmt)
    private let now = Date(timeIntervalSinceReferenceDate: 700_000_000)
    /// 2001-01-02, in seconds since 2001.
    private let day = 86_400.0

    /// Creates a store with 1,201 and 900 steps in the current order, and 1,501 and 1,000 with the
    /// phone first.
    private func store() throws -> RecordedStore {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", day, day + 600, 600, .watch)
        try file.add("stepCount", "Phone", day + 300, day + 900, 1201, .phone)
        try file.add("stepCount", "Watch", 2 * day, 2 * day + 600, 900, .watch)
        try file.add("stepCount", "Phone", 2 * day, 2 * day + 600, 1000, .phone)
        try file.add("stepCount", "Totals", day, day + 80_000, 8000)
        try file.write()
        return file
    }

    private func page(
        _ store: SampleStore, _ rows: [(day: String, amount: String)]
    ) throws -> WhyPage {
        var page = try WhyPage(
            store, type: "stepCount", day: CivilDate(2001, 1, 2), in: utc, now: now)
        try page.calibrate(
            WhyPage.CalibrationForm(days: rows.map(\.day), amounts: rows.map(\.amount)), store,
            in: utc,
            now: now)
        return page
    }

    @Test("days with the phone's numbers propose the phone first, and the link previews it")
    func proposes() throws {
        let file = try store()
        let store = try file.open()
        let page = try page(store, [("2001-01-02", "1501"), ("2001-01-03", "1000")])
        let found = try #require(page.calibration)
        #expect(found.days.map(\.shownText) == ["1,501", "1,000"])
        #expect(found.days.map(\.currentOffText) == ["-301", "-100"])
        #expect(found.days.map(\.bestOffText) == ["fits", "fits"])
        let proposal = try #require(found.proposal)
        let markup = try Markup(page.html(PageFrame(formKey: "key")))
        let link = try #require(
            markup.all("a").first { $0.text == "Preview this day with this setting" })
        #expect(link.attributes["href"] == page.address(proposal).attribute)
        var preview = try WhyPage(
            store, type: "stepCount", day: page.day, order: proposal.order,
            excluding: proposal.excluded, including: proposal.included, in: utc, now: now)
        #expect(preview.merged == 1501 && preview.preview?.savedText == "1,201")
        try preview.calibrate(page.calibrationForm, store, in: utc, now: now)
        #expect(preview.html(PageFrame()).contains("It is not saved yet."))
        try WhyPage.save(
            order: proposal.order, excluding: proposal.excluded,
            including: proposal.included, of: "stepCount", in: store)
        let after = try self.page(store, [("2001-01-02", "1501"), ("2001-01-03", "1000")])
        #expect(after.calibration?.proposal == nil)
        #expect(after.calibration?.sentence.hasPrefix("The current setting gives") == true)
    }

    @Test("a day that only an app of daily totals explains proposes to include the app")
    func dayTotals() throws {
        let file = try store()
        let page = try page(file.open(.reading), [("2001-01-02", "8000")])
        let found = try #require(page.calibration)
        #expect(found.proposal?.included.count == 1)
        #expect(found.notes.contains { $0.contains("Totals writes daily totals and is ") })
    }

    @Test("a gap tolerance that fits better is reported as one that can't be saved")
    func gapTolerance() throws {
        let file = try RecordedStore()
        for index in 0..<5 {
            let start = day + Double(index) * 120
            try file.add("stepCount", "Watch", start, start + 60, 100, .watch)
            try file.add("stepCount", "Phone", start, start + 120, 150, .phone)
        }
        try file.write()
        // The phone's steps count in each gap of a minute, unless gaps are tolerated.
        let page = try page(file.open(.reading), [("2001-01-02", "575")])
        let found = try #require(page.calibration)
        let note = found.notes.first { $0.contains("Bridging gaps of up to") }
        #expect(note?.contains("A store can’t save this") == true, "\(found)")
    }

    @Test("each invalid entry has an error message and keeps its text")
    func problems() throws {
        let file = try store()
        let long = String(repeating: "9", count: 500)
        let rows: [(day: String, amount: String, problem: String)] = [
            ("2001-01-02", "-5", "“-5” is not an amount"),
            ("2001-01-03", "NaN", "“NaN” is not an amount"),
            ("2001-01-03", "1e9", "“1e9” is not an amount"),
            ("2001-01-03", "8,432", "Use digits"), ("2001-01-03", "8.5", "is not a whole number"),
            ("2001-01-03", long, "is not an amount"),
            ("2001-02-30", "1", "“2001-02-30” is not a date"),
            ("tomorrow", "1", "“tomorrow” is not a date"), ("", "1", "The day is missing"),
            ("2001-01-03", "", "The amount is missing"),
            ("2030-01-01", "1", "2030-01-01 is in the future"), ("2001-06-01", "1", "2001-06-01"),
            ("<b>&\"'", "<script>", "is not a date"), ("\u{202E}2001", "٨٤٣٢", "is not a date"),
        ]
        for row in rows {
            let page = try page(
                file.open(.reading), [(row.day, row.amount), ("2001-01-02", "1201")])
            let problem = try #require(page.calibrationForm.rows[0].problem, "\(row)")
            #expect(problem.contains(row.problem), "\(problem)")
            #expect(page.calibrationForm.rows[1].problem == nil)
            // The other day is compared nevertheless.
            #expect(page.calibration?.days.count == 1)
            let html = page.html(PageFrame())
            let inputs = try Markup(html).all("input").filter {
                $0.attributes["aria-describedby"] == "problem-1"
            }
            #expect(
                inputs.map { $0.attributes["value"] ?? "" } == [
                    row.day, String(row.amount.prefix(40)),
                ])
            // A date field would discard an invalid date.
            let kind = CivilDate(row.day) == nil && !row.day.isEmpty ? "text" : "date"
            #expect(inputs[0].attributes["type"] == kind)
            #expect(!html.contains("<script>"))
        }
    }

    @Test("a duplicate day, only invalid days and a thousand rows are handled")
    func many() throws {
        let file = try store()
        let store = try file.open(.reading)
        let twice = try page(store, [("2001-01-02", "1201"), ("2001-01-02", "1201")])
        #expect(twice.calibrationForm.rows[1].problem?.contains("twice") == true)
        #expect(twice.calibrationForm.rows[0].problem == nil && twice.calibration?.days.count == 1)
        let bad = try page(store, [("2001-05-01", "1"), ("2001-05-02", "2")])
        #expect(bad.calibrationForm.rows.allSatisfy { $0.problem != nil } && bad.calibration == nil)
        let empty = try page(store, [("", ""), (" ", "  ")])
        #expect(empty.calibrationForm == WhyPage.CalibrationForm() && empty.calibration == nil)
        let thousand = try page(
            store, (0..<1000).map { _ in ("2001-01-02", "1201") })
        #expect(thousand.calibrationForm.rows.count == WhyPage.CalibrationForm.maximumRows)
        #expect(thousand.calibrationForm.problem?.contains("Only the first 14") == true)
        #expect(thousand.calibrationForm.rows.filter { $0.problem != nil }.count == 13)
        #expect(try Markup(thousand.html(PageFrame())).all("input").count < 40)
    }

    @Test("without data the form reports that there is nothing to compare")
    func noData() throws {
        let page = try page(SampleStore.inMemory(), [("2001-01-02", "1201")])
        #expect(page.calibrationForm.rows[0].problem?.contains("2001-01-02") == true)
        #expect(page.calibration == nil)
        #expect(page.html(PageFrame()).contains("problem-1"))
    }

    @Test("the server responds to the form's fields in the address")
    func served() async throws {
        let file = try store()
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        let address =
            "/why?metric=stepCount&day=2001-01-02&on=2001-01-02&shows=1501&on=2001-01-03"
            + "&shows=many&on=&shows="
        let html = try await running.send(address, cookie: cookie).body
        let markup = try Markup(html)
        #expect(html.contains("“many” is not an amount"))
        #expect(html.contains("Preview this day with this setting"))
        #expect(
            markup.all("input").filter { $0.attributes["name"] == "shows" }
                .map { $0.attributes["value"] } == ["1501", "many", ""])
        let json = try await running.send(
            address.replacing("/why?", with: "/why.json?"), cookie: cookie)
        #expect(json.body.contains(#""shownText":"1,501""#))
        // Another type of the store has no sums on these days, so there is no such page.
        #expect(
            try await running.send("/why?metric=heartRate&on=2001-01-02&shows=1", cookie: cookie)
                .status == 400)
    }
}

extension HTML {
    /// The markup as a parser sees it in an attribute.
    fileprivate var attribute: String { markup.replacing("&amp;", with: "&") }
}
