// Background delivery with nothing that would hear of it: only a one-time query follows.
import HealthKit

final class StepUploader {
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func register(upload: @escaping ([HKSample]) -> Void) {
        let type = HKQuantityType(.stepCount)
        healthStore.enableBackgroundDelivery(for: type, frequency: .hourly) { success, _ in  // finds delivery-without-observer
            guard success else { return }
            let start = Calendar.current.startOfDay(for: Date())
            let query = HKSampleQuery(
                sampleType: type,
                predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, _ in
                upload(samples ?? [])
            }
            self.healthStore.execute(query)
        }
    }
}
