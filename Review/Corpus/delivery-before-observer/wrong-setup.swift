// A set-up function with everything in it, in the usual wrong order.
import HealthKit
import UIKit

@main
final class LaunchDelegate: UIResponder, UIApplicationDelegate {
    var healthStore: HKHealthStore!

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let weight = HKQuantityType(.bodyMass)
        let sleep = HKCategoryType(.sleepAnalysis)

        healthStore.enableBackgroundDelivery(for: weight, frequency: .immediate) { _, _ in }  // finds delivery-before-observer

        let weights = HKObserverQuery(sampleType: weight, predicate: nil) { _, completion, _ in
            NotificationCenter.default.post(name: .init("weight"), object: nil)
            completion()
        }
        healthStore.execute(weights)

        let nights = HKObserverQuery(sampleType: sleep, predicate: nil) { _, completion, _ in
            NotificationCenter.default.post(name: .init("sleep"), object: nil)
            completion()
        }
        healthStore.execute(nights)
        healthStore.enableBackgroundDelivery(for: sleep, frequency: .daily) { _, _ in }
        return true
    }
}
