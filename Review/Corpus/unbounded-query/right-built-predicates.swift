// Predicates put together step by step, or by a format: nobody can say they bound nothing.
import HealthKit

struct Filter {
    var start: Date?
    var ownOnly = false
    var minimum: HKQuantity?
}

struct FilteredReader {
    let store: HKHealthStore

    func heartRates(_ filter: Filter, completion: @escaping ([HKSample]) -> Void) {
        var predicate: NSPredicate?
        if let start = filter.start {
            predicate = HKQuery.predicateForSamples(withStart: start, end: nil)
        }
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func oxygen(_ filter: Filter, completion: @escaping ([HKSample]) -> Void) {
        var parts: [NSPredicate] = []
        if filter.ownOnly { parts.append(HKQuery.predicateForObjects(from: HKSource.default())) }
        if let minimum = filter.minimum {
            parts.append(
                HKQuery.predicateForQuantitySamples(with: .greaterThan, quantity: minimum))
        }
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.oxygenSaturation),
            predicate: NSCompoundPredicate(andPredicateWithSubpredicates: parts),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func since(_ date: Date) async throws -> [HKCategorySample] {
        let format = NSPredicate(
            format: "%K >= %@", HKPredicateKeyPathStartDate, date as NSDate)
        return try await HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: format)
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    func withKey(_ key: String, completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose),
            predicate: HKQuery.predicateForObjects(withMetadataKey: key), limit: 0,
            sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }
}
