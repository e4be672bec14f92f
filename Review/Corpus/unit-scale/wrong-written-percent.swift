// Percentages between 0 and 100 that are saved as fractions.
import HealthKit
import SwiftUI

struct Composition {
    let date: Date
    let bodyFat: Double?
}

final class CompositionStore {
    let store: HKHealthStore
    private let fatType = HKQuantityType(.bodyFatPercentage)

    init(store: HKHealthStore) { self.store = store }

    func compositions(from samples: [HKQuantitySample]) -> [Composition] {
        samples.map {
            Composition(
                date: $0.startDate,
                bodyFat: $0.quantity.doubleValue(for: .percent()) * 100)
        }
    }

    func log(bodyFat: Double?, date: Date) async throws {
        guard let bodyFat else { return }
        let sample = HKQuantitySample(
            type: fatType,
            quantity: HKQuantity(unit: .percent(), doubleValue: bodyFat),  // finds unit-scale
            start: date, end: date)
        try await store.save(sample)
    }
}

final class OxygenStore {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func save(saturation: Int, at date: Date) async throws {
        let quantity = HKQuantity(unit: .percent(), doubleValue: Double(saturation))  // finds unit-scale
        let type = HKQuantityType(.oxygenSaturation)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
    }

    func saveChecked(_ reading: Double, at date: Date) async throws {
        guard (70...100).contains(reading) else { return }
        let quantity = HKQuantity(unit: HKUnit(from: "%"), doubleValue: reading)  // finds unit-scale
        let type = HKQuantityType(.oxygenSaturation)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
    }
}

struct SaturationForm: View {
    @State private var saturation: Double
    let store: HKHealthStore

    var body: some View {
        Slider(value: $saturation, in: 70...100)
        Button("Save") { Task { try await save() } }
    }

    private func save() async throws {
        let type = HKQuantityType(.oxygenSaturation)
        let quantity = HKQuantity(unit: .percent(), doubleValue: saturation)  // finds unit-scale
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now))
    }
}

struct ProbeForm: View {
    @State private var probe = 97.0  // finds unit-scale
    let store: HKHealthStore

    var body: some View {
        Button("Save") { Task { try await save() } }
    }

    private func save() async throws {
        let type = HKQuantityType(.oxygenSaturation)
        let quantity = HKQuantity(unit: .percent(), doubleValue: probe)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now))
    }
}

final class ArgumentStore {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func write(_ arguments: [String: Any], at date: Date) async throws {
        guard let value = arguments["value"] as? Int else { return }
        let quantity = HKQuantity(unit: .percent(), doubleValue: Double(value))  // finds unit-scale
        let type = HKQuantityType(.oxygenSaturation)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
    }
}
