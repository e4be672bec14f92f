import HealthKit
func saveHeight(_ centimeters: Double, in store: HKHealthStore) async throws {
    let quantity = HKQuantity(unit: .gramUnit(with: .centi), doubleValue: centimeters) // finds unit-mismatch
    let sample = HKQuantitySample(type: HKQuantityType(.height), quantity: quantity, start: .now, end: .now)
    try await store.save(sample)
}
