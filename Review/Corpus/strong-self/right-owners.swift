// Owners that may be kept: structures, singletons, the application itself.
import HealthKit
import SwiftUI

struct StepsBadge: View {
    @State private var count = 0
    @State private var query: HKObserverQuery?
    let store: HKHealthStore

    var body: some View {
        Text("\(count)")
            .onAppear(perform: start)
            .onDisappear { query.map { store.stop($0) } }
    }

    private func start() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in
            self.load()
            completion()
        }
        store.execute(query)
        self.query = query
    }

    private func load() {}
}

final class HealthService {
    static let shared = HealthService()
    private let store = StoreProvider.store

    private init() {}

    func observe() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: nil
        ) { _, completion, _ in
            self.refresh()
            completion()
        }
        store.execute(query)
    }

    private func refresh() {}
}

struct Feed {
    let store: HKHealthStore
    let changed: () -> Void

    func start() -> HKObserverQuery {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            self.changed()
            $1()
        }
        store.execute(query)
        return query
    }
}
