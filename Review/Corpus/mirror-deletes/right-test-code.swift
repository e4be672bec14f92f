// Clean-up after a test deletes what the test has saved.
import HealthKit
import Testing

struct WeightSyncTests {
    let healthStore: HKHealthStore

    @Test("a weight that is saved comes back")
    func roundTrip() async throws {
        let now = Date()
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 70), start: now,
            end: now)
        try await healthStore.save(sample)
        try await cleanupAfterSync([sample])
    }

    private func cleanupAfterSync(_ samples: [HKQuantitySample]) async throws {
        try await healthStore.delete(samples)
    }
}
