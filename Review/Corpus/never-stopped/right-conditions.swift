// Stopped by another's hand: a stop in a closure, in a task's end, in a base class.
import HealthKit
import SwiftUI

struct LiveRing: View {
    @State private var steps = 0
    let store: HKHealthStore

    var body: some View {
        Text("\(steps)").task { await follow() }
    }

    private func follow() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in
            continuation.yield()
            completion()
        }
        store.execute(query)
        defer { store.stop(query) }
        for await _ in stream {
            steps += 1
        }
    }
}

class ObservingObject {
    let store: HKHealthStore
    private var cancel: (() -> Void)?

    init(store: HKHealthStore) {
        self.store = store
    }

    func observe(_ type: HKSampleType, changed: @escaping () -> Void) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            changed()
            completion()
        }
        store.execute(query)
        cancel = { [store] in store.stop(query) }
    }

    deinit {
        cancel?()
    }
}

final class NotYet {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func prepared(_ type: HKSampleType) -> HKObserverQuery {
        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in completion() }
    }

    func once(_ predicate: NSPredicate, show: @escaping ([HKActivitySummary]) -> Void) {
        store.execute(
            HKActivitySummaryQuery(predicate: predicate) { _, summaries, _ in
                show(summaries ?? [])
            })
    }
}
