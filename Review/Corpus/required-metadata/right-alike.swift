// Samples that have the required metadata, on every way.
import HealthKit

private enum MetadataKeys {
    static let cycleStart = HKMetadataKeyMenstrualCycleStart
}

final class CycleWriter {
    private let store: HKHealthStore
    private let flowType = HKCategoryType(.menstrualFlow)

    init(store: HKHealthStore) { self.store = store }

    func log(_ flow: Int, on day: DateInterval, isFirst: Bool) async throws {
        try await store.save(
            HKCategorySample(
                type: flowType, value: flow, start: day.start, end: day.end,
                metadata: [HKMetadataKeyMenstrualCycleStart: isFirst]))
    }

    func logLater(_ flow: Int, on day: DateInterval, isFirst: Bool) async throws {
        var metadata: [String: Any] = [HKMetadataKeyWasUserEntered: true]
        if isFirst {
            metadata[HKMetadataKeyMenstrualCycleStart] = true
        } else {
            metadata[HKMetadataKeyMenstrualCycleStart] = false
        }
        try await store.save(
            HKCategorySample(
                type: flowType, value: flow, start: day.start, end: day.end, metadata: metadata))
    }

    func logOwnKey(_ flow: Int, on day: DateInterval) async throws {
        var metadata: [String: Any] = [:]
        metadata[MetadataKeys.cycleStart] = flow > 1
        try await store.save(
            HKCategorySample(
                type: flowType, value: flow, start: day.start, end: day.end, metadata: metadata))
    }

    func logRaw(_ flow: Int, on day: DateInterval) async throws {
        let metadata = ["HKMenstrualCycleStart": flow > 1]
        try await store.save(
            HKCategorySample(
                type: flowType, value: flow, start: day.start, end: day.end, metadata: metadata))
    }

    func logMade(_ flow: Int, on day: DateInterval) async throws {
        try await store.save(
            HKCategorySample(
                type: flowType, value: flow, start: day.start, end: day.end,
                metadata: metadata(isFirst: flow > 1)))
    }

    private func metadata(isFirst: Bool) -> [String: Any] {
        var metadata: [String: Any] = [HKMetadataKeyWasUserEntered: true]
        metadata[HKMetadataKeyMenstrualCycleStart] = isFirst
        return metadata
    }

    func logMerged(_ flow: Int, on day: DateInterval, extra: [String: Any]) async throws {
        var metadata: [String: Any] = [HKMetadataKeyWasUserEntered: true]
        metadata.merge(extra) { $1 }
        try await store.save(
            HKCategorySample(
                type: flowType, value: flow, start: day.start, end: day.end, metadata: metadata))
    }

    func logEither(_ flow: Int, on day: DateInterval, isFirst: Bool) async throws {
        var metadata: [String: Any]?
        if isFirst {
            metadata = [HKMetadataKeyMenstrualCycleStart: true]
        } else {
            metadata = [HKMetadataKeyMenstrualCycleStart: false]
        }
        try await store.save(
            HKCategorySample(
                type: flowType, value: flow, start: day.start, end: day.end, metadata: metadata))
    }
}

final class DoseWriter {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    /// The metadata comes from the pump's record.
    func save(_ units: Double, at date: Date, metadata: [String: Any]) async throws {
        let quantity = HKQuantity(unit: .internationalUnit(), doubleValue: units)
        try await store.save(
            HKQuantitySample(
                type: HKQuantityType(.insulinDelivery), quantity: quantity, start: date, end: date,
                metadata: metadata))
    }

    /// Sets what each type requires.
    func save(_ type: HKQuantityType, _ quantity: HKQuantity, at date: Date) async throws {
        var metadata: [String: Any] = [HKMetadataKeyWasUserEntered: true]
        if type == HKQuantityType(.insulinDelivery) {
            metadata[HKMetadataKeyInsulinDeliveryReason] = HKInsulinDeliveryReason.bolus.rawValue
        }
        try await store.save(
            HKQuantitySample(
                type: type, quantity: quantity, start: date, end: date, metadata: metadata))
    }

    func saveBolus(_ units: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .internationalUnit(), doubleValue: units)
        try await save(HKQuantityType(.insulinDelivery), quantity, at: date)
    }

    func saveWeight(_ kilograms: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms)
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: quantity, start: date, end: date)
        try await store.save(sample)
    }
}
