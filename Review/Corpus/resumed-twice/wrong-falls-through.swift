// Code that goes on after the continuation was resumed.
import HealthKit

struct Falling {
    let store: HKHealthStore

    func samples(_ range: NSPredicate) async throws -> [HKSample] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.heartRate), predicate: range, limit: 100,
                sortDescriptors: nil
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                }
                continuation.resume(returning: samples ?? [])  // finds resumed-twice
            }
            store.execute(query)
        }
    }

    func latest() async throws -> HKQuantitySample {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1,
                sortDescriptors: nil  // finds newest-sample
            ) { _, samples, error in
                if error != nil { continuation.resume(throwing: error!) }
                guard let sample = samples?.first as? HKQuantitySample else {
                    continuation.resume(throwing: CancellationError())  // finds resumed-twice
                    return
                }
                continuation.resume(returning: sample)
            }
            store.execute(query)
        }
    }

    func allow(_ types: Set<HKObjectType>) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            store.requestAuthorization(toShare: nil, read: types) { success, error in
                DispatchQueue.main.async {
                    if let failure = error {
                        continuation.resume(throwing: failure)
                    }
                    continuation.resume(returning: success)  // finds resumed-twice
                }
            }
        }
    }

    func answer<T>(
        _ make: @escaping (@escaping (Result<T, any Error>) -> Void) -> HKQuery
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            store.execute(make { continuation.resume(with: $0) })
        }
    }

    func wrapped(_ type: HKSampleType) async throws -> [HKSample] {
        try await answer { finish in
            HKSampleQuery(sampleType: type, predicate: nil, limit: 5, sortDescriptors: nil) {
                _, samples, error in
                if let error { finish(.failure(error)) }
                finish(.success(samples ?? []))  // finds resumed-twice
            }
        }
    }

    func live(_ range: NSPredicate) async throws -> Int {
        try await answer { finish in
            let query = HKStatisticsCollectionQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
                options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: Date()),
                intervalComponents: DateComponents(day: 1))
            let deliver: (HKStatisticsCollection?) -> Void = { collection in
                finish(.success(collection?.statistics().count ?? 0))
            }
            query.initialResultsHandler = { _, collection, _ in deliver(collection) }
            query.statisticsUpdateHandler = { _, _, collection, _ in
                deliver(collection)  // finds resumed-twice
            }
            return query
        }
    }
}
