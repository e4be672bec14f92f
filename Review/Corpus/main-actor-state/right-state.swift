// What SwiftUI lets any thread change, and hops in many spellings.
import HealthKit
import SwiftUI

struct OxygenView: View {
    @State private var values: [Double] = []
    @AppStorage("oxygen.seen") private var seen = false
    @Binding var isBusy: Bool
    let store: HKHealthStore

    var body: some View { Text("\(values.count)").onAppear(perform: load) }

    private func load() {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.oxygenSaturation), predicate: nil, limit: 50,
            sortDescriptors: nil
        ) { _, samples, _ in
            let found = samples as? [HKQuantitySample] ?? []  // finds error-as-zero
            values = found.map { $0.quantity.doubleValue(for: .percent()) }
            seen = true
            isBusy = false
        }
        store.execute(query)
    }
}

final class OxygenModel: ObservableObject {
    @Published var latest = 0.0
    @Published var count = 0
    let store: HKHealthStore
    var onChange: ((Double) -> Void)?

    init(store: HKHealthStore) { self.store = store }

    func load() {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.oxygenSaturation), predicate: nil, limit: 1,
            sortDescriptors: nil  // finds newest-sample
        ) { [weak self] _, samples, _ in
            guard let sample = samples?.first as? HKQuantitySample else { return }
            let value = sample.quantity.doubleValue(for: .percent())
            DispatchQueue.main.async { self?.show(value) }
            OperationQueue.main.addOperation { self?.count += 1 }
            RunLoop.main.perform { self?.count += 1 }
            Task { await self?.present(value) }
            Task { await MainActor.run { self?.latest = value } }
            let update = { @MainActor in self?.latest = value }
            DispatchQueue.main.async(execute: update)
            DispatchQueue.main.async { self?.onChange?(value) }
        }
        store.execute(query)
    }

    private func show(_ value: Double) { latest = value }

    @MainActor private func present(_ value: Double) { latest = value }
}

func connect(_ model: OxygenModel, to other: OxygenModel) {
    model.onChange = { other.latest = $0 }
}
