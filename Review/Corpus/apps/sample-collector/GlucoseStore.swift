// Keeps recent glucose in memory and writes what a sensor measures.
import Foundation
import HealthKit

public actor GlucoseStore: ChangeHandler {
    public static let type = HKQuantityType(.bloodGlucose)
    private let store: any HealthStoreProtocol
    private var samples: [UUID: HKQuantitySample] = [:]
    private let horizon: TimeInterval

    public init(store: any HealthStoreProtocol, horizon: TimeInterval = 24 * 3600) {
        self.store = store
        self.horizon = horizon
    }

    public var latest: HKQuantitySample? {
        samples.values.max { $0.endDate < $1.endDate }
    }

    public func average(in unit: HKUnit = HKUnit(from: "mg/dL")) -> Double? {
        guard !samples.isEmpty else { return nil }
        let sum = samples.values.reduce(0) { $0 + $1.quantity.doubleValue(for: unit) }
        return sum / Double(samples.count)
    }

    public func handle(_ change: Change<HKSample>, of type: HKSampleType) async throws {
        for uuid in change.deleted {
            samples[uuid] = nil
        }
        for case let sample as HKQuantitySample in change.added {
            samples[sample.uuid] = sample
        }
        let oldest = Date().addingTimeInterval(-horizon)
        samples = samples.filter { $0.value.endDate >= oldest }
    }

    public func add(milligramsPerDeciliter value: Double, at date: Date) async throws {
        guard store.authorizationStatus(for: Self.type) == .sharingAuthorized else { return }
        let sample = HKQuantitySample(
            type: Self.type,
            quantity: HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: value), start: date,
            end: date,
            metadata: [
                HKMetadataKeySyncIdentifier: "sensor-\(Int(date.timeIntervalSince1970))",
                HKMetadataKeySyncVersion: 1,
            ])
        try await store.save([sample])
    }

    public func deleteCalibrationErrors(_ chosen: [HKQuantitySample]) async throws {
        try await store.delete(chosen)
        for sample in chosen {
            samples[sample.uuid] = nil
        }
    }
}
