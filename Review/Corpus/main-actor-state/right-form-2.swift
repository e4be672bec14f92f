import HealthKit
final class PlainCache {
    private var values: [UUID: Double] = [:]
    private let lock = NSLock()
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func load(_ day: NSPredicate) {
        store.execute(HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: day, limit: 100, sortDescriptors: nil
        ) { _, samples, _ in
            self.lock.lock()
            defer { self.lock.unlock() }
            for case let sample as HKQuantitySample in samples ?? [] {
                self.values[sample.uuid] = sample.quantity.doubleValue(for: .gram())
            }
        })
    }
}
final class Hopping: ObservableObject {
    @Published var total = 0.0
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func load(_ day: NSPredicate) {
        store.execute(HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: day, options: .cumulativeSum
        ) { [weak self] _, statistics, _ in
            let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds error-as-zero
            Task { await MainActor.run { self?.total = sum } }
        })
    }
}
