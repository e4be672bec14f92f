// A percentage typed into a field labelled with a percent sign.
import HealthKit
import SwiftUI

struct FatForm: View {
    @State private var fatText = ""
    let log: FatLog

    var body: some View {
        TextField("Body fat (%)", text: $fatText)
        Button("Save") {
            let formatter = NumberFormatter()
            let fat = formatter.number(from: fatText)?.doubleValue
            Task { try await log.save(fatPercent: fat) }
        }
    }
}

final class FatLog {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func save(fatPercent: Double?) async throws {
        guard let fat = fatPercent else { return }
        let quantity = HKQuantity(unit: HKUnit.percent(), doubleValue: fat)  // finds unit-scale
        let type = HKQuantityType(.bodyFatPercentage)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now))
    }
}
