// Newest by a descending order, oldest on purpose, one of one day, and pages.
import HealthKit

final class Ordered {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func latestWeight(completion: @escaping (HKQuantitySample?) -> Void) {
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1,
            sortDescriptors: [sort]
        ) { _, samples, _ in
            completion(samples?.first as? HKQuantitySample)
        }
        store.execute(query)
    }

    func firstWeight() async throws -> Double? {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
            sortDescriptors: [SortDescriptor(\.startDate)], limit: 1
        ).result(for: store)
        return samples.first?.quantity.doubleValue(for: .pound())
    }

    func oldestDate(completion: @escaping (Date?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil, limit: 1,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)]
        ) { _, samples, _ in
            completion(samples?.first?.startDate)
        }
        store.execute(query)
    }

    func hasSteps(completion: @escaping (Bool) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil, limit: 1, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples?.first != nil)
        }
        store.execute(query)
    }

    func resting(on day: DateInterval) async throws -> Double? {
        let range = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.restingHeartRate), predicate: range)],
            sortDescriptors: [], limit: 1
        ).result(for: store)
        return samples.first?.quantity.doubleValue(for: HKUnit(from: "count/min"))
    }

    func chart(days: Int, completion: @escaping ([HKQuantitySample], HKQuantitySample?) -> Void) {
        let start = Calendar.current.date(byAdding: .day, value: -days, to: Date())
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: HKObjectQueryNoLimit,
            sortDescriptors: [sort]
        ) { _, samples, _ in
            let all = samples as? [HKQuantitySample] ?? []
            let latest = all.last
            completion(all, latest)
        }
        store.execute(query)
    }

    func page(after date: Date) async throws -> [HKQuantitySample] {
        let range = HKQuery.predicateForSamples(withStart: date, end: nil, options: .strictStartDate)
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate), predicate: range)],
            sortDescriptors: [SortDescriptor(\.startDate)], limit: 1_000
        ).result(for: store)
    }

    func today() async throws -> [HKQuantitySample] {
        let start = Calendar.current.startOfDay(for: .now)
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose), predicate: range)],
            sortDescriptors: [SortDescriptor(\.startDate)], limit: 400
        ).result(for: store)
    }
}
