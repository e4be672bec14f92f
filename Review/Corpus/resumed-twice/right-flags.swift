// Resumed once by a flag, by a lock, or by taking the continuation away.
import HealthKit
import os

final class OnceOnly {
    private let store: HKHealthStore
    private var queries: [HKQuery] = []

    init(store: HKHealthStore) {
        self.store = store
    }

    func flagged(_ type: HKSampleType) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var resumed = false
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                completion()
                guard !resumed else { return }
                resumed = true
                continuation.resume()
            }
            queries.append(query)
            store.execute(query)
        }
    }

    func locked(_ type: HKSampleType) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let waiting = OSAllocatedUnfairLock<CheckedContinuation<Void, Never>?>(
                initialState: continuation)
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                let taken = waiting.withLock { value in
                    defer { value = nil }
                    return value
                }
                taken?.resume()
                completion()
            }
            queries.append(query)
            store.execute(query)
        }
    }

    func initial(_ type: HKSampleType, anchor: HKQueryAnchor?) async -> [HKDeletedObject] {
        await withCheckedContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: type, predicate: nil, anchor: anchor, limit: 100
            ) { _, _, deleted, _, _ in
                continuation.resume(returning: deleted ?? [])
            }
            store.execute(query)
        }
    }

    func stop() {
        for query in queries { store.stop(query) }
    }
}
