import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthDashboard

/// The model's states, with a service that returns given values.
@Suite @MainActor struct DashboardModelTests {
    private let day = CivilDate(2024, 3, 10)
    private let context: PageContext
    private var values = FakeHealthService.Values()

    init() throws {
        let calendar = Calendar.gregorian(in: .gmt)
        let start = try #require(calendar.interval(of: CivilDate(2024, 3, 10))?.start)
        context = PageContext(now: start + 80_000, calendar: calendar)
        values.totals[.steps] = [day: 8214, CivilDate(2024, 3, 9): 7000]
    }

    private func model(
        _ service: FakeHealthService, _ cache: DashboardCache
    ) -> DashboardModel<SummaryPage> {
        let (day, context) = (day, context)
        return DashboardModel(
            service: service, cache: cache, metrics: SummaryPage.watched,
            cacheKey: context.cacheKey("day"), isEmpty: { $0.tiles.isEmpty }
        ) { service async throws(Unavailability) in
            try await SummaryPage(of: service, on: day, context: context)
        }
    }

    @Test("a cached page is shown without waiting for the service")
    func cachedAtOnce() async throws {
        let cache = DashboardCache(at: nil)
        let quick = model(FakeHealthService(values, calendar: context.calendar), cache)
        #expect(quick.state == .loading)
        await quick.refresh()
        #expect(quick.state.value?.steps?.value == 8214)
        let slow = FakeHealthService(values, calendar: context.calendar, delay: .seconds(3600))
        let model = model(slow, cache)
        let opening = Task { await model.open() }
        defer { opening.cancel() }
        for _ in 0..<6000 where model.state == .loading {
            try await Task.sleep(for: .milliseconds(5))
        }
        guard case .cached(let page, _) = model.state else {
            Issue.record("shown as \(model.state)")
            return
        }
        #expect(!page.freshness.isCurrent)
    }

    @Test("the states after a change, on an empty day and after a failure")
    func states() async throws {
        let service = FakeHealthService(values, calendar: context.calendar)
        let model = model(service, DashboardCache(at: nil))
        let opening = Task { await model.open() }
        defer { opening.cancel() }
        func wait(_ isThere: (ViewState<SummaryPage>) -> Bool) async throws {
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

    @Test("the typical range is from the 10th to the 90th percentile of at least seven days")
    func typicalRange() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let values = (1...11).map(Double.init).shuffled(using: &random)
        let range = try #require(TypicalRange(of: values), "seed \(seed)")
        #expect(range == TypicalRange(low: 2, high: 10, days: 11, median: 6), "seed \(seed)")
        #expect(TypicalRange(of: [1, 2, 3, 4, 5, 6]) == nil)
    }

    @Test("a tile compares with the previous period and the 28 days before, not with itself")
    func tiles() async throws {
        var values = FakeHealthService.Values()
        values.totals[.steps] = Dictionary(
            uniqueKeysWithValues: (0..<40).map {
                (day.advanced(by: -$0), $0 == 0 ? 1e6 : $0 > 28 ? 0 : 1000)
            })
        let service = FakeHealthService(values, calendar: context.calendar)
        let page = try await SummaryPage(of: service, on: day, context: context)
        let tile = try #require(page.tiles.first)
        #expect(tile.before == 1000)
        #expect(
            tile.typicalRange == TypicalRange(low: 1000, high: 1000, days: 28, median: 1000))
        #expect(tile.series.points.count == 30)
        let typicalRange = try #require(
            await SummaryPage.Tile(
                HealthSeries(
                    metric: .steps, step: .day,
                    points: (0..<30).map {
                        let start = context.now + Double($0) * 86_400
                        return .init(start: start, end: start + 86_400, value: Double($0))
                    }), .day, of: service, context.calendar)?.typicalRange)
        #expect(
            abs(typicalRange.low - 3.7) < 1e-9 && abs(typicalRange.high - 25.3) < 1e-9
                && typicalRange.days == 28)
        let week = try await SummaryPage(of: service, .week, on: day, context: context)
        #expect(week.day == CivilDate(2024, 3, 4))
        #expect(week.tiles.first?.value == 1_006_000)
        #expect(week.sentence == "1,006,000 steps, 4–10 Mar 2024")
        let month = try await SummaryPage(of: service, .month, on: day, context: context)
        #expect(month.sentence == "1,009,000 steps, March 2024")
        let year = try await SummaryPage(of: service, .year, on: day, context: context)
        #expect(year.sentence == "1,028,000 steps, 2024")
    }

    @Test("a page round-trips through JSON")
    func roundTrip() async throws {
        let service = FakeHealthService(values, calendar: context.calendar)
        let page = try await SummaryPage(of: service, on: day, context: context)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(SummaryPage.self, from: page.json()) == page)
    }
}
