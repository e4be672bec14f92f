// Permission, and the writing of weights.
import Foundation
import HealthKit
import Observation

@MainActor
@Observable
final class HealthAccess {
    var isAuthorized = false
    var canWrite = false
    let store: HKHealthStore
    private let weight = HKQuantityType(.bodyMass)

    init(store: HKHealthStore) {
        self.store = store
    }

    func request() async {
        do {
            try await store.requestAuthorization(
                toShare: [weight], read: [weight, HKQuantityType(.height)])
            isAuthorized = true  // finds success-as-permission
            canWrite = store.authorizationStatus(for: weight) == .sharingAuthorized
        } catch {
            isAuthorized = false
        }
    }

    func save(kilograms: Double, at date: Date) async throws -> HKQuantitySample {
        let sample = HKQuantitySample(
            type: weight,
            quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms),
            start: date, end: date,
            metadata: [
                HKMetadataKeySyncIdentifier: UUID().uuidString, HKMetadataKeySyncVersion: 1,
            ])
        try await store.save(sample)
        return sample
    }

    func height() async throws -> Double? {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.height))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1)
        return try await descriptor.result(for: store).first?.quantity.doubleValue(for: .meter())
    }

    /// Weight over the square of the height.
    func bodyMassIndex(of entry: Entry) async throws -> Double? {
        guard let height = try await height(), height > 0 else { return nil }
        return entry.kilograms / (height * height)
    }
}
