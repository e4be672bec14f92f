import Foundation
import HealthKit

/// A diary of weights with notes. Weights are saved to HealthKit first, then to the diary's own
/// rows. Notes refer to samples by UUID.
///
/// HealthKit takes precedence, including its deletions. Only rows that were never saved to
/// HealthKit are saved again, so that deletions in the Health app aren't reverted.
actor WeightDiary {
    struct Row: Equatable, Sendable {
        var id: UUID
        var date: Date
        var kilograms: Double
        var note = ""
        /// The UUID of its sample; nil until it is saved to HealthKit.
        var sample: UUID?
        var version = 1
    }

    private let healthStore: HKHealthStore
    private let type = HKQuantityType(.bodyMass)
    private var anchor: HKQueryAnchor?
    private(set) var rows: [UUID: Row] = [:]

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    var sorted: [Row] { rows.values.sorted { $0.date < $1.date } }

    func requestAuthorization() async throws {
        try await healthStore.requestAuthorization(toShare: [type], read: [type])
    }

    /// Saves to HealthKit and keeps the row in either case, as unacknowledged if the save failed.
    @discardableResult
    func log(_ kilograms: Double, at date: Date, note: String = "") async throws -> UUID {
        var row = Row(id: UUID(), date: date, kilograms: kilograms, note: note)
        rows[row.id] = row
        row.sample = try await write(row)
        rows[row.id] = row
        return row.id
    }

    /// Changes an entry's weight, with a higher version of its sync identifier.
    func correct(_ id: UUID, to kilograms: Double) async throws {
        guard var row = rows[id] else { return }
        row.kilograms = kilograms
        row.version += 1
        row.sample = try await write(row)
        rows[id] = row
    }

    func remove(_ id: UUID) async throws {
        guard let row = rows[id] else { return }
        if let sample = row.sample {
            let predicate = HKQuery.predicateForObject(with: sample)
            _ = try await healthStore.deleteObjects(of: type, predicate: predicate)
        }
        rows[id] = nil
    }

    private func write(_ row: Row) async throws -> UUID {
        let sample = HKQuantitySample(
            type: type,
            quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: row.kilograms),
            start: row.date, end: row.date,
            metadata: [
                HKMetadataKeySyncIdentifier: row.id.uuidString,
                HKMetadataKeySyncVersion: row.version,
                HKMetadataKeyWasUserEntered: true,
            ])
        try await healthStore.save(sample)
        return sample.uuid
    }

    /// Updates the rows from HealthKit, page by page.
    func reconcile() async throws {
        for row in rows.values where row.sample == nil {
            var row = row
            row.sample = try await write(row)
            rows[row.id] = row
        }
        while true {
            let page = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: type)], anchor: anchor, limit: 2
            ).result(for: healthStore)
            for sample in page.addedSamples { upsert(sample) }
            for object in page.deletedObjects { drop(object) }
            anchor = page.newAnchor
            if page.addedSamples.isEmpty && page.deletedObjects.isEmpty { return }
        }
    }

    private func upsert(_ sample: HKQuantitySample) {
        let kilograms = sample.quantity.doubleValue(for: .gramUnit(with: .kilo))
        let identifier = sample.metadata?[HKMetadataKeySyncIdentifier] as? String
        let known = identifier.flatMap(UUID.init(uuidString:)) ?? sample.uuid
        var row = rows[known] ?? Row(id: known, date: sample.startDate, kilograms: kilograms)
        row.kilograms = kilograms
        row.date = sample.startDate
        row.sample = sample.uuid
        rows[known] = row
    }

    private func drop(_ object: HKDeletedObject) {
        guard let row = rows.values.first(where: { $0.sample == object.uuid }) else { return }
        rows[row.id] = nil
    }
}
