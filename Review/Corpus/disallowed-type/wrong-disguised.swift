// Correlation types and read-only types that come through functions, enumerations and look-ups.
import HealthKit

enum Vital: String, CaseIterable {
    case pulse, pressure, oxygen

    var objectType: HKObjectType {
        switch self {
        case .pulse: return HKQuantityType(.heartRate)
        case .pressure: return HKCorrelationType(.bloodPressure)  // finds disallowed-type
        case .oxygen: return HKQuantityType(.oxygenSaturation)
        }
    }
}

enum Activity: CaseIterable {
    case steps, exercise

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .steps: .stepCount
        case .exercise: .appleExerciseTime  // finds disallowed-type
        }
    }
    var type: HKQuantityType { HKQuantityType(identifier) }
}

final class VitalReader {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func authorize() async throws {
        let read = Set(Vital.allCases.map(\.objectType))
        try await store.requestAuthorization(toShare: Set(Activity.allCases.map { $0.type }), read: read)
    }
}

final class BridgeTypes {
    static let names: [String: HKSampleType] = [
        "steps": HKQuantityType(.stepCount),
        "meal": HKCorrelationType(.food),  // finds disallowed-type
    ]

    static func type(named name: String) -> HKSampleType? { names[name] }
}

final class Bridge {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func authorize(_ options: [String: Any], done: @escaping (Bool) -> Void) {
        let names = options["read"] as? [String] ?? []
        let types = Set(names.compactMap { BridgeTypes.type(named: $0) })
        store.requestAuthorization(toShare: nil, read: types) { asked, _ in done(asked) }
    }
}

final class PluginTypes {
    func objectType(for name: String) -> HKObjectType? {
        switch name {
        case "STEPS": return HKObjectType.quantityType(forIdentifier: .stepCount)
        case "EXERCISE": return HKObjectType.quantityType(forIdentifier: .appleExerciseTime)
        case "BLOOD_PRESSURE":
            return HKObjectType.correlationType(forIdentifier: .bloodPressure)  // finds disallowed-type
        default: return nil
        }
    }

    func ask(_ store: HKHealthStore, names: [String], done: @escaping (Bool) -> Void) {
        let read = Set(names.compactMap(objectType(for:)))
        store.requestAuthorization(toShare: nil, read: read) { asked, _ in done(asked) }
    }
}

final class Permissions {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    private func quantity(_ identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        HKObjectType.quantityType(forIdentifier: identifier)
    }

    func request(share: [HKSampleType?], read: Set<HKObjectType>) async throws {
        try await store.requestAuthorization(toShare: Set(share.compactMap { $0 }), read: read)
    }

    func start() async throws {
        try await request(
            share: [
                quantity(.bodyMass),
                quantity(.walkingHeartRateAverage),  // finds disallowed-type
            ], read: [HKQuantityType(.bodyMass)])
    }
}

final class Deliveries {
    private let store: HKHealthStore
    private let watched: [HKSampleType] = [
        HKQuantityType(.heartRate),
        HKCorrelationType(.bloodPressure),  // finds disallowed-type
    ]
    private var queries: [HKQuery] = []

    init(store: HKHealthStore) { self.store = store }

    func start() {
        for type in watched {
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in done() }
            store.execute(query)
            queries.append(query)
            store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
        }
    }

    func stop() { queries.forEach(store.stop) }
}

enum SharedSets {
    static func written() -> Set<HKSampleType> {
        Set(
            arrayLiteral: HKQuantityType(.stepCount),
            HKObjectType.quantityType(forIdentifier: .appleExerciseTime)!)  // finds disallowed-type
    }
}

final class LiteralSets {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func ask(done: @escaping (Bool) -> Void) {
        store.requestAuthorization(toShare: SharedSets.written(), read: nil) { asked, _ in
            done(asked)
        }
    }
}
