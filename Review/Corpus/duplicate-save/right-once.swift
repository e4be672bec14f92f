// Saved at a tap, behind a mark, or only what is new.
import HealthKit
import SwiftUI

struct DrinkView: View {
    let healthStore: HKHealthStore
    @AppStorage("saved") private var isSaved = false
    @State private var failure: String?

    var body: some View {
        Button("A glass of water") { drink() }
            .onAppear { recordFirst() }
    }

    private func recordFirst() {
        guard !isSaved else { return }
        healthStore.save(glass) { success, _ in
            Task { @MainActor in isSaved = success }
        }
    }

    private func drink() {
        healthStore.save(glass) { _, error in
            Task { @MainActor in failure = error?.localizedDescription }
        }
    }

    private var glass: HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.dietaryWater),
            quantity: HKQuantity(unit: .literUnit(with: .milli), doubleValue: 250), start: .now,
            end: .now)
    }
}

struct ScaleSync {
    let healthStore: HKHealthStore
    let download: (Date) async throws -> [(date: Date, kilograms: Double)]

    func importWeights(since last: Date) async throws {
        for record in try await download(last) {
            let sample = HKQuantitySample(
                type: HKQuantityType(.bodyMass),
                quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: record.kilograms),
                start: record.date, end: record.date)
            try await healthStore.save(sample)
        }
    }
}
