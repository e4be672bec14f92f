// Whether to ask is a question of its own; other frameworks have a status too.
import CoreLocation
import HealthKit

struct Asking {
    let store: HKHealthStore
    let read: Set<HKObjectType>

    func shouldAsk() async throws -> Bool {
        try await store.statusForAuthorizationRequest(toShare: [], read: read) == .shouldRequest
    }

    func shouldAsk(completion: @escaping (Bool) -> Void) {
        store.getRequestStatusForAuthorization(toShare: [], read: read) { status, _ in
            completion(status == .shouldRequest)
        }
    }

    func canTrack(_ manager: CLLocationManager) -> Bool {
        manager.authorizationStatus == .authorizedWhenInUse
    }

    func steps(_ range: NSPredicate) async throws -> Double? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
            options: .cumulativeSum
        ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }

    func log(_ status: HKAuthorizationStatus) {
        print(status == .sharingAuthorized ? "may write" : "may not write")
    }
}
