// Status asked for types that the app only ever reads.
import HealthKit
import SwiftUI

struct PermissionList {
    let store: HKHealthStore
    static let read: Set<HKObjectType> = [
        HKQuantityType(.restingHeartRate), HKQuantityType(.vo2Max),
    ]
    static let share: Set<HKSampleType> = [HKQuantityType(.bodyMass)]

    func ask() async throws {
        try await store.requestAuthorization(toShare: Self.share, read: Self.read)
    }

    var canReadFitness: Bool {
        store.authorizationStatus(for: HKQuantityType(.vo2Max)) == .sharingAuthorized  // finds read-status
    }

    var everythingAllowed: Bool {
        Self.read.allSatisfy { store.authorizationStatus(for: $0) == .sharingAuthorized }  // finds read-status
    }

    func missing() -> [HKObjectType] {
        var result: [HKObjectType] = []
        for type in Self.read {
            if store.authorizationStatus(for: type) == .sharingDenied {  // finds read-status
                result.append(type)
            }
        }
        return result
    }
}

struct RestingBadge: View {
    let store: HKHealthStore

    var body: some View {
        if store.authorizationStatus(for: HKQuantityType(.restingHeartRate)) != .sharingAuthorized {  // finds read-status
            Text("Allow the resting heart rate in Settings.")
        }
    }
}
