import HealthKit
func next(_ store: HKHealthStore, _ type: HKSampleType) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in
            continuation.resume() // finds resumed-twice
            done()
        }
        store.execute(query)
    }
}
