// What fails looks like a day without data. The screen is only worth a note.
import HealthKit
import SwiftUI

@MainActor final class RingsModel: ObservableObject {
    @Published var minutes = 0.0
    @Published var workouts: [HKWorkout] = []
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func load() async {
        let week = HKQuery.predicateForSamples(withStart: .now.addingTimeInterval(-604_800), end: nil)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workout(week)], sortDescriptors: [SortDescriptor(\.startDate)])
        do {
            workouts = try await descriptor.result(for: store)
        } catch {
            workouts = []  // finds error-as-zero
        }
    }

    func loadMinutes() {
        let day = HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: .now), end: nil)
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.appleExerciseTime), quantitySamplePredicate: day,
            options: .cumulativeSum
        ) { _, result, _ in
            let minutes = result?.sumQuantity()?.doubleValue(for: .minute()) ?? 0  // finds error-as-zero
            Task { @MainActor in
                self.minutes = minutes
            }
        }
        store.execute(query)
    }
}
