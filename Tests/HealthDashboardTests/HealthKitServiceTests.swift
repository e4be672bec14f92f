import Foundation
import HealthCalendar
import HealthEngine
import HealthSimulator
import HealthStorage
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// The service over an in-memory store: day boundaries, shares, deletions and types without access.
@Suite struct HealthKitServiceTests {
    let world = DashboardWorld()

    @Test("a day of 23 hours has 23 points, and a walk over midnight counts on both sides")
    func shortDay() async throws {
        let service = world.service("Europe/Berlin")
        let day = CivilDate(2024, 3, 31)
        let interval = try #require(service.calendar.interval(of: day))
        #expect(interval.duration == 23 * 3600)
        try await world.walk(600, from: interval.start - 600, seconds: 1800)
        let hours = try await service.series(.steps, by: .hour, over: interval)
        #expect(hours.points.count == 23)
        #expect(hours.points[0].value == 400)
        #expect(hours.points[1].value == nil)
        let two = DateInterval(start: interval.start - 86_400, end: interval.end)
        let days = try await service.series(.steps, by: .day, over: two)
        #expect(days.points.map(\.value) == [200, 400])
        #expect(try await service.total(.steps, on: day).value == 400)
    }

    @Test("years, months and weeks begin at the person's own midnight")
    func longSteps() async throws {
        let service = world.service("Pacific/Auckland")
        let newYear = try #require(service.calendar.interval(of: CivilDate(2024, 1, 1))?.start)
        try await world.walk(100, from: newYear - 60, seconds: 60)
        try await world.walk(10, from: newYear, seconds: 60)
        let range = DateInterval(start: newYear - 86_400, end: newYear + 86_400)
        for (step, sums) in [
            (CalendarStep.year, [100.0, 10]), (.month, [100, 10]), (.week, [100, 10]),
        ] {
            let series = try await service.series(.steps, by: step, over: range)
            #expect(series.points.map(\.value) == sums, "\(step)")
        }
    }

    @Test(
        "calendar boundaries equal those of the command's statistics, also in irregular time zones",
        arguments: [
            "Europe/Berlin", "America/Havana", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Beirut",
            "UTC", "America/Sao_Paulo", "Asia/Kolkata", "America/St_Johns",
        ])
    func borders(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let calendar = Calendar.gregorian(in: zone)
        let buckets = CalendarBuckets(timeZone: zone)
        let starts = [
            CivilDate(2010, 10, 30), CivilDate(2011, 12, 20), CivilDate(2018, 10, 30),
            CivilDate(2024, 3, 1),
        ]
        for day in starts {
            let start = try #require(calendar.interval(of: day)?.start) + 7777
            for (step, unit, length) in [
                (CalendarStep.hour, CalendarStep.hour, 50), (.day, .day, 400),
                (.week, .week, 800), (.month, .month, 800), (.year, .year, 1500),
            ] {
                let range = DateInterval(start: start, duration: Double(length) * 86_400)
                let edges = try buckets.edges(
                    from: range.start.timeIntervalSinceReferenceDate,
                    to: range.end.timeIntervalSinceReferenceDate, by: unit)
                // The boundaries of a series are those of statistics.
                let boundaries = calendar.boundaries(by: step, over: range)
                    .map(\.timeIntervalSinceReferenceDate)
                #expect(boundaries == edges, "\(zone) \(step) from \(day)")
            }
        }
        // In zones where clocks went back across midnight, such as St. John’s on 7 November 2010.
        let november = Date(timeIntervalSinceReferenceDate: 310_262_400)
        for halfHour in 0..<800 {
            let moment = november + Double(halfHour) * 1800
            let start = buckets.start(of: .day, at: moment.timeIntervalSinceReferenceDate)
            #expect(
                calendar.start(of: .day, containing: moment).timeIntervalSinceReferenceDate == start
            )
        }
    }

    @Test("a day's shares add up, and duplicates are not counted")
    func shares() async throws {
        let service = world.service("UTC")
        let day = CivilDate(2024, 3, 10)
        let noon = try #require(service.calendar.interval(of: day)?.start) + 43_200
        try await world.walk(100, from: noon, seconds: 600, by: .watch(named: "Watch"))
        try await world.walk(100, from: noon + 300, seconds: 600, by: .phone(named: "Phone"))
        let total = try await service.total(.steps, on: day)
        #expect(total.value == 150)
        #expect(total.shares.map(\.source) == ["Watch", "Phone"])
        #expect(total.shares.map(\.counted) == [100, 50])
        #expect(total.duplicates == 50)
        let page = try await SummaryPage(
            of: service, on: day,
            context: PageContext(now: noon + 86_400, calendar: service.calendar, stepGoal: 1000))
        #expect(
            page.sentence == "150 steps, Sunday 10 March; 15 % of the goal of 1,000")
        #expect(page.provenance == "Watch 100 · Phone 50 · 50 duplicates removed")
    }

    @Test("shares follow the order that gives HealthKit's sum, or there are none")
    func otherOrder() async throws {
        let noon = Date(timeIntervalSinceReferenceDate: 796_903_200)
        try await world.walk(100, from: noon, seconds: 600, by: .watch(named: "Watch"))
        try await world.walk(30, from: noon + 300, seconds: 600, by: .phone(named: "Phone"))
        let samples = try await world.samples()
        let shares = SourceShares(
            samples, unit: .count(), interval: DateInterval(start: noon, duration: 3600))
        #expect(shares.shares(of: 115).map(\.source) == ["Watch", "Phone"])
        #expect(shares.shares(of: 80).map(\.source) == ["Phone", "Watch"])
        #expect(shares.shares(of: 99) == [])
    }

    @Test(
        "a type without requested authorization has no tile; if no type has it, an error is thrown")
    func notAsked() async throws {
        let context = PageContext(calendar: .gregorian(in: .gmt))
        let store = HKHealthStore.inMemory()
        let service = HealthKitService(store: store, calendar: context.calendar)
        await #expect(throws: Unavailability.notDetermined) {
            _ = try await SummaryPage(of: service, on: context.today, context: context)
        }
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
        let page = try await SummaryPage(of: service, on: context.today, context: context)
        #expect(page.tiles.isEmpty)
        #expect(page.sentence.hasPrefix("No data today so far"))
    }

    @Test("a locked device is reported")
    func locked() async throws {
        let service = world.service("UTC")
        try await world.walk(1, from: .now - 7200, seconds: 60)
        world.store.protectedData.lock()
        await #expect(throws: Unavailability.locked) {
            _ = try await service.total(.steps, on: CivilDate(2024, 3, 10))
        }
    }

    @Test("a deleted sample disappears from a cached page at the next refresh")
    func deletion() async throws {
        let service = world.service("UTC")
        let day = CivilDate(2024, 3, 10)
        let context = PageContext(calendar: service.calendar)
        let noon = try #require(service.calendar.interval(of: day)?.start) + 43_200
        try await world.walk(100, from: noon, seconds: 600)
        let cache = DashboardCache(at: nil)
        let metrics: [Metric] = [.steps]
        func current() async throws -> SummaryPage {
            try await cache.current("day", of: metrics, in: service) {
                () async throws(Unavailability) in
                try await SummaryPage(of: service, on: day, context: context)
            }
        }
        #expect(try await current().steps?.value == 100)
        let first = try await current().freshness.asOf
        #expect(try await current().freshness.asOf == first)
        try await world.deleteAll()
        let page = try await current()
        #expect(page.steps?.value == nil)
        #expect(page.tiles.isEmpty)
    }
}

/// Revoked read access.
@Suite struct RevokedReadingTests {
    @Test("a revoked type disappears from a cached page at the next refresh")
    func revoked() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("RevokedReading-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm", ".lock"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let phone = try HKHealthStore(path: path, identity: .phone(named: "Phone"))
        let steps = HKQuantityType(.stepCount)
        try await phone.requestAuthorization(toShare: [steps], read: [])
        let service = HealthKitService(
            store: phone.withIdentity(
                AppIdentity("org.example.pages", name: "Pages", version: "1")),
            calendar: .gregorian(in: .gmt))
        let context = PageContext(calendar: service.calendar)
        let day = CivilDate(2024, 3, 10)
        let noon = try #require(context.calendar.interval(of: day)?.start) + 43_200
        try await phone.save(
            HKQuantitySample(
                type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 100), start: noon,
                end: noon + 600))
        try await service.store.requestAuthorization(toShare: [], read: [steps])
        let cache = DashboardCache(at: nil)
        func current() async throws -> SummaryPage {
            try await cache.current("day", of: [.steps], in: service) {
                () async throws(Unavailability) in
                try await SummaryPage(of: service, on: day, context: context)
            }
        }
        #expect(try await current().steps?.value == 100)
        let code = try #require(Catalogue.type(identifier: steps.identifier)?.code)
        let file = try SampleStore(at: path, access: .writing)
        try file.setAuthorization(
            [code: AuthorizationRow(share: .notDetermined, read: .denied)], of: "org.example.pages")
        let page = try await current()
        #expect(page.steps?.value == nil)
        #expect(page.sentence.hasPrefix("No data"))
        withExtendedLifetime(file) {}
    }
}

/// An in-memory store in which apps record steps.
struct DashboardWorld {
    let store = HKHealthStore.inMemory(
        configuration: HealthStoreConfiguration(authorization: .assumed))
    private let steps = HKQuantityType(.stepCount)

    func service(_ zone: String) -> HealthKitService {
        HealthKitService(
            store: store, calendar: .gregorian(in: TimeZone(identifier: zone) ?? .gmt))
    }

    func walk(
        _ value: Double, from start: Date, seconds: Double, by identity: AppIdentity? = nil
    ) async throws {
        let sample = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: value), start: start,
            end: start + seconds)
        try await (identity.map(store.withIdentity) ?? store).save(sample)
    }

    func samples() async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)], sortDescriptors: []
        ).result(for: store)
    }

    func deleteAll() async throws { try await store.delete(try await samples()) }
}
