import HealthKit
struct Permissions {
    let store: HKHealthStore
    let read: Set<HKObjectType> = [HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis)]
    func ask() async throws {
        try await store.requestAuthorization(toShare: [], read: read)
    }
    var denied: [HKObjectType] {
        read.filter { store.authorizationStatus(for: $0) == .sharingDenied } // finds read-status
    }
}
