import HealthKit
func firstChange(_ store: HKHealthStore, _ type: HKSampleType) async {
    await withCheckedContinuation { continuation in
        var resumed = false
        let query = HKObserverQuery(sampleType: type, predicate: nil) { query, done, _ in
            done()
            guard !resumed else { return }
            resumed = true
            store.stop(query)
            continuation.resume()
        }
        store.execute(query)
    }
}
