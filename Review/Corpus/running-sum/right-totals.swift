// Sums that are assigned, begun anew, of one update only, or of a time of their own.
import HealthKit

final class LiveTotals: NSObject, HKLiveWorkoutBuilderDelegate {
    var energy = 0.0
    var distance = 0.0
    var steps = 0.0
    var lastSteps = 0.0
    var finished = 0.0
    var updates = 0
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        updates += 1
        energy = workoutBuilder.statistics(for: HKQuantityType(.activeEnergyBurned))?
            .sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
        addDistances(workoutBuilder)
        addNewSteps(workoutBuilder)
        var total = 0.0
        for case let type as HKQuantityType in collectedTypes {
            total += workoutBuilder.statistics(for: type)?.sumQuantity()?.doubleValue(
                for: .kilocalorie()) ?? 0
        }
        print(total)
    }

    /// Walking and cycling, begun anew at each update.
    private func addDistances(_ builder: HKLiveWorkoutBuilder) {
        distance = 0
        for type in [HKQuantityType(.distanceWalkingRunning), HKQuantityType(.distanceCycling)] {
            distance += builder.statistics(for: type)?.sumQuantity()?.doubleValue(for: .meter()) ?? 0
        }
    }

    /// Only what is new.
    private func addNewSteps(_ builder: HKLiveWorkoutBuilder) {
        let sum = builder.statistics(for: HKQuantityType(.stepCount))?.sumQuantity()
        let now = sum?.doubleValue(for: .count()) ?? 0
        steps += now - lastSteps
        lastSteps = now
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    /// Once, when a workout has ended: the sum of all workouts of this session.
    func finish(_ builder: HKLiveWorkoutBuilder) {
        finished += builder.statistics(for: HKQuantityType(.activeEnergyBurned))?
            .sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
    }
}

final class Week {
    var total = 0.0

    func add(_ collection: HKStatisticsCollection, from start: Date, to end: Date) {
        collection.enumerateStatistics(from: start, to: end) { statistics, _ in
            self.total += statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0
        }
    }

    func add(_ statistics: HKStatistics) {
        total += statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }

    func add(_ days: [HKStatistics]) { for day in days { add(day) } }
}
