// Lists of types that are built before they are asked for at once.
import HealthKit

struct Tracker {
    let store: HKHealthStore
    static let tracked: Set<HKSampleType> = [
        HKQuantityType(.stepCount), HKQuantityType(.dietaryProtein), HKCategoryType(.sleepAnalysis),
    ]

    private func trackedTypes() -> [HKSampleType] {
        return [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]
    }

    func watch(range: NSPredicate, anchor: HKQueryAnchor?, done: @escaping ([HKSample]) -> Void) {
        let types = trackedTypes()
        let descriptors = types.map { type in
            HKQueryDescriptor(sampleType: type, predicate: range)
        }
        let query = HKSampleQuery(queryDescriptors: descriptors, limit: 100) { _, samples, _ in  // finds types-in-one-query
            done(samples ?? [])
        }
        store.execute(query)
    }

    func appended(range: NSPredicate, done: @escaping ([HKSample]) -> Void) {
        var descriptors: [HKQueryDescriptor] = []
        for type in Self.tracked {
            descriptors.append(HKQueryDescriptor(sampleType: type, predicate: range))
        }
        let query = HKSampleQuery(queryDescriptors: descriptors, limit: 100) { _, samples, _ in  // finds types-in-one-query
            done(samples ?? [])
        }
        store.execute(query)
    }

    func named(range: NSPredicate, done: @escaping ([HKSample]) -> Void) {
        let identifiers: [HKQuantityTypeIdentifier] = [.heartRate, .oxygenSaturation]
        let query = HKSampleQuery(  // finds types-in-one-query
            queryDescriptors: identifiers.map {
                HKQueryDescriptor(sampleType: HKQuantityType($0), predicate: range)
            }, limit: 100
        ) { _, samples, _ in
            done(samples ?? [])
        }
        store.execute(query)
    }

    func pairs(range: NSPredicate) async throws -> [HKSample] {
        let vitals = [HKSamplePredicate.sample(type: HKQuantityType(.heartRate), predicate: range)]
        let nights = [HKSamplePredicate.sample(type: HKCategoryType(.sleepAnalysis), predicate: range)]
        return try await HKSampleQueryDescriptor(  // finds types-in-one-query
            predicates: vitals + nights, sortDescriptors: []
        ).result(for: store)
    }
}
