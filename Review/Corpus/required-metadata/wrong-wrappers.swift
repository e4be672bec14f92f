// Samples whose type and metadata come from the callers of a function.
import HealthKit

final class SampleWriter {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func save(
        _ identifier: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, at date: Date
    ) async throws {
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else { return }
        let quantity = HKQuantity(unit: unit, doubleValue: value)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
    }

    func saveCategory(
        _ type: HKCategoryType, value: Int, on day: DateInterval, metadata: [String: Any]? = nil
    ) async throws {
        try await store.save(
            HKCategorySample(
                type: type, value: value, start: day.start, end: day.end, metadata: metadata))
    }

    func saveGlucose(_ value: Double, at date: Date) async throws {
        try await save(.bloodGlucose, value, HKUnit(from: "mg/dL"), at: date)
    }

    func saveInsulin(_ value: Double, at date: Date) async throws {
        try await save(.insulinDelivery, value, .internationalUnit(), at: date)  // finds required-metadata
    }

    func saveSpotting(on day: DateInterval) async throws {
        try await saveCategory(
            HKCategoryType(.intermenstrualBleeding), value: 0, on: day)
    }

    func saveFlow(_ value: Int, on day: DateInterval) async throws {
        try await saveCategory(HKCategoryType(.menstrualFlow), value: value, on: day)  // finds required-metadata
    }

    func saveFirstFlow(_ value: Int, on day: DateInterval) async throws {
        try await saveCategory(
            HKCategoryType(.menstrualFlow), value: value, on: day,
            metadata: [HKMetadataKeyMenstrualCycleStart: true])
    }
}
