// Types that only the system writes, shared by a name that another language gives.
import HealthKit

final class KeyedTypes {
    private let store: HKHealthStore
    private var types: [String: HKSampleType] = [:]

    init(store: HKHealthStore) {
        self.store = store
        fill()
    }

    private func fill() {
        types["STEPS"] = HKSampleType.quantityType(forIdentifier: .stepCount)!
        types["EXERCISE_TIME"] = HKSampleType.quantityType(forIdentifier: .appleExerciseTime)!
        types["WEIGHT"] = HKQuantityType(.bodyMass)
    }

    func request(_ keys: [String], modes: [Int], done: @escaping (Bool) -> Void) {
        var read = Set<HKSampleType>()
        var share = Set<HKSampleType>()
        for (key, mode) in zip(keys, modes) {
            guard let type = types[key] else { continue }
            if mode != 1 { read.insert(type) }
            if mode != 0 { share.insert(type) }  // finds disallowed-type
        }
        store.requestAuthorization(toShare: share, read: read) { asked, _ in done(asked) }
    }
}

struct MappedTypes {
    let store: HKHealthStore

    private static let table: [String: HKSampleType] = [
        "pulse": HKQuantityType(.heartRate),
        "walkingPulse": HKQuantityType(.walkingHeartRateAverage),
    ]

    func request(_ names: [String], read: Set<HKObjectType>) async throws {
        let share = Set(names.compactMap { Self.table[$0] })  // finds disallowed-type
        try await store.requestAuthorization(toShare: share, read: read)
    }
}

struct SwitchedTypes {
    let store: HKHealthStore

    private func type(named name: String) -> HKSampleType? {
        switch name {
        case "stand": HKQuantityType(.appleStandTime)
        case "water": HKQuantityType(.dietaryWater)
        default: nil
        }
    }

    func request(_ write: [String], done: @escaping (Bool) -> Void) {
        let share = Set(write.compactMap { type(named: $0) })  // finds disallowed-type
        store.requestAuthorization(toShare: share, read: nil) { asked, _ in done(asked) }
    }
}

struct OpenTypes {
    let store: HKHealthStore

    private func sampleType(_ name: String) -> HKSampleType? {
        if name.hasPrefix("HKQuantity") {
            return HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
        }
        return HKObjectType.correlationType(
            forIdentifier: HKCorrelationTypeIdentifier(rawValue: name))
    }

    private func objectType(_ name: String) -> HKObjectType? {
        if name == "HKActivitySummaryTypeIdentifier" { return HKObjectType.activitySummaryType() }
        return sampleType(name)
    }

    func request(_ read: [String], done: @escaping (Bool) -> Void) {
        let types = Set(read.compactMap { objectType($0) })  // finds disallowed-type
        store.requestAuthorization(toShare: nil, read: types) { asked, _ in done(asked) }
    }
}
