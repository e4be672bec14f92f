// Published, state and observable properties changed on HealthKit's own queues.
import HealthKit
import SwiftUI

final class StepsModel: ObservableObject {
    @Published var steps = 0.0
    @Published var isReady = false
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func load() {
        let start = Calendar.current.startOfDay(for: Date())
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: .cumulativeSum
        ) { _, statistics, _ in
            let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds error-as-zero
            self.steps = sum  // finds main-actor-state
        }
        store.execute(query)
    }

    func authorize() {
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) {
            [weak self] _, _ in
            self?.isReady = true  // finds main-actor-state
        }
    }
}

@Observable
final class SleepModel {
    var nights: [HKCategorySample] = []
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func load(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.sleepAnalysis), predicate: range,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            guard let self, let samples = samples as? [HKCategorySample] else { return }
            nights = samples  // finds main-actor-state
        }
        store.execute(query)
    }
}

struct WeightView: View {
    @State private var weight: Double?
    let store: HKHealthStore

    var body: some View {
        Text(weight.map { "\($0) kg" } ?? "-")
            .onAppear(perform: load)
    }

    private func load() {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1, sortDescriptors: nil  // finds newest-sample
        ) { _, samples, _ in
            let latest = samples?.first as? HKQuantitySample
            weight = latest?.quantity.doubleValue(for: .gramUnit(with: .kilo))
        }
        store.execute(query)
    }
}
