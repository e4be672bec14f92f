// Raw samples of cumulative types that are counted, plotted, compared or measured in time.
import HealthKit

struct Point {
    let date: Date
    let steps: Double
    let minutes: Double
}

final class StepPlot {
    let store: HKHealthStore
    private var total = 0.0

    init(store: HKHealthStore) { self.store = store }

    private func samples(in range: NSPredicate) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount), predicate: range)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    func points(in range: NSPredicate) async throws -> [Point] {
        var points: [Point] = []
        for sample in try await samples(in: range) {
            let steps = sample.quantity.doubleValue(for: .count())
            points += [Point(date: sample.startDate, steps: steps, minutes: 1)]
        }
        return points
    }

    func walkingMinutes(in range: NSPredicate) async throws -> Double {
        let points = try await samples(in: range).map {
            Point(
                date: $0.startDate, steps: $0.quantity.doubleValue(for: .count()),
                minutes: $0.endDate.timeIntervalSince($0.startDate) / 60)
        }
        return points.reduce(0) { $0 + $1.minutes }
    }

    func busiest(in range: NSPredicate) async throws -> Double {
        try await samples(in: range).reduce(0) { max($0, $1.quantity.doubleValue(for: .count())) }
    }

    func add(_ statistics: HKStatistics) {
        total += statistics.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
    }

    func addLatest(in range: NSPredicate) async throws {
        let latest = try await samples(in: range).last
        total += latest?.quantity.doubleValue(for: .count()) ?? 0
    }

    func goal(_ summaries: [HKActivitySummary]) -> Double {
        summaries.reduce(0) { $0 + $1.activeEnergyBurned.doubleValue(for: .kilocalorie()) }
    }

    func listed(_ workouts: [HKWorkout]) -> Double {
        workouts.compactMap { $0.totalEnergyBurned?.doubleValue(for: .kilocalorie()) }.reduce(0, +)
    }

    func lengths(_ steps: [HKQuantitySample]) -> Double {
        steps.reduce(0) { $0 + $1.quantity.doubleValue(for: .meter()) }
    }
}
