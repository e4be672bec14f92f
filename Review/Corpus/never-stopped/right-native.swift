// Started from another language, once or after a stop.
import Foundation
import HealthKit

private let watcher = StepWatcher()

@_cdecl("watcher_start")
public func watcherStart() { watcher.start() }

@_cdecl("watcher_restart")
public func watcherRestart() {
    watcher.stop()
    watcher.begin()
}

final class StepWatcher {
    private let store = HKHealthStore()
    private var observer: HKObserverQuery?
    private var other: HKObserverQuery?

    func start() {
        guard observer == nil else { return }
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in completion() }
        observer = query
        store.execute(query)
    }

    func begin() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.flightsClimbed), predicate: nil
        ) { _, completion, _ in completion() }
        other = query
        store.execute(query)
    }

    func stop() {
        for query in [observer, other].compactMap({ $0 }) { store.stop(query) }
    }
}
