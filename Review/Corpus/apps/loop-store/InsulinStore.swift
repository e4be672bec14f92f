import Foundation
import HealthKit

public struct Dose {
    public enum Kind { case bolus, basal }
    public let kind: Kind
    public let start: Date
    public let end: Date
    public let units: Double
    public let syncIdentifier: String
}

public final class InsulinStore {

    private let healthStore: HKHealthStore
    private let insulin = HKQuantityType(.insulinDelivery)
    private let queue = DispatchQueue(label: "org.example.loopstore.insulin")
    private var doses: [UUID: HKQuantitySample] = [:]
    private var anchorFile: URL

    public init(healthStore: HKHealthStore, directory: URL) {
        self.healthStore = healthStore
        self.anchorFile = directory.appendingPathComponent("insulin.anchor")
    }

    public func save(_ dose: Dose) async throws {
        let reason: HKInsulinDeliveryReason = dose.kind == .bolus ? .bolus : .basal
        let sample = HKQuantitySample(
            type: insulin, quantity: HKQuantity(unit: .internationalUnit(), doubleValue: dose.units),
            start: dose.start, end: dose.end,
            metadata: [
                HKMetadataKeyInsulinDeliveryReason: reason.rawValue,
                HKMetadataKeySyncIdentifier: dose.syncIdentifier,
                HKMetadataKeySyncVersion: 1,
            ])
        try await healthStore.save(sample)
    }

    public func totalToday() async throws -> Double {
        let start = Calendar.current.startOfDay(for: Date())
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: insulin, predicate: HKQuery.predicateForSamples(withStart: start, end: nil)),
            options: .cumulativeSum
        ).result(for: healthStore)
        return statistics?.sumQuantity()?.doubleValue(for: .internationalUnit()) ?? 0
    }

    func refresh(completion: @escaping () -> Void) {
        let query = HKAnchoredObjectQuery(
            type: insulin, predicate: nil, anchor: loadAnchor(), limit: HKObjectQueryNoLimit
        ) { [weak self] _, added, deleted, newAnchor, error in
            guard let self = self, error == nil, let newAnchor = newAnchor else {
                completion()
                return
            }
            self.saveAnchor(newAnchor) // finds anchor-before-data
            self.queue.async {
                for sample in added as? [HKQuantitySample] ?? [] {
                    self.doses[sample.uuid] = sample
                }
                for object in deleted ?? [] {
                    self.doses[object.uuid] = nil
                }
                self.persistDoses()
                completion()
            }
        }
        healthStore.execute(query)
    }

    /// Insulin on board of what this app delivered.
    func insulinOnBoard(at date: Date, activity: TimeInterval = 6 * 3600) -> Double {
        queue.sync {
            doses.values
                .filter { $0.sourceRevision.source == HKSource.default() }
                .filter { $0.startDate > date.addingTimeInterval(-activity) }
                .reduce(0) { total, dose in
                    let passed = date.timeIntervalSince(dose.startDate) / activity
                    return total + dose.quantity.doubleValue(for: .internationalUnit()) * max(0, 1 - passed)
                }
        }
    }

    private func persistDoses() {
        let rows = doses.values.map { "\($0.uuid),\($0.startDate.timeIntervalSince1970)" }
        let file = anchorFile.deletingPathExtension().appendingPathExtension("csv")
        try? rows.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    }

    private func loadAnchor() -> HKQueryAnchor? {
        guard let data = try? Data(contentsOf: anchorFile) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    private func saveAnchor(_ anchor: HKQueryAnchor) {
        guard let data = try? NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
        else { return }
        try? data.write(to: anchorFile, options: .atomic)
    }
}
