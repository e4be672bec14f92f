// Stopped through dictionaries, by their owners' owners, by streams that end, or kept by the app.
import HealthKit
import SwiftUI

final class ObserversByType {
    private let store: HKHealthStore
    private var running: [HKSampleType: HKQuery] = [:]

    init(store: HKHealthStore) { self.store = store }

    func begin(_ type: HKSampleType) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        running[type] = query
        store.execute(query)
    }

    deinit { running.values.forEach { store.stop($0) } }
}

final class Streams {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func changes(of type: HKSampleType) -> AsyncStream<Void> {
        AsyncStream { continuation in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                continuation.yield()
                completion()
            }
            store.execute(query)
            continuation.onTermination = { [store] _ in store.stop(query) }
        }
    }
}

final class Owned {
    var query: HKObserverQuery?
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func begin() {
        let observer = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, _ in completion()
        }
        query = observer
        store.execute(observer)
    }
}

final class Owner {
    let owned: Owned

    init(owned: Owned) { self.owned = owned }

    deinit {
        guard let query = owned.query else { return }
        owned.store.stop(owned.query ?? query)
    }
}

@main
struct DiaryApp: App {
    @StateObject private var model = DiaryModel(store: StoreProvider.store)

    var body: some Scene { WindowGroup { Text("Diary") } }
}

final class DiaryModel: ObservableObject {
    private let watcher: Watcher

    init(store: HKHealthStore) { watcher = Watcher(store: store) }
}

final class Watcher {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func begin() {
        store.execute(
            HKObserverQuery(sampleType: .workoutType(), predicate: nil) { _, completion, _ in
                completion()
            })
    }
}
