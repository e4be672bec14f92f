// The same in models, views and behind an extension.
import HealthKit
import SwiftUI

@MainActor
final class RingsModel: ObservableObject {
    @Published var summaries: [HKActivitySummary] = []
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func follow(_ predicate: NSPredicate) {
        let query = HKActivitySummaryQuery(predicate: predicate) { _, _, _ in }  // finds never-stopped
        query.updateHandler = { [weak self] _, summaries, _ in
            Task { @MainActor in self?.summaries = summaries ?? [] }
        }
        store.execute(query)
    }
}

struct StepsView: View {
    @State private var changes = 0
    let store: HKHealthStore

    var body: some View {
        Text("\(changes)").onAppear {
            let query = HKObserverQuery(  // finds never-stopped
                sampleType: HKQuantityType(.stepCount), predicate: nil
            ) { _, completion, _ in
                Task { @MainActor in changes += 1 }
                completion()
            }
            store.execute(query)
        }
    }
}

final class SleepWatcher {
    let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }
}

extension SleepWatcher {
    func watch(_ changed: @escaping () -> Void) {
        store.execute(
            HKObserverQuery(  // finds never-stopped
                sampleType: HKCategoryType(.sleepAnalysis), predicate: nil
            ) { _, completion, _ in
                changed()
                completion()
            })
    }
}
