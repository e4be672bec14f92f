// Live workouts report off the main queue too: builders, sessions and their delegates.
import HealthKit
import SwiftUI

final class LiveWorkout: NSObject, ObservableObject, HKLiveWorkoutBuilderDelegate {
    @Published var isRunning = false
    @Published var heartRate = 0.0
    private var builder: HKLiveWorkoutBuilder?

    func start(_ start: Date) {
        builder?.beginCollection(withStart: start) { success, _ in
            self.isRunning = success  // finds main-actor-state
        }
    }

    func end() {
        builder?.endCollection(withEnd: Date()) { _, _ in
            self.builder?.finishWorkout { _, _ in
                DispatchQueue.main.async { self.isRunning = false }
            }
        }
    }

    func workoutBuilder(
        _ builder: HKLiveWorkoutBuilder, didCollectDataOf types: Set<HKSampleType>
    ) {
        let statistics = builder.statistics(for: HKQuantityType(.heartRate))
        let unit = HKUnit.count().unitDivided(by: .minute())
        heartRate = statistics?.mostRecentQuantity()?.doubleValue(for: unit) ?? 0  // finds main-actor-state
    }

    func workoutBuilderDidCollectEvent(_ builder: HKLiveWorkoutBuilder) {
        DispatchQueue.main.async { self.isRunning = builder.workoutEvents.isEmpty }
    }
}
