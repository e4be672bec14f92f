import HealthKit
import SwiftUI
struct HistoryView: View {
    let store: HKHealthStore
    @State private var chosenStart = Date()
    @State private var count = 0
    @AppStorage("lastRefresh") private var lastRefresh = 0.0
    var body: some View {
        VStack {
            DatePicker("From", selection: $chosenStart)
            Text("\(count), refreshed \(Date(timeIntervalSinceReferenceDate: lastRefresh))")
        }
        .task(id: chosenStart) {
            let predicate = HKQuery.predicateForSamples(withStart: chosenStart, end: nil)
            let descriptor = HKSampleQueryDescriptor(
                predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate)])
            count = (try? await descriptor.result(for: store).count) ?? 0  // finds error-as-zero
            lastRefresh = Date().timeIntervalSinceReferenceDate
        }
    }
}
