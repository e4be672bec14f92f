// Predicates and limits that the owner of a reader sets.
import HealthKit

final class DayReader {
    var predicate: NSPredicate? = nil
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func read(completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }
}

struct Today {
    let reader: DayReader

    func show(_ completion: @escaping ([HKSample]) -> Void) {
        let start = Calendar.current.startOfDay(for: Date())
        reader.predicate = HKQuery.predicateForSamples(withStart: start, end: nil)
        reader.read(completion: completion)
    }
}

struct SampleRequest {
    let type: HKQuantityType
    var predicate: NSPredicate? = nil

    func samples(from store: HKHealthStore) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: predicate)], sortDescriptors: []
        ).result(for: store)
    }
}

func night(_ store: HKHealthStore, from start: Date) async throws -> [HKQuantitySample] {
    let range = HKQuery.predicateForSamples(withStart: start, end: nil)
    let request = SampleRequest(type: HKQuantityType(.heartRate), predicate: range)
    return try await request.samples(from: store)
}

struct Newest {
    let store: HKHealthStore

    func sample(of type: HKQuantityType) async throws -> HKQuantitySample? {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type)],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1)
        return try await descriptor.result(for: store).first
    }

    func samples(
        of type: HKSampleType, isLatest: Bool, completion: @escaping ([HKSample]) -> Void
    ) {
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: isLatest ? 1 : HKObjectQueryNoLimit,
            sortDescriptors: [NSSortDescriptor(key: "endDate", ascending: false)]
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }
}
