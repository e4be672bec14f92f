// A continuation resumed by an observer whatever it is told, each time it is told.
import HealthKit

final class FirstNews {
    private let store: HKHealthStore
    private var query: HKObserverQuery?

    init(store: HKHealthStore) {
        self.store = store
    }

    func wait(for type: HKSampleType) async throws -> Date {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
                defer { completion() }
                continuation.resume(with: Result { if let error { throw error } else { Date() } })  // finds resumed-twice
            }
            self.query = query
            store.execute(query)
        }
    }

    func cancel() {
        if let query { store.stop(query) }
    }
}

struct RouteReader {
    let store: HKHealthStore

    func distance(of route: HKWorkoutRoute) async -> Int {
        await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
            var count = 0
            store.execute(
                HKWorkoutRouteQuery(route: route) {
                    count += $1?.count ?? 0
                    continuation.resume(returning: count)  // finds resumed-twice
                })
        }
    }
}
