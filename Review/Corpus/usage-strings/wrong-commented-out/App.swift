// The reading's text is commented out; SwiftUI's own request needs it too.
import HealthKit
import HealthKitUI
import SwiftUI

struct Asking: View {
    let store: HKHealthStore
    let read: Set<HKObjectType> = Set([HKQuantityType(.stepCount)])
    @State private var trigger = false

    var body: some View {
        Text("Health").healthDataAccessRequest(store: store, readTypes: read, trigger: trigger) { _ in }  // finds usage-strings
    }

    func nothing(_ types: Set<HKSampleType>) async throws {
        try await store.requestAuthorization(toShare: types, read: [])
    }
}
