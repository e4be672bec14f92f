import HealthKit
import SwiftUI
struct PulseView: View {
    let store: HKHealthStore
    @State private var pulse = 0.0
    var body: some View {
        Text("\(pulse)").onAppear(perform: read)
    }
    private func read() {
        store.execute(HKStatisticsQuery(
            quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: nil, options: .mostRecent
        ) { _, statistics, _ in
            guard let quantity = statistics?.mostRecentQuantity() else { return }
            pulse = quantity.doubleValue(for: HKUnit(from: "count/min"))
        })
    }
}
