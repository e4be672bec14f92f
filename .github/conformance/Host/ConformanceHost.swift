import HealthKit
import SwiftUI

/// Hosts the portable conformance tests and requests their permissions at launch. Not yet run.
@main struct HostApp: App {
    @State private var status = "Requesting access"

    var body: some Scene {
        WindowGroup {
            Text(status).task {
                do {
                    try await HKHealthStore().requestAuthorization(
                        toShare: TestDays.writtenTypes,
                        read: Set<HKObjectType>(TestDays.writtenTypes))
                    status = "Access requested"
                } catch {
                    status = "\(error)"
                }
            }
        }
    }
}
