// Nothing is enabled here: deliveries switched off, and functions that share a name.
import HealthKit

protocol BackgroundDelivering {
    func enableBackgroundDelivery(every interval: TimeInterval)
}

struct FoodDelivery: BackgroundDelivering {
    func enableBackgroundDelivery(every interval: TimeInterval) {
        print("every", interval)
    }
}

func order(_ delivery: some BackgroundDelivering) {
    delivery.enableBackgroundDelivery(every: 3_600)
}

func signOut(store: HKHealthStore) async throws {
    try await store.disableAllBackgroundDelivery()
}

func forget(_ type: HKObjectType, in store: HKHealthStore) {
    store.disableBackgroundDelivery(for: type) { _, error in
        if let error { print(error) }
    }
}
