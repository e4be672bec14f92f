// Samples and predicates made with a quantity of another dimension.
import HealthKit

struct SampleFactory {
    func heartRate(_ bpm: Double, at date: Date) -> HKQuantitySample {
        let quantity = HKQuantity(unit: .count(), doubleValue: bpm)  // finds unit-mismatch
        return HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: quantity, start: date, end: date)
    }

    func water(milliliters: Double, at date: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.dietaryWater),
            quantity: HKQuantity(
                unit: HKUnit.gramUnit(with: .milli),  // finds unit-mismatch
                doubleValue: milliliters),
            start: date, end: date)
    }

    func carbohydrates(_ amount: Double, at date: Date) -> HKQuantitySample? {
        guard let type = HKObjectType.quantityType(forIdentifier: .dietaryCarbohydrates) else {
            return nil
        }
        let quantity = HKQuantity(unit: .kilocalorie(), doubleValue: amount)  // finds unit-mismatch
        return HKQuantitySample(type: type, quantity: quantity, start: date, end: date)
    }

    func exercise(minutes: Double, from start: Date, to end: Date) -> HKQuantitySample {
        let unit = HKUnit(from: "count/min")
        return HKQuantitySample(
            type: HKQuantityType(.appleExerciseTime),
            quantity: HKQuantity(unit: unit, doubleValue: minutes),  // finds unit-mismatch
            start: start, end: end)
    }

    func fastHearts(store: HKHealthStore, completion: @escaping ([HKSample]) -> Void) {
        let limit = HKQuantity(unit: .hour(), doubleValue: 120)  // finds unit-mismatch
        let fast = HKQuery.predicateForQuantitySamples(with: .greaterThan, quantity: limit)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: fast, limit: 100,
            sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }
}
