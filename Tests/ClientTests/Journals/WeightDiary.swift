import Foundation
import HealthKit

/// Weights with notes: HealthKit first, the diary's own rows after it, notes tied to them by UUID.
///
/// HealthKit wins, deletions too. Only rows that HealthKit never took are written again, so that
/// nothing a person deleted in the Health app comes back.
actor WeightDiary {
    struct Row: Equatable, Sendable {
        var id: UUID
        var date: Date
        var kilograms: Double
        var note = ""
        /// The sample it stands for; nil until HealthKit has taken it.
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

    /// Writes to HealthKit, and keeps the row either way: unacknowledged if that failed.
    @discardableResult
    func log(_ kilograms: Double, at date: Date, note: String = "") async throws -> UUID {
        var row = Row(id: UUID(), date: date, kilograms: kilograms, note: note)
        rows[row.id] = row
        row.sample = try await write(row)
        rows[row.id] = row
        return row.id
    }

    /// The same entry with another weight: a higher version of its sync identifier.
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

    /// Brings the rows level with HealthKit, page by page.
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
            for sample in page.addedSamples { take(sample) }
            for object in page.deletedObjects { drop(object) }
            anchor = page.newAnchor
            if page.addedSamples.isEmpty && page.deletedObjects.isEmpty { return }
        }
    }

    private func take(_ sample: HKQuantitySample) {
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
