// Totals added in a function of the workout's model that the delegate in an extension calls.
import HealthKit

@MainActor
final class WorkoutModel: NSObject, ObservableObject {
    @Published var energy = 0.0
    @Published var distance = 0.0
    @Published var heartRate = 0.0

    func update(_ statistics: HKStatistics) {
        switch statistics.quantityType {
        case HKQuantityType(.heartRate):
            heartRate = statistics.mostRecentQuantity()?.doubleValue(for: .hertz()) ?? 0
        case HKQuantityType(.distanceWalkingRunning), HKQuantityType(.distanceCycling):
            distance += statistics.sumQuantity()?.doubleValue(for: .meter()) ?? 0  // finds running-sum
        default: addEnergy(statistics)
        }
    }

    private func addEnergy(_ statistics: HKStatistics) {
        guard let sum = statistics.sumQuantity() else { return }
        let value = sum.doubleValue(for: .kilocalorie())
        self.energy = self.energy + value  // finds running-sum
    }
}

extension WorkoutModel: HKLiveWorkoutBuilderDelegate {
    nonisolated func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        for type in collectedTypes {
            guard let type = type as? HKQuantityType,
                let statistics = workoutBuilder.statistics(for: type)
            else { continue }
            Task { @MainActor in self.update(statistics) }
        }
    }

    nonisolated func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}

final class Phone {
    func update(_ message: [String: Any]) {}
    func update(_ statistics: [Double]) { update(["values": statistics]) }
}

final class StepModel: NSObject, HKLiveWorkoutBuilderDelegate {
    private(set) var steps = 0.0

    private func add(_ statistics: HKStatistics) {
        steps += statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds running-sum
    }

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        let found = collectedTypes.compactMap { type in
            (type as? HKQuantityType).flatMap { workoutBuilder.statistics(for: $0) }
        }
        found.forEach(add)
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
