import Foundation
import HealthKit

/// The HealthKit calls of an app, as a protocol so that tests can use a mock.
protocol HealthStoreProtocol {
    func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, Error?) -> Void)
    func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus
    func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, Error?) -> Void)
    func dateOfBirthComponents() throws -> DateComponents
    func execute(_ query: HKQuery)
    func stop(_ query: HKQuery)
}

extension HKHealthStore: HealthStoreProtocol {}

/// A mock by subclass, with its own stored property and an initializer that sets it.
// Its arrays are used by one thread of a test.
class StoreMock: HKHealthStore, @unchecked Sendable {
    let authorizationError: Error?
    private(set) var saved: [HKObject] = []
    private(set) var running: [HKQuery] = []

    init(authorizationError: Error? = nil) {
        self.authorizationError = authorizationError
        super.init()
    }

    override func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, Error?) -> Void
    ) {
        completion(authorizationError == nil, authorizationError)
    }

    override func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        authorizationError == nil ? .sharingAuthorized : .sharingDenied
    }

    override func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, Error?) -> Void
    ) {
        saved.append(object)
        completion(true, nil)
    }

    override func dateOfBirthComponents() throws -> DateComponents {
        DateComponents(year: 1980, month: 5, day: 1)
    }

    override func execute(_ query: HKQuery) { running.append(query) }
    override func stop(_ query: HKQuery) { running.removeAll { $0 === query } }
}

/// A mock that only adds a flag.
// Its flag is set once.
class SilentStore: HKHealthStore, @unchecked Sendable {
    var isInactive = false

    override init() {
        super.init()
        isInactive = true
    }

    override func execute(_ query: HKQuery) {}
}

/// The app's requests to the store, and its handling of errors.
class Onboarding {
    enum Step: Equatable { case ready(birthYear: Int?), denied, unknown, failed(String) }

    private let store: HealthStoreProtocol
    private let weight = HKObjectType.quantityType(forIdentifier: .bodyMass)

    init(store: HealthStoreProtocol) { self.store = store }

    func begin(_ completion: @escaping (Step) -> Void) {
        guard let weight = weight else { return }
        store.requestAuthorization(toShare: [weight], read: [weight]) { success, error in
            if let error = error as? HKError, error.code == .errorAuthorizationDenied {
                completion(.denied)
            } else if let error = error as NSError?, error.domain == HKErrorDomain {
                completion(.failed("\(error.code): \(error.localizedDescription)"))
            } else {
                completion(success ? .ready(birthYear: self.birthYear()) : .unknown)
            }
        }
    }

    private func birthYear() -> Int? {
        do {
            return try store.dateOfBirthComponents().year
        } catch let error as HKError where error.code == .errorNoData {
            return 0
        } catch HKError.errorAuthorizationNotDetermined {
            return -1
        } catch {
            return nil
        }
    }
}
