// Units that are other than the type's for a reason: durations, metadata, several types, arithmetic.
import HealthKit

struct Lookalikes {
    let store: HKHealthStore

    func worn(_ type: HKQuantityType, in range: NSPredicate) async throws -> Double? {
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
            options: [.cumulativeSum, .duration])
        return try await descriptor.result(for: store)?.duration()?.doubleValue(for: .second())
    }

    func ascended(_ workout: HKWorkout) -> Double? {
        (workout.metadata?[HKMetadataKeyElevationAscended] as? HKQuantity)?
            .doubleValue(for: .meter())
    }

    func either(_ isWeight: Bool, in range: NSPredicate) async throws -> [Double] {
        let type = isWeight ? HKQuantityType(.bodyMass) : HKQuantityType(.height)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: range)], sortDescriptors: []
        ).result(for: store)
        return samples.map {
            $0.quantity.doubleValue(for: isWeight ? .gramUnit(with: .kilo) : .meter())
        }
    }

    func share(in range: NSPredicate) async throws -> [Double] {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.bodyFatPercentage), predicate: range)
            ],
            sortDescriptors: []
        ).result(for: store)
        return samples.map { $0.quantity.doubleValue(for: .count()) * 100 }
    }

    func sample(_ type: HKQuantityType, _ unit: HKUnit, _ value: Double) -> HKQuantitySample {
        let quantity = HKQuantity(unit: unit, doubleValue: value)
        return HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now)
    }

    func measured(_ workout: HKWorkout) -> Double? {
        workout.totalDistance?.doubleValue(for: .mile())
    }

    func asked(in range: NSPredicate) async throws -> [Double] {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
        return samples.compactMap { sample in
            sample.quantity.is(compatibleWith: .count())
                ? sample.quantity.doubleValue(for: .count()) : nil
        }
    }
}
