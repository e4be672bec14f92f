// Entry of a sleep app: last night's stages and a month of nights.
import HealthKit
import SwiftUI

@main
struct SleepStagesApp: App {
    private let repository: SleepRepository?

    init() {
        repository =
            HKHealthStore.isHealthDataAvailable()
            ? SleepRepository(store: HKHealthStore()) : nil
    }

    var body: some Scene {
        WindowGroup {
            if let repository {
                NightView(model: NightModel(repository: repository))
            } else {
                Text("This device keeps no health data.")
            }
        }
    }
}
