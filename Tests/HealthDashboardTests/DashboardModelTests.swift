import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthDashboard

/// The model's states, with a service that returns given values.
@Suite @MainActor struct DashboardModelTests {
    private let day = CivilDate(2024, 3, 10)
    private let setting: PageContext
    private var values = FakeHealthService.Values()

    init() throws {
        let calendar = Calendar.gregorian(in: .gmt)
        let start = try #require(calendar.interval(of: CivilDate(2024, 3, 10))?.start)
        setting = PageContext(now: start + 80_000, calendar: calendar)
        values.totals[.steps] = [day: 8214, CivilDate(2024, 3, 9): 7000]
    }

    private func model(
        _ service: FakeHealthService, _ cache: DashboardCache
    ) -> DashboardModel<TodayPage> {
        let (day, setting) = (day, setting)
        return DashboardModel(
            service: service, cache: cache, metrics: TodayPage.watched,
            question: setting.question("day"), isEmpty: { $0.tiles.isEmpty }
        ) { service async throws(Unavailability) in
            try await TodayPage(of: service, on: day, setting: setting)
        }
    }

    @Test("a page that was kept is shown without waiting for the service")
    func cachedAtOnce() async throws {
        let cache = DashboardCache(at: nil)
        let quick = model(FakeHealthService(values, calendar: setting.calendar), cache)
        #expect(quick.state == .nothingYet)
        await quick.refresh()
        #expect(quick.state.value?.steps?.value == 8214)
        let slow = FakeHealthService(values, calendar: setting.calendar, delay: .seconds(3600))
        let model = model(slow, cache)
        let opening = Task { await model.open() }
        defer { opening.cancel() }
        for _ in 0..<6000 where model.state == .nothingYet {
            try await Task.sleep(for: .milliseconds(5))
        }
        guard case .cached(let page, _) = model.state else {
            Issue.record("shown as \(model.state)")
            return
        }
        #expect(!page.freshness.isCurrent)
    }

    @Test("a change is followed, an empty day is said to be one, a failure keeps what was known")
    func states() async throws {
        let service = FakeHealthService(values, calendar: setting.calendar)
        let model = model(service, DashboardCache(at: nil))
        let opening = Task { await model.open() }
        defer { opening.cancel() }
        func wait(_ isThere: (ViewState<TodayPage>) -> Bool) async throws {
            for _ in 0..<6000 where !isThere(model.state) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(isThere(model.state), "\(model.state)")
        }
        try await wait {
            if case .fresh(let page, _) = $0 { page.steps?.value == 8214 } else { false }
        }
        var more = values
        more.totals[.steps]?[day] = 9000
        await service.replace(more)
        try await wait {
            if case .fresh(let page, _) = $0 { page.steps?.value == 9000 } else { false }
        }
        await service.fail(.locked)
        try await wait {
            if case .unavailable(.locked, let last, _) = $0 {
                last?.steps?.value == 9000
            } else {
                false
            }
        }
        await service.fail(nil)
        await service.replace(FakeHealthService.Values())
        try await wait { if case .empty = $0 { true } else { false } }
    }

    @Test("what is usual lies between the 10th and the 90th percentile, of a week at least")
    func usual() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let values = (1...11).map(Double.init).shuffled(using: &random)
        let range = try #require(TypicalRange(of: values), "seed \(seed)")
        #expect(range == TypicalRange(low: 2, high: 10, days: 11), "seed \(seed)")
        #expect(TypicalRange(of: [1, 2, 3, 4, 5, 6]) == nil)
    }

    @Test("a tile compares with the step before and with the 28 days before, not with itself")
    func tiles() async throws {
        var values = FakeHealthService.Values()
        values.totals[.steps] = Dictionary(
            uniqueKeysWithValues: (0..<40).map {
                (day.advanced(by: -$0), $0 == 0 ? 1e6 : $0 > 28 ? 0 : 1000)
            })
        let service = FakeHealthService(values, calendar: setting.calendar)
        let page = try await TodayPage(of: service, on: day, setting: setting)
        let tile = try #require(page.tiles.first)
        #expect(tile.before == 1000)
        #expect(tile.usual == TypicalRange(low: 1000, high: 1000, days: 28))
        #expect(tile.series.points.count == 30)
        let usual = try #require(
            TodayPage.Tile(
                HealthSeries(
                    metric: .steps, step: .day,
                    points: (0..<30).map {
                        let start = setting.now + Double($0) * 86_400
                        return .init(start: start, end: start + 86_400, value: Double($0))
                    }), .day)?.usual)
        #expect(abs(usual.low - 3.7) < 1e-9 && abs(usual.high - 25.3) < 1e-9 && usual.days == 28)
        let week = try await TodayPage(of: service, .week, on: day, setting: setting)
        #expect(week.day == CivilDate(2024, 3, 4))
        #expect(week.tiles.first?.value == 1_006_000)
        #expect(
            week.sentence == """
                1,006,000 steps in the week from 4 March 2024, without double counting; 7,000 in \
                the week before.
                """)
        let month = try await TodayPage(of: service, .month, on: day, setting: setting)
        #expect(month.sentence.hasPrefix("1,009,000 steps in March 2024, without double"))
    }

    @Test("a page comes back from its JSON as it was")
    func roundTrip() async throws {
        let service = FakeHealthService(values, calendar: setting.calendar)
        let page = try await TodayPage(of: service, on: day, setting: setting)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(TodayPage.self, from: page.json()) == page)
    }
}
