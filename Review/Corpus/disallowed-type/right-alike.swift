// Correlations and read-only types that are queried, saved or read, and not asked for wrongly.
import HealthKit

final class PressureLog {
    private let store: HKHealthStore
    private let pressure = HKCorrelationType(.bloodPressure)
    private let members: Set<HKSampleType> = [
        HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    ]

    init(store: HKHealthStore) { self.store = store }

    func authorize() async throws {
        try await store.requestAuthorization(toShare: members, read: members)
    }

    func readings(in period: NSPredicate) -> HKCorrelationQuery {
        HKCorrelationQuery(type: pressure, predicate: period, samplePredicates: nil) { _, _, _ in }
    }
}

struct RingsAccess {
    let store: HKHealthStore
    let shown: Set<HKObjectType> = [
        HKQuantityType(.appleExerciseTime), HKCategoryType(.appleStandHour),
        HKObjectType.activitySummaryType(),
    ]

    func request() async throws { try await store.requestAuthorization(toShare: [], read: shown) }
}

/// The table knows which types the app can write.
struct TableEntry {
    let type: HKSampleType
    let isWritable: Bool

    static let all = [
        TableEntry(type: HKQuantityType(.bodyMass), isWritable: true),
        TableEntry(type: HKQuantityType(.walkingHeartRateAverage), isWritable: false),
    ]
}

struct TableAccess {
    let store: HKHealthStore

    func request() async throws {
        let share = Set(TableEntry.all.filter(\.isWritable).map(\.type))
        try await store.requestAuthorization(toShare: share, read: Set(TableEntry.all.map(\.type)))
    }
}

/// Asks for what correlations consist of.
struct ExpandedAccess {
    let store: HKHealthStore

    private func type(named name: String) -> HKSampleType? {
        switch name {
        case "weight": HKQuantityType(.bodyMass)
        case "pressure": HKCorrelationType(.bloodPressure)
        default: nil
        }
    }

    func request(_ names: [String]) async throws {
        let types = names.compactMap { type(named: $0) }.filter { !($0 is HKCorrelationType) }
        try await store.requestAuthorization(toShare: [], read: Set(types))
    }

    func requestWeight() async throws {
        let types = ["weight"].compactMap { type(named: $0) }
        try await store.requestAuthorization(toShare: [], read: Set(types))
    }

    func status(named name: String) -> HKAuthorizationStatus? {
        guard let type = type(named: name), type != HKCorrelationType(.bloodPressure) else {
            return nil
        }
        return store.authorizationStatus(for: type)
    }
}

/// Takes out what can't be written before it asks.
struct ReducedAccess {
    let store: HKHealthStore

    func request() async throws {
        var types: Set<HKSampleType> = [
            HKQuantityType(.stepCount), HKQuantityType(.appleStandTime),
        ]
        let all = types
        types.remove(HKQuantityType(.appleStandTime))
        try await store.requestAuthorization(toShare: types, read: all)
    }
}

struct Deliverer {
    let store: HKHealthStore
    let types: [HKSampleType] = [HKQuantityType(.heartRate), HKCorrelationType(.food)]

    func start() {
        for type in types where !(type is HKCorrelationType) {
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in done() }
            store.execute(query)
            store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
        }
    }
}
