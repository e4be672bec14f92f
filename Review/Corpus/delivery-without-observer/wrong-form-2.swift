import HealthKit
func enableAll(_ store: HKHealthStore, _ types: Set<HKSampleType>) async {
    await withTaskGroup(of: Void.self) { group in
        for type in types {
            group.addTask {
                try? await store.enableBackgroundDelivery(for: type, frequency: .immediate) // finds delivery-without-observer
            }
        }
    }
}
