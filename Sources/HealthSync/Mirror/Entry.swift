import Foundation

// The forms that metadata, contents and exports have in JSON; changing them changes files that
// people keep.

/// `"text"`, `1.5`, `{"date": 700000000}`, `{"value": 21, "unit": "degC"}`; seconds since 2001.
extension Entry.MetadataValue {
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

/// `{"value": 82.4, "unit": "kg"}`, `{"category": 3}`, `{"workout": 37}`, `{}`.
extension Entry.Content {
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

/// A number in JSON, also one that JSON has no form for: those are texts, "inf", "-inf", "nan".
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
