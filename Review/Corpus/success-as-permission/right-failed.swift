// A flag that says that the request failed.
import HealthKit

final class RequestModel: ObservableObject {
    @Published var authorizationFailed = false
    private let store = HKHealthStore()

    func request() {
        store.requestAuthorization(toShare: [.workoutType()], read: []) { success, _ in
            DispatchQueue.main.async { self.authorizationFailed = !success }
        }
    }
}
