// Read access told to a script from a status that can't know it.
import HealthKit

@objc(HealthPermissions)
final class HealthPermissions: NSObject {
    private let store: HKHealthStore
    private let reading: Set<HKObjectType> = [
        HKQuantityType(.stepCount), HKObjectType.workoutType(),
    ]

    init(store: HKHealthStore) {
        self.store = store
    }

    @objc func request(_ done: @escaping (Error?) -> Void) {
        store.requestAuthorization(toShare: nil, read: reading) { _, error in
            done(error)
        }
    }

    @objc func canReadSteps() -> Bool {
        let steps = HKQuantityType(.stepCount)
        return store.authorizationStatus(for: steps) == .sharingAuthorized  // finds read-status
    }

    func todaysWorkouts(completion: @escaping ([HKSample]) -> Void) {
        let start = Calendar.current.startOfDay(for: Date())
        guard store.authorizationStatus(for: .workoutType()) != .sharingDenied else {  // finds read-status
            return completion([])
        }
        let query = HKSampleQuery(
            sampleType: .workoutType(),
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }
}
