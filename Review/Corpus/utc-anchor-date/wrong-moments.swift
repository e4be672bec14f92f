// Days that begin now, long ago, or last a fixed number of seconds.
import HealthKit

struct MomentCharts {
    let store: HKHealthStore
    let range: NSPredicate

    func steps() -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum,
            anchorDate: Date(),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }

    func distance() async throws -> HKStatisticsCollection {
        try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.distanceWalkingRunning), predicate: range),
            options: .cumulativeSum,
            anchorDate: .distantPast,  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1)
        ).result(for: store)
    }

    func energy() -> HKStatisticsCollectionQuery {
        let now = Date.now
        var interval = DateComponents()
        interval.day = 7
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.basalEnergyBurned), quantitySamplePredicate: range,
            options: .cumulativeSum,
            anchorDate: now,  // finds utc-anchor-date
            intervalComponents: interval)
    }

    func exercise(today: Date) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.appleExerciseTime), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: today),
            intervalComponents: DateComponents(hour: 24))  // finds utc-anchor-date
    }

    func stand(today: Date) -> HKStatisticsCollectionQuery {
        var components = DateComponents()
        components.second = 86_400
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.appleStandTime), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: today),
            intervalComponents: components)  // finds utc-anchor-date
    }
}
