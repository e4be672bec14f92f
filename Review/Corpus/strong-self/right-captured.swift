// What handlers need is captured under its own name, or self under another and weakly.
import HealthKit

final class Copies {
    private let store: HKHealthStore
    private let sink: ChangeSink
    private var running: [HKQuery] = []

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    func begin() {
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [sink = self.sink, weak owner = self] _, completion, _ in
            owner?.refresh()
            sink.changed()
            completion()
        }
        running.append(query)
        store.execute(query)
    }

    func begin(with handler: @escaping (HKObserverQuery, @escaping () -> Void, (any Error)?) -> Void) {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil, updateHandler: handler)
        running.append(query)
        store.execute(query)
    }

    func begin(_ unused: Void) {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil, updateHandler: Copies.log)
        running.append(query)
        store.execute(query)
    }

    private static func log(
        _ query: HKObserverQuery, _ completion: @escaping () -> Void, _ error: (any Error)?
    ) {
        completion()
    }

    private func refresh() {}

    func stop() { running.forEach { store.stop($0) } }
}

@main
final class Delegate: UIResponder, UIApplicationDelegate {
    let store = StoreProvider.store

    func begin() {
        store.execute(
            HKObserverQuery(sampleType: .workoutType(), predicate: nil) { _, completion, _ in
                self.reload()
                completion()
            })
    }

    private func reload() {}
}
