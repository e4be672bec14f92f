// Samples of menstrual flow and insulin without the metadata that their types require.
import HealthKit

final class PeriodStore {
    private let store: HKHealthStore
    private let flowType = HKObjectType.categoryType(forIdentifier: .menstrualFlow)!

    init(store: HKHealthStore) { self.store = store }

    func log(_ flow: HKCategoryValueMenstrualFlow, on day: DateInterval) async throws {
        let sample = HKCategorySample(  // finds required-metadata
            type: flowType, value: flow.rawValue, start: day.start, end: day.end)
        try await store.save(sample)
    }

    func log(_ flow: Int, on day: DateInterval, isFirst: Bool) async throws {
        var metadata: [String: Any] = [HKMetadataKeyWasUserEntered: true]
        if isFirst {
            metadata[HKMetadataKeyMenstrualCycleStart] = true
        }
        let sample = HKCategorySample(  // finds required-metadata
            type: flowType, value: flow, start: day.start, end: day.end, metadata: metadata)
        try await store.save(sample)
    }

    func logFirst(_ flow: Int, on day: DateInterval, isFirst: Bool) async throws {
        let metadata = isFirst ? [HKMetadataKeyMenstrualCycleStart: true] : nil
        try await store.save(
            HKCategorySample(  // finds required-metadata
                type: flowType, value: flow, start: day.start, end: day.end, metadata: metadata))
    }

    func logAgain(_ flow: Int, on day: DateInterval, note: String?) async throws {
        var details: [String: Any]?
        if let note { details = ["note": note, HKMetadataKeyMenstrualCycleStart: false] }
        let sample: HKCategorySample = .init(  // finds required-metadata
            type: flowType, value: flow, start: day.start, end: day.end, metadata: details)
        try await store.save(sample)
    }
}

struct DoseEntry {
    let units: Double
    let date: Date
    let identifier: String

    var sample: HKQuantitySample {
        HKQuantitySample(  // finds required-metadata
            type: HKQuantityType(.insulinDelivery),
            quantity: HKQuantity(unit: .internationalUnit(), doubleValue: units), start: date,
            end: date,
            metadata: [HKMetadataKeySyncIdentifier: identifier, HKMetadataKeySyncVersion: 1])
    }
}
