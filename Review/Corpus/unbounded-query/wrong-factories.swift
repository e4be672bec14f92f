// Unbounded queries behind factories, wrappers and property defaults.
import HealthKit

protocol SampleFetching {
    func fetch(_ type: HKSampleType, completion: @escaping ([HKSample]) -> Void)
}

final class SampleFetcher: SampleFetching {
    private let store: HKHealthStore
    private let unlimited = HKObjectQueryNoLimit
    private static let everything: NSPredicate? = nil

    init(store: HKHealthStore) {
        self.store = store
    }

    func fetch(_ type: HKSampleType, completion: @escaping ([HKSample]) -> Void) {
        store.execute(makeQuery(type, completion))
    }

    private func makeQuery(
        _ type: HKSampleType, _ completion: @escaping ([HKSample]) -> Void
    ) -> HKSampleQuery {
        .init(  // finds unbounded-query
            sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
    }

    func variability(completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(  // finds unbounded-query
            sampleType: HKQuantityType(.heartRateVariabilitySDNN), predicate: Self.everything,
            limit: unlimited, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func audio() async throws -> Int {
        async let loud = HKSampleQueryDescriptor(  // finds unbounded-query
            predicates: [.quantitySample(type: HKQuantityType(.environmentalAudioExposure))],
            sortDescriptors: [], limit: HKObjectQueryNoLimit
        ).result(for: store)
        return try await loud.count
    }
}
