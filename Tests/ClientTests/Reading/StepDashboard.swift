import Foundation
import HealthKit

/// A day for screens and caches, without HealthKit types.
struct DaySteps: Codable, Equatable, Sendable {
    let date: Date
    let count: Int
    let share: Double
}

extension HKStatistics {
    func daySteps(goal: Int) -> DaySteps {
        let steps = sumQuantity()?.doubleValue(for: .count()) ?? 0
        return DaySteps(date: startDate, count: Int(steps), share: steps / Double(goal))
    }
}

/// A bar chart of steps per day: cached values first, then current ones.
@MainActor
final class StepDashboard {
    private(set) var days: [DaySteps] = []
    private let healthStore: HKHealthStore
    private let cache: URL
    private let calendar: Calendar
    private var query: HKStatisticsCollectionQuery?

    init(healthStore: HKHealthStore, cache: URL, calendar: Calendar) {
        self.healthStore = healthStore
        self.cache = cache
        self.calendar = calendar
        if let data = try? Data(contentsOf: cache) {
            days = (try? JSONDecoder().decode([DaySteps].self, from: data)) ?? []
        }
    }

    /// Queries the days and keeps them up to date until ``stop()``.
    func start(from start: Date, to end: Date, goal: Int) {
        guard query == nil else { return }
        var interval = DateComponents(day: 1)
        interval.calendar = calendar
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: .cumulativeSum,
            anchorDate: calendar.startOfDay(for: start), intervalComponents: interval)
        query.initialResultsHandler = { [weak self] _, results, _ in
            guard let results else { return }
            let days = Self.days(of: results, from: start, to: end, goal: goal)
            Task { @MainActor in self?.show(days) }
        }
        query.statisticsUpdateHandler = { [weak self] _, _, results, _ in
            guard let results else { return }
            let days = Self.days(of: results, from: start, to: end, goal: goal)
            Task { @MainActor in self?.show(days) }
        }
        healthStore.execute(query)
        self.query = query
    }

    func stop() {
        if let query { healthStore.stop(query) }
        query = nil
    }

    private func show(_ days: [DaySteps]) {
        self.days = days
        try? JSONEncoder().encode(days).write(to: cache)
    }

    nonisolated private static func days(
        of results: HKStatisticsCollection, from start: Date, to end: Date, goal: Int
    ) -> [DaySteps] {
        var days: [DaySteps] = []
        // The bucket that begins at the end isn't part of the range.
        results.enumerateStatistics(from: start, to: end) { statistics, _ in
            if statistics.startDate < end { days.append(statistics.daySteps(goal: goal)) }
        }
        return days
    }
}
