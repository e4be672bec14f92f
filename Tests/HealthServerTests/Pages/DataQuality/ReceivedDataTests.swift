import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

/// What the pages show of Apple's totals and of phones that no longer send, in UTC.
@Suite("Pages of received data") struct ReceivedDataTests {
    private static let day = 86_400.0
    /// The day of the export of ``RecordedStore``, 8 March 2023, as a number of days since 2001.
    private static let exportDay = 8_101
    private let utc = CalendarBuckets(timeZone: .gmt)
    private let file: RecordedStore
    private let phone: SendingPhone

    /// Creates a store with 1,000 steps on each of the ten days up to the export.
    init() throws {
        file = try RecordedStore()
        for day in (Self.exportDay - 9)...Self.exportDay {
            let start = Double(day) * Self.day + 3_600
            try file.add("stepCount", "Watch", start, start + 600, 1000, .watch)
        }
        try file.write()
        phone = SendingPhone(store: try file.open())
    }

    private func time(_ day: Int) -> Double { Double(Self.exportDay + day) * Self.day }

    /// Sends the total of a day, counted from the day of the export.
    private func send(_ value: Double, day: Int, at time: Double) throws {
        try phone.send("stepCount", totals: [(self.time(day), self.time(day + 1), value)], at: time)
    }

    private func page(at time: Double) throws -> DataQualityPage {
        try DataQualityPage(
            file.open(.reading), in: utc, now: Date(timeIntervalSinceReferenceDate: time))
    }

    @Test("the Data quality page compares whole days with Apple's totals in percent")
    func comparison() throws {
        #expect(try page(at: time(4)).comparison == nil)
        try send(1000, day: -3, at: time(0))
        try send(1250, day: -2, at: time(1))
        let page = try page(at: time(4))
        let row = try #require(page.comparison?.first)
        #expect(page.comparison?.count == 1 && row.type == "steps" && row.days == 2)
        #expect(row.within05 == 0.5 && row.within3 == 0.5)
        #expect(abs(row.mean - 0.1) < 1e-12 && row.worst == -0.2)
        let html = page.html(PageFrame())
        #expect(html.contains("Comparison with Apple’s totals"))
        for cell in ["50 %", "10.0 %", "−20.0 %"] { #expect(html.contains(">\(cell)<"), "\(cell)") }
        // Neither number of the day is on the page.
        #expect(!html.contains("1,250") && !html.contains("1,000"))
    }

    @Test("a silent phone is a finding and a notice, until it is removed")
    func silence() throws {
        for day in 0..<5 { try send(10, day: day, at: time(day) + 50_000) }
        #expect(try page(at: time(6)).findings.isEmpty)
        let found = try #require(try page(at: time(20)).findings.first { $0.kind == .silentDevice })
        #expect(found.sentence == "No data from Anna’s iPhone since 12 March 2023.")
        #expect(found.count == 15 && found.since == CivilDate(2023, 3, 12))
        let store = try file.open(.reading)
        #expect(try SilenceText.notices(store, now: time(20), in: utc) == [found.sentence])
        let directory = try AccessDirectory.open(besideStore: file.path)
        _ = try directory.addDevice("Anna’s iPhone", at: time(0))
        #expect(try SilenceText.notices(store, now: time(20), in: utc).count == 1)
        try directory.removeDevice("Anna’s iPhone", at: time(9))
        #expect(try SilenceText.notices(store, now: time(20), in: utc).isEmpty)
        #expect(try !page(at: time(20)).findings.contains { $0.kind == .silentDevice })
    }

    @Test("totals of a part of the day are a finding")
    func partial() throws {
        for day in 1..<9 { try send(10, day: day, at: time(day) + 50_000) }
        let found = try page(at: time(9)).findings
        #expect(found.map(\.kind) == [.partialTotals])
        #expect(
            found[0].sentence
                == "Anna’s iPhone sends totals of steps before the end of the day and not again: on "
                + "7 of the last 7 days.")
    }

    @Test("the page Why names Apple's total beside the recorded amount")
    func why() throws {
        try send(1300, day: 1, at: time(1) + 50_000)
        let store = try file.open(.reading)
        let now = Date(timeIntervalSinceReferenceDate: time(2))
        func why(_ day: CivilDate?) throws -> WhyPage {
            try WhyPage(store, type: "stepCount", day: day, in: utc, now: now)
        }
        // The last day with a total, which has no samples.
        let page = try why(nil)
        #expect(page.day == CivilDate(2023, 3, 9))
        #expect(
            page.sentence
                == "1,300 steps on 9 March 2023: Apple's total from Anna’s iPhone, provisional. No "
                + "samples of that day are stored.")
        let html = page.html(PageFrame())
        #expect(html.contains("s total, provisional, from <bdi>Anna’s iPhone</bdi>"))
        #expect(!html.contains("Nothing was recorded"))
        // The export ended on the day before its end.
        try send(1400, day: 0, at: time(3))
        let partly = try why(CivilDate(2023, 3, 8))
        #expect(partly.merged == 1000 && partly.appleTotal?.value == 1400)
        #expect(partly.sentence.contains("Apple's total from Anna’s iPhone. Recorded: 1,000 steps"))
        #expect(partly.html(PageFrame()).contains("1,000 <small>steps recorded</small>"))
        #expect(try why(CivilDate(2023, 3, 7)).appleTotal == nil)
    }

    @Test("totals of the store are converted, and none are used with limited visibility")
    func reading() async throws {
        try phone.send(
            "distanceWalkingRunning", totals: [(time(1), time(2), 5)], at: time(4))
        let metric = Metric.distance
        let boundaries = [time(1), time(2)].map(Date.init(timeIntervalSinceReferenceDate:))
        let store = try file.open(.reading)
        let totals = AppleTotals(of: store)
        let found = try await totals.inPlace(metric, boundaries)
        #expect(found[boundaries[0]]?.value == 5 && found.count == 1)
        #expect(try await totals.extent(metric)?.start == boundaries[0])
        #expect(try await totals.extent(.steps) == nil)
        let limited = AppleTotals(of: store, visibility: Visibility(others: .init(earliest: 0)))
        #expect(try await limited.inPlace(metric, boundaries).isEmpty)
        #expect(try await limited.extent(metric) == nil)
        let type = try store.type(named: "distanceWalkingRunning")
        let total = try #require(
            try store.totalsInPlace(SampleQuery(type), over: [time(1), time(2)]).first)
        #expect(try AppleTotal(total, of: type, in: "m").value == 5000)
    }

    @Test("totals change the revisions of amounts, and requests only once there are totals")
    func revisions() async throws {
        let revisions = StoreRevisions(store: try file.open(.reading))
        func changed(by body: () throws -> Void) async throws -> Set<Metric> {
            let metrics: [Metric] = [.steps, .distance, .heartRate, .sleep]
            let before = try await revisions.revisions(of: metrics)
            try body()
            let after = try await revisions.revisions(of: metrics)
            return Set(metrics.filter { before[$0] != after[$0] })
        }
        let contact = try await changed { try phone.send(IntakeBatch(), at: time(1)) }
        #expect(contact.isEmpty)
        let amounts: Set<Metric> = [.steps, .distance]
        for value in [7.0, 8] {
            let sent = try await changed { try send(value, day: 1, at: time(2)) }
            #expect(sent == amounts)
        }
        let unchanged = try await changed {}
        #expect(unchanged.isEmpty)
    }
}
