// Percentages that are divided by 100 on the way to Health.
import HealthKit

final class DividedPercent {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func percent(of sample: HKQuantitySample) -> Double {
        sample.quantity.doubleValue(for: .percent()) * 100
    }

    func enter(_ text: String) async throws {
        guard let percent = Double(text), percent <= 100 else { return }
        try await save(percent / 100)
    }

    func save(_ saturation: Double) async throws {
        let type = HKQuantityType(.oxygenSaturation)
        let quantity = HKQuantity(unit: .percent(), doubleValue: saturation)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now))
    }
}
