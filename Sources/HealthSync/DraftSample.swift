import Foundation

extension Draft {
    /// The type of sample, if HealthKit has it.
    var sampleType: HKSampleType? {
        switch content {
        case .quantity:
            HKObjectType.quantityType(
                forIdentifier: HKQuantityTypeIdentifier(rawValue: type))
        case .category:
            HKObjectType.categoryType(
                forIdentifier: HKCategoryTypeIdentifier(rawValue: type))
        }
    }

    /// The sample to save.
    ///
    /// - Throws: What HealthKit would raise an exception over.
    func sample(version: Int) throws(DraftFault) -> HKSample {
        guard !id.isEmpty else { throw .identifier }
        guard start <= end else { throw .times }
        guard start.timeIntervalSinceReferenceDate.isFinite,
            end.timeIntervalSinceReferenceDate.isFinite
        else { throw .times }
        let metadata = try healthKitMetadata(version: version)
        switch content {
        case .quantity(let value, let unit):
            guard let type = sampleType as? HKQuantityType else { throw .type }
            let unit = HKUnit(from: unit)
            guard type.is(compatibleWith: unit) else { throw .unit }
            guard value.isFinite else { throw .value }
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
                end: end, metadata: metadata)
        case .category(let value):
            guard let type = sampleType as? HKCategoryType else { throw .type }
            return HKCategorySample(
                type: type, value: value, start: start, end: end, metadata: metadata)
        }
    }

    private func healthKitMetadata(version: Int) throws(DraftFault) -> [String: Any] {
        var all: [String: Any] = [:]
        for (key, value) in metadata {
            switch value {
            case .text(let text): all[key] = text
            case .number(let number):
                guard number.isFinite else { throw .metadata }
                all[key] = NSNumber(value: number)
            case .date(let date): all[key] = date
            case .quantity(let number, let unit):
                guard number.isFinite else { throw .metadata }
                all[key] = HKQuantity(unit: HKUnit(from: unit), doubleValue: number)
            }
        }
        all[HKMetadataKeySyncIdentifier] = id
        all[HKMetadataKeySyncVersion] = NSNumber(value: version)
        return all
    }

    /// Whether an entry says the same.
    func isTold(by entry: Entry) -> Bool {
        guard entry.type == type, entry.start == start, entry.end == end else { return false }
        switch (content, entry.content) {
        case (.quantity(let mine, let unit), .quantity(let theirs, let theirUnit)):
            let quantity = HKQuantity(unit: HKUnit(from: unit), doubleValue: mine)
            let other = HKUnit(from: theirUnit)
            guard quantity.is(compatibleWith: other) else { return false }
            let value = quantity.doubleValue(for: other)
            return abs(value - theirs) <= 1e-9 * max(abs(value), abs(theirs))
        case (.category(let mine), .category(let theirs)): return mine == theirs
        default: return false
        }
    }
}

/// What is wrong with a draft.
public enum DraftFault: Error, Hashable, Sendable {
    /// The identifier is empty, or a draft of another type is being written under it.
    case identifier
    /// HealthKit has no such type, or it isn't of the content's kind; or an edit would change it.
    case type
    /// The end lies before the start.
    case times
    /// The value is not a number.
    case value
    /// The unit doesn't suit the type.
    case unit
    /// A metadata value is not a number.
    case metadata
    /// A note without a word, a tag or number without a name, a photo that can't be read.
    case attachment
    /// HealthKit refused it: a value that the type doesn't have, a time it doesn't permit.
    case refusedByHealthKit
}
