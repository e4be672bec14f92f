// Tables whose read-only types are filtered out before anything is shared.
import HealthKit

struct TableRow {
    let type: HKSampleType
    let writable: Bool
}

struct GuardedTables {
    let store: HKHealthStore

    private static let rows: [String: TableRow] = [
        "steps": TableRow(type: HKQuantityType(.stepCount), writable: true),
        "stand": TableRow(type: HKQuantityType(.appleStandTime), writable: false),
    ]
    private static let types: [String: HKSampleType] = [
        "steps": HKQuantityType(.stepCount), "exercise": HKQuantityType(.appleExerciseTime),
    ]
    private static let readOnly: Set<String> = ["exercise"]

    func request(_ names: [String]) async throws {
        let share = Set(names.compactMap { Self.rows[$0] }.filter(\.writable).map(\.type))
        try await store.requestAuthorization(toShare: share, read: [])
    }

    func read(_ names: [String]) async throws {
        let read = Set(names.compactMap { Self.types[$0] })
        try await store.requestAuthorization(toShare: [], read: read)
    }

    func write(_ names: [String]) async throws {
        var share = Set<HKSampleType>()
        for name in names where !Self.readOnly.contains(name) {
            if let type = Self.types[name] { share.insert(type) }
        }
        try await store.requestAuthorization(toShare: share, read: [])
    }

    func steps() async throws {
        guard let type = Self.types["steps"] else { return }
        try await store.requestAuthorization(toShare: [type], read: [type])
    }

    private func opened(_ name: String) -> HKSampleType? {
        if let quantity = HKObjectType.quantityType(
            forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
        {
            return quantity
        }
        return HKObjectType.correlationType(
            forIdentifier: HKCorrelationTypeIdentifier(rawValue: name))
    }

    func open(_ names: [String]) async throws {
        let types = names.compactMap { opened($0) }.filter { !($0 is HKCorrelationType) }
        try await store.requestAuthorization(toShare: Set(types), read: [])
    }

    func query(_ name: String) -> HKSampleQuery? {
        guard let type = opened(name) else { return nil }
        return HKSampleQuery(sampleType: type, predicate: nil, limit: 1, sortDescriptors: nil) {
            _, _, _ in
        }
    }
}
