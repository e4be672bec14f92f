// Two stores, one finding: it is said once a review, at the first.
import HealthKit
import SwiftUI

enum Stores {
    static let main: HKHealthStore = HKHealthStore()  // finds availability-never-asked
}

struct StepsView: View {
    @State private var store = HKHealthStore()

    var body: some View {
        Text("Steps")
            .task {
                try? await store.requestAuthorization(
                    toShare: [], read: [HKQuantityType(.stepCount)])
            }
    }
}
