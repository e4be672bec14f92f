import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthKit
import HealthSimulator
import HealthTesting
import Testing

/// The examples in HealthDashboard's doc comments.
@Suite struct DashboardExamplesTests {
    private let temporary: TemporaryFolder
    private var file: URL { URL(fileURLWithPath: temporary.path + "/pages.cache") }
    private let ten = Date(timeIntervalSinceReferenceDate: 796_903_200)

    init() throws { temporary = try TemporaryFolder() }

    private func service() -> FakeHealthService {
        var values = FakeHealthService.Values()
        values.totals[.steps] = [CivilDate(2024, 3, 10): 8214]
        return FakeHealthService(values)
    }

    @Test("a metric has a title and a unit")
    func metric() {
        #expect(Metric.steps.displayName == "steps")
        #expect(Metric.heartRate.unit == "count/min")
    }

    @Test("a typical range excludes the extremes")
    func range() {
        let range = TypicalRange(of: (1...11).map(Double.init))
        #expect(range == TypicalRange(low: 2, high: 10, days: 11, median: 6))
    }

    @Test("a service for previews can be created from values")
    func fakeService() async {
        var values = FakeHealthService.Values()
        values.totals[.steps] = [CivilDate(2024, 3, 10): 8214]
        let service = FakeHealthService(values, delay: .milliseconds(500))
        #expect(await service.requestCount == 0)
    }

    @Test("a service based on HealthKit returns a point for each day")
    func healthKitService() async throws {
        try await HKHealthStore().requestAuthorization(
            toShare: [], read: [HKQuantityType(.stepCount)])
        let service = HealthKitService(store: HKHealthStore())
        let calendar = service.calendar
        let first = try #require(calendar.date(from: DateComponents(year: 2024, month: 3, day: 1)))
        let last = try #require(calendar.date(from: DateComponents(year: 2024, month: 4, day: 1)))
        let march = DateInterval(start: first, end: last)
        let steps = try await service.series(.steps, by: .day, over: march)
        #expect(steps.points.count == 31)
    }

    @Test("a page for a day can be read and encoded as JSON")
    func page() async throws {
        let service = service()
        let context = PageContext()
        let page = try await SummaryPage(of: service, on: CivilDate(2024, 3, 10), context: context)
        print(page.sentence)
        let json = try page.json()
        #expect(page.steps?.value == 8214)
        #expect(!json.isEmpty)
    }

    @Test("a page is cached in a file and read again")
    func cache() async throws {
        let context = PageContext()
        let cacheKey = context.cacheKey("day 2024-03-10")
        let page = try await SummaryPage(
            of: service(), on: CivilDate(2024, 3, 10), context: context)
        let revisions = try await service().revisions(of: SummaryPage.watched)
        let cache = DashboardCache(at: file)
        let cached = await cache.page(SummaryPage.self, for: cacheKey)
        #expect(cached?.page.steps == nil)
        await cache.store(page, for: cacheKey, revisions: revisions)
        #expect(await cache.page(SummaryPage.self, for: cacheKey)?.page.steps?.value == 8214)
    }

    @Test("a view model shows a page and updates it until its task is cancelled")
    @MainActor func model() async {
        let service = service()
        let cache = DashboardCache(at: nil)
        let context = PageContext()
        let day = CivilDate(2024, 3, 10)
        let model = DashboardModel(
            service: service, cache: cache, metrics: SummaryPage.watched,
            cacheKey: context.cacheKey("day \(day)")
        ) { service async throws(Unavailability) in
            try await SummaryPage(of: service, on: day, context: context)
        }
        let opening = Task { await model.open() }
        await model.refresh()
        #expect(model.state.value?.steps?.value == 8214)
        opening.cancel()
        await opening.value
    }

    /// The samples of a Watch and of an iPhone that overlap for five minutes.
    private func overlappingSteps() async throws -> [HKQuantitySample] {
        let store = HKHealthStore.inMemory()
        let steps = HKQuantityType(.stepCount)
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Watch"))
        let phone = script.add(.phone(named: "iPhone"))
        script.measure(.quantity(.stepCount, 100, unit: .count()), from: ten, for: 600, on: watch)
        script.measure(
            .quantity(.stepCount, 100, unit: .count()), from: ten.addingTimeInterval(300),
            for: 600, on: phone)
        try await DevicePlayback(script, store: store).run(until: ten.addingTimeInterval(3600))
        try await store.requestAuthorization(toShare: [], read: [steps])
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)], sortDescriptors: [], limit: 10
        ).result(for: store)
    }

    @Test("the overlap of two sources is a duplicate")
    func timeline() async throws {
        let samples = try await overlappingSteps()
        let timeline = try samples.timeline()
        #expect(timeline.mergedIntervals.map(\.source.name) == ["Watch", "iPhone"])
        #expect(timeline.total()?.sum == HKQuantity(unit: .count(), doubleValue: 150))
        #expect(timeline.total()?.naiveSum == HKQuantity(unit: .count(), doubleValue: 200))
        let today = DateInterval(start: ten, duration: 900)
        for share in timeline.total(in: today)?.shares ?? [] {
            print(share.source.name, share.contributed, share.duplicate)
        }
    }

    private let midnight = Date(timeIntervalSinceReferenceDate: 731_808_000)

    private func sleep() -> [HKCategorySample] {
        [
            HKCategorySample(
                type: HKCategoryType(.sleepAnalysis),
                value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: midnight,
                end: midnight.addingTimeInterval(7 * 3600))
        ]
    }

    @Test("sleep is a duration, and a night")
    func nights() throws {
        let sleep = sleep()
        let morning = midnight.addingTimeInterval(8 * 3600)
        let night = try sleep.timeline(until: morning)
        #expect(
            night.duration(of: Set(HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue)))
                == 25_200)
        let nights = sleep.nights(in: .current)
        #expect(nights.last?.asleep == 25_200)
    }
}
