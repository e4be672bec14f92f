// A watch always has health data.
import HealthKit
import WatchKit

final class PulseController: WKInterfaceController {
    private let store = HKHealthStore()

    override func willActivate() {
        super.willActivate()
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.heartRate)]) { _, error in
            if let error { print(error) }
        }
    }
}
