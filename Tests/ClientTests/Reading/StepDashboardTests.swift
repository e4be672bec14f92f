import Foundation
import OpenHealthKit
import Testing

/// A week's chart: cached values first, then current ones, updated while it is visible.
@MainActor
@Suite struct StepDashboardTests {
    let fixture: ClientFixture
    let cache = FileManager.default.temporaryDirectory
        .appending(path: "dashboard-\(UUID().uuidString).json")

    init() throws { fixture = try ClientFixture() }

    private func dashboard() -> StepDashboard {
        StepDashboard(
            healthStore: fixture.store, cache: cache, calendar: fixture.calendar)
    }

    private func counts(_ dashboard: StepDashboard) -> [Int] { dashboard.days.map(\.count) }

    private func reaches(_ dashboard: StepDashboard, on counts: [Int]) async -> Bool {
        for _ in 0..<500 {
            if dashboard.days.map(\.count) == counts { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test("days follow the calendar, empty ones are 0, and totals have no duplicates")
    func week() async throws {
        defer { try? FileManager.default.removeItem(at: cache) }
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        // 2026-03-29 has 23 hours in Berlin; this walk is on the 30th.
        try await fixture.recordSteps([(72, 1, 500)], by: fixture.watch)
        let dashboard = dashboard()
        dashboard.start(
            from: fixture.midnight, to: fixture.midnight.addingTimeInterval(4 * 86_400 - 3600),
            goal: 10_237)
        #expect(await reaches(dashboard, on: [10_237, 0, 0, 500]))
        #expect(dashboard.days.first?.share == 1)
        let midnights = dashboard.days.map { fixture.calendar.startOfDay(for: $0.date) }
        #expect(dashboard.days.map(\.date) == midnights)
        dashboard.stop()
    }

    @Test("an open chart is updated after saves and deletions, a closed one is not")
    func updates() async throws {
        defer { try? FileManager.default.removeItem(at: cache) }
        try await fixture.authorize()
        let dashboard = dashboard()
        dashboard.start(
            from: fixture.midnight, to: fixture.midnight.addingTimeInterval(86_400), goal: 100)
        #expect(await reaches(dashboard, on: [0]))
        let samples = try await fixture.recordSteps([(8, 1, 30), (9, 1, 40)], by: fixture.watch)
        #expect(await reaches(dashboard, on: [70]))
        try await fixture.watch.delete(samples[0])
        #expect(await reaches(dashboard, on: [40]))
        dashboard.stop()
        try await fixture.recordSteps([(10, 1, 5)], by: fixture.watch)
        try await Task.sleep(for: .milliseconds(100))
        #expect(counts(dashboard) == [40])
    }

    @Test("cached values are shown before the first result, and then replaced")
    func cached() async throws {
        defer { try? FileManager.default.removeItem(at: cache) }
        let old = [DaySteps(date: fixture.midnight, count: 7, share: 0.1)]
        try JSONEncoder().encode(old).write(to: cache)
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        let dashboard = dashboard()
        #expect(dashboard.days == old)
        dashboard.start(
            from: fixture.midnight, to: fixture.midnight.addingTimeInterval(86_400), goal: 100)
        #expect(await reaches(dashboard, on: [10_237]))
        let retained = try JSONDecoder().decode([DaySteps].self, from: Data(contentsOf: cache))
        #expect(retained == dashboard.days)
        dashboard.stop()
    }

    @Test("an anchor at midnight UTC gives other days than the person's calendar")
    func wrongAnchor() async throws {
        try await fixture.authorize()
        try await fixture.recordSteps([(0.5, 0.25, 100), (12, 1, 10)], by: fixture.watch)
        func days(anchoredAt anchor: Date) async throws -> [Double?] {
            let collection = try await HKStatisticsCollectionQueryDescriptor(
                predicate: .quantitySample(type: HKQuantityType(.stepCount)),
                options: .cumulativeSum, anchorDate: anchor,
                intervalComponents: DateComponents(day: 1)
            ).result(for: fixture.store)
            return collection.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) }
        }
        #expect(try await days(anchoredAt: fixture.midnight) == [110])
        // Berlin is an hour ahead: its first hour is on the previous day in UTC.
        #expect(
            try await days(anchoredAt: fixture.midnight.addingTimeInterval(3600)) == [100, 10])
    }
}
