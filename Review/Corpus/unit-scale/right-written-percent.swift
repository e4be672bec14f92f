// Fractions that are saved as such.
import HealthKit
import SwiftUI

final class FractionStore {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func show(_ sample: HKQuantitySample) -> String {
        let percent = sample.quantity.doubleValue(for: .percent()) * 100
        return "\(percent) %"
    }

    func save(fraction: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .percent(), doubleValue: fraction)
        let type = HKQuantityType(.oxygenSaturation)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
    }

    /// Saves a saturation between 0.0 and 1.0.
    func save(saturation: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .percent(), doubleValue: saturation)
        let type = HKQuantityType(.oxygenSaturation)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
    }

    func copy(_ sample: HKQuantitySample) async throws {
        let value = sample.quantity.doubleValue(for: .percent())
        let quantity = HKQuantity(unit: .percent(), doubleValue: value)
        let type = HKQuantityType(.oxygenSaturation)
        try await store.save(
            HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now))
    }

    func simulate() -> HKQuantity {
        let value = Double.random(in: 0.95...0.99)
        return HKQuantity(unit: .percent(), doubleValue: value)
    }
}

struct SteadinessForm: View {
    @State private var level = 0.5
    let store: HKHealthStore

    var body: some View {
        Slider(value: $level, in: 0...1)
        Button("Save") { Task { try await save() } }
    }

    private func save() async throws {
        let type = HKQuantityType(.oxygenSaturation)
        let quantity = HKQuantity(unit: .percent(), doubleValue: level)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now))
    }
}
