// A function whose type is a parameter, asked for types that are only read.
import HealthKit

final class Permissions {
    private let healthStore: HKHealthStore

    init(store: HKHealthStore) { healthStore = store }

    func ask() async throws {
        try await healthStore.requestAuthorization(
            toShare: [HKQuantityType(.bodyMass)],
            read: [HKQuantityType(.stepCount), HKQuantityType(.heartRate)])
    }

    private func isEnabled(_ type: HKObjectType) -> Bool {
        healthStore.authorizationStatus(for: type) == .sharingAuthorized  // finds read-status
    }

    var showsSteps: Bool { isEnabled(HKQuantityType(.stepCount)) }
    var showsHeart: Bool { isEnabled(HKObjectType.quantityType(forIdentifier: .heartRate)!) }
}

final class PermissionTable {
    enum Kind: CaseIterable {
        case steps, sleep
        var type: HKObjectType {
            switch self {
            case .steps: return HKQuantityType(.stepCount)
            case .sleep: return HKCategoryType(.sleepAnalysis)
            }
        }
    }

    private let healthStore: HKHealthStore

    init(store: HKHealthStore) { healthStore = store }

    func ask(_ done: @escaping () -> Void) {
        healthStore.requestAuthorization(toShare: nil, read: Set(Kind.allCases.map(\.type))) {
            _, _ in done()
        }
    }

    func status(of identifier: HKQuantityTypeIdentifier) -> HKAuthorizationStatus {
        healthStore.authorizationStatus(for: HKQuantityType(identifier))  // finds read-status
    }

    func isOn(_ kind: Kind) -> Bool {
        let status = healthStore.authorizationStatus(for: kind.type)  // finds read-status
        return status == .sharingAuthorized
    }

    func lines() -> [String] {
        [HKQuantityTypeIdentifier.heartRate, .flightsClimbed].map {
            "\($0.rawValue): \(status(of: $0) == .sharingAuthorized)"
        }
    }
}
