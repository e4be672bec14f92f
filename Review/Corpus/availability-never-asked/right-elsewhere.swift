// Asked in another type, and through the type of the value.
import HealthKit
import SwiftUI

final class Reader {
    let store = HKHealthStore()
}

struct HealthTab: View {
    let reader: Reader

    var body: some View {
        if type(of: reader.store).isHealthDataAvailable() {
            Text("Health")
        } else {
            ContentUnavailableView("No health data here", systemImage: "heart.slash")
        }
    }
}
