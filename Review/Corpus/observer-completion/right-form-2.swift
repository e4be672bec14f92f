import HealthKit
func awaited(_ type: HKSampleType, _ sync: @escaping @Sendable () async throws -> Void) -> HKObserverQuery {
    HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
        Task {
            do { try await sync() } catch { print(error) }
            completion()
        }
    }
}
