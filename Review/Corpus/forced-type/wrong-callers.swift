// Lists and tables of types that callers, a server or a typing mistake fill.
import HealthKit

final class ListPermissions {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func request(_ types: [String]) async throws {
        let read = Set(
            types.map {
                HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0))!  // finds forced-type
            })
        try await store.requestAuthorization(toShare: [], read: read)
    }

    func observe(_ identifiers: [HKQuantityTypeIdentifier]) -> [HKQuantityType] {
        identifiers.map { HKQuantityType.quantityType(forIdentifier: $0)! }  // finds forced-type
    }

    func observe(names: [String]) -> [HKQuantityType] {
        observe(names.map { HKQuantityTypeIdentifier(rawValue: $0) })
    }

    static let table = ["pulse": "HKQuantityTypeIdentifierHeartrate"]

    func pulse() -> HKQuantityType {
        let raw = Self.table["pulse"]!
        return HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: raw))!  // finds forced-type
    }
}

struct Subscription: Decodable {
    let identifier: String

    var type: HKQuantityType {
        .quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))!  // finds forced-type
    }
}
