// The same names used where they belong.
import HealthKit

extension HKUnit {
    static let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
    static let metersPerSecond = HKUnit.meter().unitDivided(by: .second())
}

struct LiveNumbers {
    func heartRate(_ statistics: HKStatistics?) -> Double? {
        statistics?.mostRecentQuantity()?.doubleValue(for: .beatsPerMinute)
    }

    func speed(of workout: HKWorkout) -> Double? {
        workout.statistics(for: HKQuantityType(.runningSpeed))?.averageQuantity()?
            .doubleValue(for: .metersPerSecond)
    }

    func power(of workout: HKWorkout) -> Double? {
        workout.statistics(for: HKQuantityType(.runningPower))?.averageQuantity()?
            .doubleValue(for: .watt())
    }

    func distance(of workout: HKWorkout) -> Double? {
        workout.statistics(for: HKQuantityType(.distanceCycling))?.sumQuantity()?
            .doubleValue(for: .mile())
    }

    func sample(kilojoules: Double, at date: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.activeEnergyBurned),
            quantity: HKQuantity(unit: .jouleUnit(with: .kilo), doubleValue: kilojoules),
            start: date, end: date)
    }
}
