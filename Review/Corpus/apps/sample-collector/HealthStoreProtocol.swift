// What the collector needs of a health store, so that tests can stand in for it.
import Foundation
import HealthKit

public protocol HealthStoreProtocol: AnyObject, Sendable {
    func execute(_ query: HKQuery)
    func stop(_ query: HKQuery)
    func save(_ objects: [HKObject]) async throws
    func delete(_ objects: [HKObject]) async throws
    func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus
    func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
}

extension HKHealthStore: HealthStoreProtocol {}

public struct Change<Sample: HKSample>: Sendable {
    public let added: [Sample]
    public let deleted: [UUID]
}

public protocol ChangeHandler: Sendable {
    func handle(_ change: Change<HKSample>, of type: HKSampleType) async throws
}
