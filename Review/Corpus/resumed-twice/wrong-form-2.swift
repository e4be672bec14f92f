import HealthKit
func totals(_ store: HKHealthStore, _ query: HKStatisticsCollectionQuery) async throws -> HKStatisticsCollection? {
    try await withCheckedThrowingContinuation { continuation in
        query.statisticsUpdateHandler = { _, _, collection, error in
            if let error {
                continuation.resume(throwing: error) // misses resumed-twice
            } else {
                continuation.resume(returning: collection)
            }
        }
        store.execute(query)
    }
}
