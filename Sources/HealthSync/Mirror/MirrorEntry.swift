public import Foundation

/// A sample as the mirror stores it.
public struct MirrorEntry: Hashable, Sendable, Codable, Identifiable {
    /// A sample's value.
    public enum Content: Hashable, Sendable, Codable {
        /// A quantity, in the unit in which the mirror stores it.
        case quantity(Double, unit: String)
        /// The raw value of a category sample.
        case category(Int)
        /// The raw value of a workout's activity type.
        case workout(activity: UInt)
        /// Neither a quantity, a category sample nor a workout, or a quantity that is compatible
        /// with no unit the mirror knows. No value is stored.
        case none
    }

    /// Whether the health store showed the sample when the mirror last read or compared it.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// The health store showed the sample when the mirror last read or compared it. The sample
        /// may have been deleted or hidden since.
        case synced
        /// The health store did not show the sample when the mirror last compared it, and the
        /// comparison did not prove its deletion. A comparison is
        /// ``Mirror/reconcile(_:over:with:tombstoneLifetime:now:)`` or
        /// ``Mirror/repair(_:against:)``.
        case notVisible
    }

    /// A metadata value.
    public enum MetadataValue: Hashable, Sendable, Codable {
        case text(String)
        case number(Double)
        case date(Date)
        case quantity(Double, unit: String)
    }

    /// The UUID of the sample in the health store.
    public let id: UUID
    /// The type's identifier, for example "HKQuantityTypeIdentifierBodyMass".
    public let type: String
    /// When the sample starts.
    public let start: Date
    /// When the sample ends.
    public let end: Date
    /// The sample's value; a quantity in the unit in which the mirror stores it.
    public let content: Content
    /// The name of the source, the app or device that saved the sample.
    public let sourceName: String
    /// The bundle identifier of the app or device that saved the sample.
    public let bundleIdentifier: String
    /// The name of the device that recorded the sample, or else the device's model; nil if the
    /// sample has neither.
    public let device: String?
    /// The sample's metadata for the keys that ``MirrorConfiguration/metadataKeys`` contained when
    /// the entry was stored. Also the sync identifier and version, if the sample has them.
    public let metadata: [String: MetadataValue]
    /// The sample's sync identifier; nil if it has none.
    public let syncIdentifier: String?
    /// The sample's sync version, rounded toward zero; nil if it has none, or if it exceeds the
    /// range of `Int`.
    public let syncVersion: Int?
    /// Whether the health store showed the sample when the mirror last read or compared it.
    public let state: State
}

// The JSON forms below are used in stored metadata, in the journal of pending writes and in
// exports, so a change affects existing files.

/// JSON forms: `"text"`, `1.5`, `{"number": "nan"}` for a number that isn't finite, `{"date":
/// 700000000}` in seconds since 2001-01-01 UTC, `{"value": 21, "unit": "degC"}`.
extension MirrorEntry.MetadataValue {
    private enum Key: String, CodingKey {
        case date, number, value, unit
    }

    public init(from decoder: any Decoder) throws {
        if let single = try? decoder.singleValueContainer() {
            if let text = try? single.decode(String.self) {
                self = .text(text)
                return
            }
            if let number = try? single.decode(Double.self) {
                self = .number(number)
                return
            }
        }
        let parts = try decoder.container(keyedBy: Key.self)
        if let seconds = try parts.decodeIfPresent(JSONNumber.self, forKey: .date) {
            self = .date(Date(timeIntervalSinceReferenceDate: seconds.value))
        } else if let number = try parts.decodeIfPresent(JSONNumber.self, forKey: .number) {
            self = .number(number.value)
        } else {
            self = .quantity(
                try parts.decode(JSONNumber.self, forKey: .value).value,
                unit: try parts.decodeIfPresent(String.self, forKey: .unit) ?? "")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text):
            var single = encoder.singleValueContainer()
            try single.encode(text)
        case .number(let number) where number.isFinite:
            var single = encoder.singleValueContainer()
            try single.encode(number)
        case .number(let number):
            var parts = encoder.container(keyedBy: Key.self)
            try parts.encode(JSONNumber(number), forKey: .number)
        case .date(let date):
            var parts = encoder.container(keyedBy: Key.self)
            try parts.encode(JSONNumber(date.timeIntervalSinceReferenceDate), forKey: .date)
        case .quantity(let value, let unit):
            var parts = encoder.container(keyedBy: Key.self)
            try parts.encode(JSONNumber(value), forKey: .value)
            try parts.encode(unit, forKey: .unit)
        }
    }
}

/// JSON forms: `{"value": 82.4, "unit": "kg"}`, `{"category": 3}`, `{"workout": 37}`, `{}`.
extension MirrorEntry.Content {
    private enum Key: String, CodingKey {
        case value, unit, category, workout
    }

    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: Key.self)
        if let category = try parts.decodeIfPresent(Int.self, forKey: .category) {
            self = .category(category)
        } else if let activity = try parts.decodeIfPresent(UInt.self, forKey: .workout) {
            self = .workout(activity: activity)
        } else if let value = try parts.decodeIfPresent(JSONNumber.self, forKey: .value) {
            self = .quantity(value.value, unit: try parts.decode(String.self, forKey: .unit))
        } else {
            self = .none
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.container(keyedBy: Key.self)
        switch self {
        case .quantity(let value, let unit):
            try parts.encode(JSONNumber(value), forKey: .value)
            try parts.encode(unit, forKey: .unit)
        case .category(let value): try parts.encode(value, forKey: .category)
        case .workout(let activity): try parts.encode(activity, forKey: .workout)
        case .none: break
        }
    }
}

/// A number in JSON. Non-finite numbers are strings: "inf", "-inf", "nan".
struct JSONNumber: Codable {
    let value: Double

    init(_ value: Double) { self.value = value }

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let number = try? single.decode(Double.self) {
            value = number
        } else {
            let text = try single.decode(String.self)
            guard let number = Double(text) else {
                throw DecodingError.dataCorruptedError(in: single, debugDescription: "no number")
            }
            value = number
        }
    }

    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        if value.isFinite { try single.encode(value) } else { try single.encode("\(value)") }
    }
}
