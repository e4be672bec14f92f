// A grant that is recorded elsewhere because the request didn't throw.
import HealthKit

protocol Registry {
    func register(_ participant: String, status: String) async throws
}

final class ConsentService {
    private let store = HKHealthStore()

    func requestAccess() async throws {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
    }
}

@MainActor final class ConsentModel {
    private let service = ConsentService()
    private let registry: any Registry
    private(set) var failure: String?

    init(registry: any Registry) { self.registry = registry }

    func connect(_ participant: String) async {
        do {
            try await service.requestAccess()
            try await registry.register(participant, status: "health_access_granted")  // finds success-as-permission
        } catch {
            failure = error.localizedDescription
            try? await registry.register(participant, status: "request_not_granted")
        }
    }
}
