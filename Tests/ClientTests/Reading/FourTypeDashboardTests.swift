import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import OpenHealthKit
import Testing

/// Types that weren't requested remove their cards, but never a whole page.
@MainActor
@Suite struct FourTypeDashboardTests {
    let fixture: ClientFixture
    let context: PageContext
    let cache = FileManager.default.temporaryDirectory
        .appending(path: "four-types-\(UUID().uuidString)")

    init() throws {
        fixture = try ClientFixture()
        context = PageContext(
            now: fixture.midnight + 80_000, calendar: fixture.calendar)
    }

    private func dashboard() -> FourTypeDashboard {
        FourTypeDashboard(healthStore: fixture.store, cache: cache, context: context)
    }

    private func record() async throws {
        try await fixture.recordOverlappingSteps()
        let beats = HKUnit.count().unitDivided(by: .minute())
        try await fixture.record(
            .heartRate, beats, [(9, 0, 60), (9.1, 0, 80)], by: fixture.watch)
        try await fixture.record(
            .activeEnergyBurned, .kilocalorie(), [(8, 1, 310)], by: fixture.watch)
        try await fixture.record(
            .distanceWalkingRunning, .meter(), [(8, 1, 2000)], by: fixture.phone)
        let sleep = HKCategoryType(.sleepAnalysis)
        try await fixture.watch.requestAuthorization(toShare: [sleep], read: [])
        try await fixture.watch.save(
            HKCategorySample(
                type: sleep, value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
                start: fixture.midnight, end: fixture.midnight + 6 * 3600))
    }

    @Test("an app that requests four types has only their cards")
    func today() async throws {
        defer { try? FileManager.default.removeItem(at: cache) }
        try await record()
        try await fixture.authorize(read: FourTypeDashboard.types)
        let dashboard = dashboard()
        await dashboard.model.refresh()
        guard case .fresh(let page, _) = dashboard.model.state else {
            Issue.record("shown as \(dashboard.model.state)")
            return
        }
        #expect(page.steps?.value == 10_237)
        #expect(page.tiles.map(\.metric) == [.steps, .activeEnergy, .heartRate])
        #expect(page.tiles.last?.value == 70)
        #expect(page.night?.asleep == 21_600)
        #expect(page.rings == nil && page.workouts.isEmpty)
        // The next launch shows the cached page, then the current one.
        try await fixture.recordSteps([(15, 1, 100)], by: fixture.phone)
        let next = self.dashboard()
        await next.model.showCached()
        #expect(next.model.state.value?.steps?.value == 10_237)
        await next.model.refresh()
        #expect(next.model.state.value?.steps?.value == 10_337)
    }

    @Test("the revision of a type never requested is unchanged until its request")
    func revisions() async throws {
        try await record()
        try await fixture.authorize(read: FourTypeDashboard.types)
        let service = dashboard().service
        let before = try await service.revisions(of: SummaryPage.watched)
        #expect(try await service.revisions(of: SummaryPage.watched) == before)
        #expect(before[.distance] != nil)
        try await fixture.authorize(read: [HKQuantityType(.distanceWalkingRunning)])
        let after = try await service.revisions(of: SummaryPage.watched)
        #expect(after[.distance] != before[.distance])
        #expect(after[.steps] == before[.steps])
    }

    @Test("a page can show sleep only; without any type it reports that nothing was requested")
    func sleepAlone() async throws {
        try await record()
        let dashboard = dashboard()
        await dashboard.model.refresh()
        #expect(dashboard.model.state == .unavailable(.notDetermined, last: nil, asOf: nil))
        try await fixture.authorize(read: [HKCategoryType(.sleepAnalysis)])
        await dashboard.model.refresh()
        #expect(dashboard.model.state.value?.night?.asleep == 21_600)
        #expect(dashboard.model.state.value?.tiles.isEmpty == true)
    }

    @Test("a trend of a type never requested is empty beside others, and reports that")
    func trends() async throws {
        try await record()
        try await fixture.authorize(read: FourTypeDashboard.types)
        let service = dashboard().service
        let known = try await service.metrics()
        func page(_ metric: Metric, among metrics: [Metric]) async throws -> TypePage {
            try await TypePage(
                of: service, metric, by: .day, over: fixture.day, among: metrics,
                context: context)
        }
        let distance = try await page(.distance, among: known)
        #expect(distance.series.points.map(\.value) == [nil])
        #expect(
            distance.sentence
                == "No walking and running: permission to read it has not been requested.")
        #expect(Set(distance.metrics) == [.steps, .heartRate, .activeEnergy, .sleep])
        #expect(try await page(.steps, among: known).series.points.map(\.value) == [10_237])
        await #expect(throws: Unavailability.notDetermined) { try await page(.distance, among: []) }
        await #expect(throws: Unavailability.notDetermined) {
            try await WorkoutsPage(of: service, over: fixture.day, context: context)
        }
    }
}
