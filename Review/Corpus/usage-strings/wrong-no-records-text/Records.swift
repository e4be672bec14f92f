// Asks for clinical records; the Info.plist explains other reading only.
import HealthKit

final class Records {
    private let store = HKHealthStore()

    private var clinicalTypes: [HKClinicalType] {
        [.allergyRecord, .labResultRecord].compactMap {
            HKObjectType.clinicalType(forIdentifier: $0)
        }
    }

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: Set(clinicalTypes))  // finds usage-strings
    }
}
