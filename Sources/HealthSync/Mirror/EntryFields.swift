import Foundation

/// The fields of an entry that are read from a sample, apart from its UUID, type, origin and times.
struct EntryFields {
    var kind: EntryKind = .none
    var value: Double?
    var unit: String?
    var category: Int64?
    var syncIdentifier: String?
    var syncVersion: Double?
    var metadata: String?

    init(_ sample: HKSample, units: inout EntryUnits, keys: Set<String>) {
        switch sample {
        case let sample as HKQuantitySample:
            if let (number, unit) = units.number(
                sample.quantity, of: sample.sampleType.identifier)
            {
                kind = .quantity
                value = number
                self.unit = unit
            }
        case let sample as HKCategorySample:
            kind = .category
            category = Int64(sample.value)
        case let sample as HKWorkout:
            kind = .workout
            category = Int64(clamping: sample.workoutActivityType.rawValue)
        default: break
        }
        guard let metadata = sample.metadata, !metadata.isEmpty else { return }
        syncIdentifier = metadata[HKMetadataKeySyncIdentifier] as? String
        syncVersion = (metadata[HKMetadataKeySyncVersion] as? NSNumber)?.doubleValue
        if !keys.isEmpty { self.metadata = Self.text(metadata, keys: keys, units: &units) }
    }

    /// The value as the content of an entry.
    var content: MirrorEntry.Content {
        switch kind {
        case .none: .none
        case .quantity: .quantity(value ?? .nan, unit: unit ?? "")
        case .category: .category(Int(clamping: category ?? 0))
        case .workout: .workout(activity: UInt(clamping: category ?? 0))
        }
    }

    /// Returns the metadata values of the given keys as JSON; nil if there are none. Values that a
    /// ``MirrorEntry/MetadataValue`` cannot represent are left out.
    private static func text(
        _ metadata: [String: Any], keys: Set<String>, units: inout EntryUnits
    ) -> String? {
        var kept: [String: MirrorEntry.MetadataValue] = [:]
        for key in keys {
            guard let value = metadata[key] else { continue }
            kept[key] = MirrorEntry.MetadataValue(value, of: key, units: &units)
        }
        guard !kept.isEmpty else { return nil }
        return try? MirrorJSON.stored(kept)
    }
}

/// The kind of an entry's value, stored as a number. The column `value` contains quantities; the
/// column `category` contains the raw values of categories and workouts.
enum EntryKind: Int64 {
    case none = 0
    case quantity = 1
    case category = 2
    case workout = 3
}

extension MirrorEntry.MetadataValue {
    /// Creates a metadata value. The result is nil for a value of a type that HealthKit's metadata
    /// cannot contain. It is also nil for a quantity with which no known unit is compatible.
    init?(_ value: Any, of key: String, units: inout EntryUnits) {
        switch value {
        case let text as String: self = .text(text)
        case let date as Date: self = .date(date)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let quantity as HKQuantity:
            guard let (number, unit) = units.number(quantity, of: key) else { return nil }
            self = .quantity(number, unit: unit)
        default: return nil
        }
    }
}
