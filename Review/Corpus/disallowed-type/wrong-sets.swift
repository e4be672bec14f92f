// Correlation types and read-only types in the sets of an authorization request.
import HealthKit

final class PressureStore {
    private let store: HKHealthStore
    private let pressure = HKCorrelationType.correlationType(forIdentifier: .bloodPressure)!
    private let weight = HKQuantityType(.bodyMass)

    init(store: HKHealthStore) { self.store = store }

    func authorize() async throws {
        let types: Set<HKSampleType> = [
            weight,
            pressure,  // finds disallowed-type
        ]
        try await store.requestAuthorization(toShare: types, read: types)
    }
}

final class FoodDiary {
    private let store: HKHealthStore

    private var readTypes: Set<HKObjectType> {
        var types: Set<HKObjectType> = [HKQuantityType(.dietaryProtein)]
        types.insert(HKCorrelationType(.food))  // finds disallowed-type
        return types
    }

    init(store: HKHealthStore) { self.store = store }

    func ask(done: @escaping (Bool) -> Void) {
        store.requestAuthorization(toShare: nil, read: readTypes) { asked, _ in done(asked) }
    }

    func needsToAsk(done: @escaping (HKAuthorizationRequestStatus) -> Void) {
        store.getRequestStatusForAuthorization(toShare: [], read: readTypes) { status, _ in
            done(status)
        }
    }
}

struct ActivityAccess {
    let store: HKHealthStore

    static let written: [HKQuantityTypeIdentifier] = [
        .stepCount,
        .appleExerciseTime,  // finds disallowed-type
        .activeEnergyBurned,
    ]

    func request() async throws {
        let share = Set(Self.written.map { HKQuantityType($0) })
        let read = Set(Self.written.map(HKQuantityType.init))
        try await store.requestAuthorization(toShare: share, read: read)
    }
}

struct StandAccess {
    let store: HKHealthStore

    func request() async throws {
        let moving: Set<HKSampleType> = [HKQuantityType(.stepCount)]
        let standing: Set<HKSampleType> = [
            HKQuantityType(.appleStandTime),  // finds disallowed-type
            HKCategoryType(.appleStandHour),  // finds disallowed-type
        ]
        try await store.requestAuthorization(toShare: moving.union(standing), read: moving)
    }
}
