// SwiftUI views that keep queries for background delivery or for their screen, and never stop them.
import HealthKit
import SwiftUI

struct DeliveredView: View {
    @State private var total = 0
    @State private var query: HKObserverQuery?
    let store: HKHealthStore

    var body: some View {
        Text("\(total)")
            .task { await observe() }
    }

    private func observe() async {
        let steps = HKQuantityType(.stepCount)
        let observer = HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in  // finds never-stopped
            Task { @MainActor in total += 1 }
            done()
        }
        query = observer
        store.execute(observer)
        try? await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    }
}

struct ConstructedView: View {
    let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
        let query = HKAnchoredObjectQuery(  // finds never-stopped
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { _, added, deleted, _, _ in print(added ?? [], deleted ?? []) }
        query.updateHandler = { _, added, deleted, _, _ in print(added ?? [], deleted ?? []) }
        store.execute(query)
    }

    var body: some View { Text("Heart") }
}

struct ButtonView: View {
    let store: HKHealthStore

    var body: some View {
        Button("Watch") { watch(.bodyMass) }
    }

    private func watch(_ identifier: HKQuantityTypeIdentifier) {
        let type = HKQuantityType(identifier)
        store.execute(
            HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in done() })  // finds never-stopped
        store.enableBackgroundDelivery(for: type, frequency: .daily) { _, _ in }
    }
}
