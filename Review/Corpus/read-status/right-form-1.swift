import HealthKit
final class WeightWriter {
    let store: HKHealthStore
    let type = HKQuantityType(.bodyMass)
    init(store: HKHealthStore) { self.store = store }
    func ask() async throws { try await store.requestAuthorization(toShare: [type], read: [type]) }
    func save(_ kilograms: Double) async throws {
        guard store.authorizationStatus(for: type) == .sharingAuthorized else { return }
        let quantity = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now))
    }
    func shouldAsk() async throws -> Bool {
        try await store.statusForAuthorizationRequest(toShare: [type], read: [type]) == .shouldRequest
    }
}
