// Whole histories of records that a person has at most some thousands of in ten years.
import HealthKit

final class RecordReader {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func records(of identifier: HKClinicalTypeIdentifier) async throws -> [HKClinicalRecord] {
        guard let type = HKObjectType.clinicalType(forIdentifier: identifier) else { return [] }
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: samples as? [HKClinicalRecord] ?? [])
            }
            store.execute(query)
        }
    }

    func vaccines(completion: @escaping ([HKSample]) -> Void) {
        guard let type = HKObjectType.clinicalType(forIdentifier: .immunizationRecord) else {
            return completion([])
        }
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func glasses() async throws -> [HKSample] {
        let query = HKSampleQueryDescriptor(
            predicates: [.sample(type: HKPrescriptionType.visionPrescriptionType())],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)])
        return try await query.result(for: store)
    }

    func audiograms() async throws -> [HKAudiogramSample] {
        try await HKSampleQueryDescriptor(predicates: [.audiogram()], sortDescriptors: [])
            .result(for: store)
    }

    func electrocardiograms(completion: @escaping ([HKElectrocardiogram]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKObjectType.electrocardiogramType(), predicate: nil,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in completion(samples as? [HKElectrocardiogram] ?? []) }
        store.execute(query)
    }

    func warnings(completion: @escaping ([HKSample]) -> Void) {
        for identifier: HKCategoryTypeIdentifier in [.highHeartRateEvent, .sleepApneaEvent] {
            let query = HKSampleQuery(
                sampleType: HKCategoryType(identifier), predicate: nil,
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, _ in completion(samples ?? []) }
            store.execute(query)
        }
    }

    func documents(type: HKDocumentType, completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: 0, sortDescriptors: nil
        ) { _, samples, _ in completion(samples ?? []) }
        store.execute(query)
    }

    func symptoms() async throws -> [HKCategorySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.headache))], sortDescriptors: []
        ).result(for: store)
    }

    func height(completion: @escaping (HKSample?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.height), predicate: nil, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in completion(samples?.last) }
        store.execute(query)
    }
}
