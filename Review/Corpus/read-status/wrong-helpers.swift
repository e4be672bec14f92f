// Reads that a helper's answer gates, and loops over what is read.
import HealthKit

enum HealthTypes {
    static let write: Set<HKSampleType> = [HKQuantityType(.bodyMass)]
    static let read: Set<HKObjectType> = [
        HKQuantityType(.bodyMass), HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis),
    ]
}

final class HelperReader {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func request() async throws {
        try await store.requestAuthorization(toShare: HealthTypes.write, read: HealthTypes.read)
    }

    var isReady: Bool {
        for type in HealthTypes.read {
            if store.authorizationStatus(for: type) != .sharingAuthorized {  // finds read-status
                return false
            }
        }
        return true
    }

    func hasPermissions(read: [String]) -> Bool {
        for name in read {
            guard let type = type(named: name) else { return false }
            if store.authorizationStatus(for: type) != .sharingAuthorized { return false }  // finds read-status
        }
        return true
    }

    func statuses(of readTypes: [HKObjectType]) -> [String: Bool] {
        readTypes.reduce(into: [:]) { all, type in
            all[type.identifier] = isAllowed(type)
        }
    }

    func denied(among typesToRead: [HKObjectType]) -> [HKObjectType] {
        typesToRead.filter { store.authorizationStatus(for: $0) == .sharingDenied }  // finds read-status
    }

    private func type(named name: String) -> HKObjectType? {
        HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
    }

    func samples(
        _ type: HKSampleType, _ range: NSPredicate, completion: @escaping ([HKSample]?, Error?) -> Void
    ) {
        guard isAllowed(type) else { return completion(nil, HKError(.errorAuthorizationDenied)) }
        let query = HKSampleQuery(
            sampleType: type, predicate: range, limit: 100, sortDescriptors: nil
        ) { _, samples, error in
            completion(samples, error)
        }
        store.execute(query)
    }

    private func isAllowed(_ type: HKObjectType) -> Bool {
        store.authorizationStatus(for: type) == .sharingAuthorized  // finds read-status
    }
}

final class SleepAccess {
    private let store: HKHealthStore
    private let type: HKSampleType

    init(store: HKHealthStore, type: HKSampleType) {
        self.store = store
        self.type = type
    }

    private var isSleepAllowed: Bool {
        store.authorizationStatus(for: type) == .sharingAuthorized  // finds read-status
    }

    func nights(_ range: NSPredicate) async throws -> [HKSample] {
        guard isSleepAllowed else { return [] }
        return try await HKSampleQueryDescriptor(
            predicates: [.sample(type: type, predicate: range)], sortDescriptors: []
        ).result(for: store)
    }
}
