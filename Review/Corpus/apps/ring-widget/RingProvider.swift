//  Ring widget and intents, 2023.

import HealthKit
import SwiftUI
import WidgetKit

struct RingEntry: TimelineEntry {
    let date: Date
    let move: Double
    let exercise: Double
    let stand: Double
    let steps: Int
    static let placeholder = RingEntry(date: .now, move: 0.6, exercise: 0.8, stand: 0.5, steps: 6_540)
}

struct RingProvider: TimelineProvider {

    let reader = RingReader()

    func placeholder(in context: Context) -> RingEntry { .placeholder }

    func getSnapshot(in context: Context, completion: @escaping (RingEntry) -> Void) {
        guard !context.isPreview else { return completion(.placeholder) }
        Task { completion(await reader.entry()) }
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<RingEntry>) -> Void) {
        Task {
            let entry = await reader.entry()
            completion(Timeline(entries: [entry], policy: .after(.now.addingTimeInterval(20 * 60))))
        }
    }
}

struct RingReader {

    private let store = HKHealthStore()

    func entry() async -> RingEntry {
        guard HKHealthStore.isHealthDataAvailable() else { return .placeholder }
        async let summary = summary()
        async let steps = steps()
        let (rings, count) = await (summary, steps)
        return RingEntry(
            date: .now,
            move: ratio(rings?.activeEnergyBurned, rings?.activeEnergyBurnedGoal, .kilocalorie()),
            exercise: ratio(rings?.appleExerciseTime, rings?.appleExerciseTimeGoal, .minute()),
            stand: ratio(rings?.appleStandHours, rings?.appleStandHoursGoal, .count()),
            steps: count)
    }

    private func ratio(_ value: HKQuantity?, _ goal: HKQuantity?, _ unit: HKUnit) -> Double {
        guard let value, let goal else { return 0 }
        let target = goal.doubleValue(for: unit)
        return target > 0 ? value.doubleValue(for: unit) / target : 0
    }

    private func summary() async -> HKActivitySummary? {
        let calendar = Calendar.current
        var components = calendar.dateComponents([.era, .year, .month, .day], from: .now)
        components.calendar = calendar
        let descriptor = HKActivitySummaryQueryDescriptor(
            predicate: HKQuery.predicateForActivitySummary(with: components))
        return try? await descriptor.result(for: store).first
    }

    private func steps() async -> Int {
        await withCheckedContinuation { continuation in
            let query = HKStatisticsCollectionQuery(
                quantityType: HKQuantityType(.stepCount),
                quantitySamplePredicate: HKQuery.predicateForSamples(
                    withStart: Calendar.current.startOfDay(for: .now), end: .now),
                options: .cumulativeSum,
                anchorDate: .distantPast, // finds utc-anchor-date
                intervalComponents: DateComponents(day: 1))
            query.initialResultsHandler = { _, collection, _ in
                let sum = collection?.statistics().last?.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds error-as-zero
                continuation.resume(returning: Int(sum))
            }
            store.execute(query)
        }
    }
}
