// Totals added in the delegate's method itself.
import HealthKit

final class LiveTotals: NSObject, HKLiveWorkoutBuilderDelegate {
    var energy = 0.0
    var distance: Double?
    var totals: [HKQuantityType: Double] = [:]
    let board = Board()

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        for case let type as HKQuantityType in collectedTypes {
            guard let statistics = workoutBuilder.statistics(for: type) else { continue }
            switch type {
            case HKQuantityType(.activeEnergyBurned):
                energy += statistics.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0  // finds running-sum
            case HKQuantityType(.distanceWalkingRunning):
                let meters = statistics.sumQuantity()?.doubleValue(for: .meter()) ?? 0
                distance = (distance ?? 0) + meters  // finds running-sum
            case HKQuantityType(.stepCount):
                if let sum = statistics.sumQuantity() {
                    let steps = sum.doubleValue(for: .count())
                    totals[type, default: 0] += steps  // finds running-sum
                    board.steps = board.steps + steps  // finds running-sum
                }
            default: break
            }
        }
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}

final class Board {
    var steps = 0.0
}
