// Two streams whose queries have one name: only one is stopped.
import HealthKit

struct StepStreams {
    let store: HKHealthStore

    func updates() -> AsyncStream<Void> {
        AsyncStream { continuation in
            let query = HKObserverQuery(  // finds never-stopped
                sampleType: HKQuantityType(.stepCount), predicate: nil
            ) { _, done, _ in
                continuation.yield()
                done()
            }
            store.execute(query)
        }
    }

    func ends() -> AsyncStream<Void> {
        AsyncStream { continuation in
            let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) { _, done, _ in
                continuation.yield()
                done()
            }
            continuation.onTermination = { _ in store.stop(query) }
            store.execute(query)
        }
    }
}
