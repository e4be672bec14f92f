import Foundation
import HealthCalendar
import HealthEngine
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// Pages of a store that has samples, and totals of Apple's for some days.
@Suite("Apple's totals on pages") struct AppleTotalsTests {
    private let world: PageWorld
    private let service: HealthKitService
    private static let last = CivilDate(2024, 3, 10)

    /// Creates a store with 1,000 steps on 8 and 9 March, and totals of 9 and 10 March.
    init() async throws {
        let calendar = Calendar.gregorian(in: try #require(TimeZone(identifier: "Europe/Berlin")))
        let noon = try #require(calendar.interval(of: Self.last)).start + 43_200
        world = try PageWorld("Europe/Berlin", now: noon)
        for day in [8, 9] {
            let start = try world.start(of: CivilDate(2024, 3, day)) + 36_000
            try await world.save(.stepCount, 1000, .count(), at: start, seconds: 600)
        }
        let context = world.context
        let (ninth, tenth) = (
            try world.start(of: CivilDate(2024, 3, 9)), try world.start(of: Self.last)
        )
        let totals = [
            ninth: AppleTotal(value: 1500, own: 1000, device: "iPhone", isProvisional: false),
            tenth: AppleTotal(value: 700, own: 0, device: "iPhone", isProvisional: true),
        ]
        service = HealthKitService(
            store: world.store, calendar: context.calendar, revisions: nil, sleepSources: nil,
            appleTotals: AppleTotals(
                extent: { metric in
                    metric == .steps ? DateInterval(start: ninth, end: tenth + 86_400) : nil
                },
                inPlace: { metric, boundaries in
                    guard metric == .steps else { return [:] }
                    return totals.filter { boundaries.dropLast().contains($0.key) }
                }),
            now: { context.now })
    }

    private func values(
        _ step: CalendarStep, _ first: CivilDate, _ last: CivilDate
    ) async throws -> [HealthSeries.Point] {
        try await service.series(.steps, by: step, over: world.range(first, last)).points
    }

    @Test("a day has Apple's total, a week grows by the differences of its days")
    func series() async throws {
        let days = try await values(.day, CivilDate(2024, 3, 7), Self.last)
        #expect(days.map(\.value) == [nil, 1000, 1500, 700])
        #expect(days.map { $0.appleTotal?.own } == [nil, nil, 1000, 0])
        #expect(days.map { $0.appleTotal?.isProvisional } == [nil, nil, false, true])
        let weeks = try await values(.week, CivilDate(2024, 2, 27), Self.last)
        #expect(weeks.map(\.value) == [nil, 3200])
        let total = try #require(weeks[1].appleTotal)
        #expect(
            total == AppleTotal(value: 2200, own: 1000, device: "iPhone", isProvisional: true))
        let energy = try await service.series(
            .activeEnergy, by: .day, over: world.range(Self.last, Self.last))
        #expect(energy.points.map(\.value) == [nil])
    }

    @Test("the total of a day keeps the shares of its samples")
    func dayTotal() async throws {
        let ninth = try await service.total(.steps, on: CivilDate(2024, 3, 9))
        #expect(ninth.value == 1500 && ninth.recorded == 1000)
        #expect(ninth.shares.map(\.counted) == [1000])
        let tenth = try await service.total(.steps, on: Self.last)
        #expect(tenth.value == 700 && tenth.recorded == nil && tenth.shares.isEmpty)
        let eighth = try await service.total(.steps, on: CivilDate(2024, 3, 8))
        #expect(eighth.value == 1000 && eighth.appleTotal == nil)
    }

    @Test("the latest day and the metrics include those that have totals only")
    func presence() async throws {
        #expect(try await service.latestDay() == Self.last)
        #expect(try await world.service.latestDay() == CivilDate(2024, 3, 9))
        let empty = HealthKitService(
            store: .inMemory(configuration: HealthStoreConfiguration(authorization: .assumed)),
            calendar: world.context.calendar, revisions: nil, sleepSources: nil,
            appleTotals: service.appleTotals, now: service.now)
        #expect(try await empty.metrics() == [.steps])
    }

    @Test("the overview of a day and the trends say that a number is Apple's total")
    func sentences() async throws {
        let context = world.context
        let today = try await SummaryPage(of: service, .day, on: Self.last, context: context)
        #expect(
            today.sentence == "700 steps today so far")
        #expect(today.provenance == "Apple's total, provisional; 0 recorded")
        let week = try await SummaryPage(of: service, .week, on: Self.last, context: context)
        #expect(week.provenance == "includes Apple's totals, provisional")
        let trends = try await TypePage(
            of: service, .steps, by: .day, over: world.range(CivilDate(2024, 3, 7), Self.last),
            among: [.steps], context: context)
        #expect(
            trends.sentence.hasSuffix("Apple's totals for 2 days, 1 of them provisional."),
            "\(trends.sentence)")
    }

    @Test("JSON has Apple's total only where there is one, and survives the cache")
    func coding() async throws {
        let context = world.context
        let today = try await SummaryPage(of: service, .day, on: Self.last, context: context)
        let text = String(decoding: try today.json(), as: UTF8.self)
        #expect(
            text.contains(
                #""fromTotals":{"apple":700,"device":"iPhone","own":0,"provisional":true}"#))
        let copy = try PropertyListDecoder().decode(
            SummaryPage.self, from: PropertyListEncoder().encode(today))
        #expect(copy == today)
        let plain = try await SummaryPage(of: world.service, .day, on: Self.last, context: context)
        #expect(!String(decoding: try plain.json(), as: UTF8.self).contains("fromTotals"))
    }
}
