import Foundation
import OpenHealthKit
import Testing

/// A week's chart: cached values first, then current ones, updated while it is visible.
@MainActor
@Suite struct StepDashboardTests {
    let household: Household
    let cache = FileManager.default.temporaryDirectory
        .appending(path: "dashboard-\(UUID().uuidString).json")

    init() throws { household = try Household() }

    private func dashboard() -> StepDashboard {
        StepDashboard(
            healthStore: household.store, cache: cache, calendar: household.calendar)
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
        try await household.authorize()
        try await household.walk()
        // 2026-03-29 has 23 hours in Berlin; this walk is on the 30th.
        try await household.walked([(72, 1, 500)], by: household.watch)
        let dashboard = dashboard()
        dashboard.start(
            from: household.midnight, to: household.midnight.addingTimeInterval(4 * 86_400 - 3600),
            goal: 10_237)
        #expect(await reaches(dashboard, on: [10_237, 0, 0, 500]))
        #expect(dashboard.days.first?.share == 1)
        let midnights = dashboard.days.map { household.calendar.startOfDay(for: $0.date) }
        #expect(dashboard.days.map(\.date) == midnights)
        dashboard.stop()
    }

    @Test("an open chart is updated after saves and deletions, a closed one is not")
    func updates() async throws {
        defer { try? FileManager.default.removeItem(at: cache) }
        try await household.authorize()
        let dashboard = dashboard()
        dashboard.start(
            from: household.midnight, to: household.midnight.addingTimeInterval(86_400), goal: 100)
        #expect(await reaches(dashboard, on: [0]))
        let samples = try await household.walked([(8, 1, 30), (9, 1, 40)], by: household.watch)
        #expect(await reaches(dashboard, on: [70]))
        try await household.watch.delete(samples[0])
        #expect(await reaches(dashboard, on: [40]))
        dashboard.stop()
        try await household.walked([(10, 1, 5)], by: household.watch)
        try await Task.sleep(for: .milliseconds(100))
        #expect(counts(dashboard) == [40])
    }

    @Test("cached values are shown before the first result, and then replaced")
    func cached() async throws {
        defer { try? FileManager.default.removeItem(at: cache) }
        let old = [DaySteps(date: household.midnight, count: 7, share: 0.1)]
        try JSONEncoder().encode(old).write(to: cache)
        try await household.authorize()
        try await household.walk()
        let dashboard = dashboard()
        #expect(dashboard.days == old)
        dashboard.start(
            from: household.midnight, to: household.midnight.addingTimeInterval(86_400), goal: 100)
        #expect(await reaches(dashboard, on: [10_237]))
        let retained = try JSONDecoder().decode([DaySteps].self, from: Data(contentsOf: cache))
        #expect(retained == dashboard.days)
        dashboard.stop()
    }

    @Test("an anchor at midnight UTC gives other days than the person's calendar")
    func wrongAnchor() async throws {
        try await household.authorize()
        try await household.walked([(0.5, 0.25, 100), (12, 1, 10)], by: household.watch)
        func days(anchoredAt anchor: Date) async throws -> [Double?] {
            let collection = try await HKStatisticsCollectionQueryDescriptor(
                predicate: .quantitySample(type: HKQuantityType(.stepCount)),
                options: .cumulativeSum, anchorDate: anchor,
                intervalComponents: DateComponents(day: 1)
            ).result(for: household.store)
            return collection.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) }
        }
        #expect(try await days(anchoredAt: household.midnight) == [110])
        // Berlin is an hour ahead: its first hour is on the previous day in UTC.
        #expect(
            try await days(anchoredAt: household.midnight.addingTimeInterval(3600)) == [100, 10])
    }
}
