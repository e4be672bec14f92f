import Foundation
import OpenHealthKit
import Synchronization

/// Reads a health store as an app does: with sample queries and anchored queries. Calls block, so
/// they must not run in tasks.
final class PhoneReader {
    let store: HKHealthStore
    private var anchors: [String: HKQueryAnchor] = [:]

    /// What changed since the anchor.
    struct Changes: Sendable {
        var samples: [HKSample] = []
        var deleted: [UUID] = []
    }

    init(path: String) throws {
        store = try HKHealthStore(
            path: path, identity: AppIdentity("com.example.exporter", name: "Exporter"),
            configuration: HealthStoreConfiguration(authorization: .assumed))
    }

    /// Returns what changed since the last call for the same types, and moves their anchor.
    func changes(of types: [HKSampleType]) throws -> Changes {
        let key = Self.key(types)
        let anchor = anchors[key]
        let (changes, newAnchor): (Changes, HKQueryAnchor?) = try wait { deliver in
            HKAnchoredObjectQuery(
                queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) },
                anchor: anchor, limit: HKObjectQueryNoLimit
            ) { _, samples, deleted, anchor, error in
                if let error { return deliver(.failure(error)) }
                let changes = Changes(
                    samples: samples ?? [], deleted: (deleted ?? []).map(\.uuid))
                deliver(.success((changes, anchor)))
            }
        }
        anchors[key] = newAnchor
        return changes
    }

    /// Whether the types have an anchor from an earlier call of ``changes(of:)``.
    func hasAnchor(of types: [HKSampleType]) -> Bool { anchors[Self.key(types)] != nil }

    private static func key(_ types: [HKSampleType]) -> String {
        types.map(\.identifier).joined(separator: " ")
    }

    /// Returns all samples of some types, the newest first by end date.
    func newestFirst(_ types: [HKSampleType]) throws -> [HKSample] {
        let samples: [HKSample] = try wait { deliver in
            HKSampleQuery(
                queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) },
                limit: HKObjectQueryNoLimit
            ) { _, samples, error in
                deliver(error.map { .failure($0) } ?? .success(samples ?? []))
            }
        }
        return samples.sorted { $0.endDate > $1.endDate }
    }

    private func wait<Value: Sendable>(
        _ query: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> HKQuery
    ) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let query = query { value in
            result.withLock { $0 = value }
            isDone.signal()
        }
        store.execute(query)
        isDone.wait()
        guard let value = result.withLock({ $0 }) else {
            throw CommandError("A query of the health store delivered nothing.")
        }
        return try value.get()
    }
}

/// The types of samples that apps ask for.
enum PhoneTypes {
    static func quantity(_ name: String) -> HKQuantityType {
        HKQuantityType(HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifier" + name))
    }

    static func category(_ name: String) -> HKCategoryType {
        HKCategoryType(HKCategoryTypeIdentifier(rawValue: "HKCategoryTypeIdentifier" + name))
    }

    static let sleep = category("SleepAnalysis")
}

extension HKSample {
    /// The value of a quantity sample in a unit; nil for other samples.
    func value(in unit: String) -> Double? {
        (self as? HKQuantitySample)?.quantity.doubleValue(for: HKUnit(from: unit))
    }

    /// The hardware on which the source runs, such as "Watch6,2".
    var product: String? { sourceRevision.productType ?? device?.hardwareVersion }
}

extension HKWorkout {
    /// The energy in kilocalories; nil if unknown.
    var kilocalories: Double? { totalEnergyBurned?.doubleValue(for: .kilocalorie()) }

    /// The distance in metres; nil if unknown.
    var metres: Double? { totalDistance?.doubleValue(for: .meter()) }
}
