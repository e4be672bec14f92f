import HealthKit
func series(_ store: HKHealthStore, of sample: HKQuantitySample) async throws -> [HKQuantity] {
    var quantities: [HKQuantity] = []
    return try await withUnsafeThrowingContinuation { continuation in
        let query = HKQuantitySeriesSampleQuery(sample: sample) { _, quantity, _, done, error in
            if let quantity { quantities.append(quantity) }
            continuation.resume(returning: quantities) // finds resumed-twice
        }
        store.execute(query)
    }
}
