public import Foundation

/// What happened to samples of a type, as its handler is told.
public struct SampleChange: Sendable {
    public let sampleType: HKSampleType
    /// Whether this is what was there before, or what changed.
    public let origin: ChangeBatch.Origin
    public let added: [HKSample]
    /// UUIDs of samples that are gone; some may never have been seen.
    public let deleted: [UUID]

    init(_ batch: ChangeBatch) {
        sampleType = batch.sampleType
        origin = batch.origin
        added = batch.added
        deleted = batch.deleted.map(\.uuid)
    }
}

/// What happened to quantities of a type, in the unit that was asked for.
public struct QuantityChange: Sendable {
    /// One measurement.
    public struct Value: Sendable, Identifiable {
        /// The sample's UUID.
        public let id: UUID
        /// In the unit asked for.
        public let value: Double
        public let interval: DateInterval
        public let source: HKSource
        public let sample: HKQuantitySample
    }

    /// Whether this is what was there before, or what changed.
    public let origin: ChangeBatch.Origin
    public let added: [Value]
    /// UUIDs of samples that are gone; some may never have been seen.
    public let deleted: [UUID]
    /// Samples whose own unit can't be turned into the one asked for.
    public let unreadable: [HKSample]

    init(_ batch: ChangeBatch, in unit: HKUnit) {
        var values: [Value] = []
        var unreadable: [HKSample] = []
        for sample in batch.added {
            guard let quantity = sample as? HKQuantitySample,
                quantity.quantity.is(compatibleWith: unit)
            else {
                unreadable.append(sample)
                continue
            }
            values.append(
                Value(
                    id: sample.uuid, value: quantity.quantity.doubleValue(for: unit),
                    interval: sample.interval, source: sample.sourceRevision.source,
                    sample: quantity))
        }
        origin = batch.origin
        added = values
        deleted = batch.deleted.map(\.uuid)
        self.unreadable = unreadable
    }
}

/// What happened to samples of a category.
public struct CategoryChange: Sendable {
    /// One sample.
    public struct Value: Sendable, Identifiable {
        /// The sample's UUID.
        public let id: UUID
        /// The raw value of the category's enumeration.
        public let value: Int
        public let interval: DateInterval
        public let source: HKSource
        public let sample: HKCategorySample
    }

    /// Whether this is what was there before, or what changed.
    public let origin: ChangeBatch.Origin
    public let added: [Value]
    /// UUIDs of samples that are gone; some may never have been seen.
    public let deleted: [UUID]

    init(_ batch: ChangeBatch) {
        origin = batch.origin
        added = batch.added.compactMap { sample in
            guard let category = sample as? HKCategorySample else { return nil }
            return Value(
                id: sample.uuid, value: category.value, interval: sample.interval,
                source: sample.sourceRevision.source, sample: category)
        }
        deleted = batch.deleted.map(\.uuid)
    }
}

extension HKSample {
    /// From start to end; DateInterval would trap where the end comes first.
    var interval: DateInterval {
        DateInterval(start: startDate, end: max(startDate, endDate))
    }
}
