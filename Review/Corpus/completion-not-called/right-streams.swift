// Callbacks that may be called as often as there is news, and ends that a flag marks.
import HealthKit

final class Streams {
    private let store: HKHealthStore
    private let lock = NSLock()

    init(store: HKHealthStore) { self.store = store }

    func observe(_ type: HKSampleType, handler: @escaping () -> Void) -> HKQuery {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, error in
            defer { done() }
            if error != nil { return }
            handler()
        }
        store.execute(query)
        return query
    }

    func live(_ range: NSPredicate, handler: @escaping ([HKSample], [HKDeletedObject]) -> Void) -> HKQuery {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: range, anchor: nil, limit: 100
        ) { _, samples, deleted, _, _ in handler(samples ?? [], deleted ?? []) }
        query.updateHandler = { _, samples, deleted, _, _ in
            guard let samples else { return }
            handler(samples, deleted ?? [])
        }
        store.execute(query)
        return query
    }

    func beats(_ series: HKHeartbeatSeriesSample, completion: @escaping ([Double], (any Error)?) -> Void) {
        var beats: [Double] = []
        let query = HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, _, done, error in
            if let error { return completion([], error) }
            beats.append(time)
            if done { completion(beats, nil) }
        }
        store.execute(query)
    }

    func guardedLock(_ sample: HKSample) {
        let semaphore = DispatchSemaphore(value: 1)
        store.save(sample) { ok, _ in
            semaphore.wait()
            if ok { print("saved") }
            semaphore.signal()
        }
    }

    func progress(_ range: NSPredicate, onBatch: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: 100,
            sortDescriptors: nil
        ) { _, samples, _ in
            guard let samples, !samples.isEmpty else { return }
            onBatch(samples)
        }
        store.execute(query)
    }
}
