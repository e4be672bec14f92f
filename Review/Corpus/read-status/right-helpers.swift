// Helpers whose answer gates a save, and loops over what is written.
import HealthKit

final class HelperWriter {
    private let store: HKHealthStore
    private let type: HKQuantityType

    init(store: HKHealthStore, type: HKQuantityType) {
        self.store = store
        self.type = type
    }

    private func isAllowed(_ type: HKObjectType) -> Bool {
        store.authorizationStatus(for: type) == .sharingAuthorized
    }

    func add(_ value: Double, _ unit: HKUnit) async throws {
        guard isAllowed(type) else { return }
        let now = Date.now
        try await store.save(
            HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: now, end: now))
    }

    func entries(_ range: NSPredicate) async throws -> [HKSample] {
        guard isAllowed(type) else { return [] }
        return try await HKSampleQueryDescriptor(
            predicates: [.sample(type: type, predicate: range)], sortDescriptors: []
        ).result(for: store)
    }

    func mayWrite(_ writeTypes: [HKSampleType]) -> Bool {
        writeTypes.allSatisfy { store.authorizationStatus(for: $0) == .sharingAuthorized }
    }

    func wasAsked(_ readTypes: [HKObjectType]) -> Bool {
        readTypes.allSatisfy { store.authorizationStatus(for: $0) != .notDetermined }
    }
}
