import HealthEngine
import HealthStorage

/// Reads quantity samples, category samples and states of mind.
enum OpenHealthExporterSample {
    static func quantity(
        _ record: JSONValue, receivedAt: Double
    ) throws(UnreadableRecord) -> ReceivedSample {
        let type = try OpenHealthExporterMetric.sampleType(of: record)
        guard type.kind == .quantity else { throw .invalid(.type, field: "hkIdentifier") }
        let frame = try OpenHealthExporterFrame(record, receivedAt: receivedAt)
        // "outOfRange", "unconvertible", or a word of a later version: the sender doubts the value.
        if let quality = record["quality"], quality != .string("ok") { throw .unknown("quality") }
        let measured = try OpenHealthExporterValue(record, of: type)
        var sample = frame.sample(type)
        sample.value = measured.value
        sample.origin.unit = measured.unit
        return sample
    }

    /// `categoryName` is a word for sleep only, and the number counts in any case.
    static func category(
        _ record: JSONValue, receivedAt: Double
    ) throws(UnreadableRecord) -> ReceivedSample {
        let type = try OpenHealthExporterMetric.sampleType(of: record)
        guard type.kind == .category else { throw .invalid(.type, field: "hkIdentifier") }
        let frame = try OpenHealthExporterFrame(record, receivedAt: receivedAt)
        guard let value = record["categoryValue"]?.integer else {
            throw .invalid(.value, field: "categoryValue")
        }
        var sample = frame.sample(type)
        sample.value = Double(value)
        return sample
    }

    static func stateOfMind(
        _ record: JSONValue, receivedAt: Double
    ) throws(UnreadableRecord) -> ReceivedSample {
        guard let type = Catalogue.type(named: "stateOfMind") else {
            throw .unknown("sample.stateOfMind")
        }
        let frame = try OpenHealthExporterFrame(
            record, receivedAt: receivedAt, missingEnd: .instant)
        guard let valence = record["valence"]?.number else {
            throw .invalid(.value, field: "valence")
        }
        guard (-1...1).contains(valence) else { throw .unknown("quality") }
        let word = record["kindOfEntry"]?.string ?? ""
        guard let kind = kindsOfEntry[word] ?? rawValue(record["kindOfEntry"]) else {
            throw .unknown("stateOfMind.kindOfEntry")
        }
        let labels = try rawValues(record, "labels")
        let associations = try rawValues(record, "associations")
        var sample = frame.sample(type)
        sample.detail = .numbers([
            RecordedNumber.kind.rawValue: [Double(kind)],
            RecordedNumber.valence.rawValue: [valence],
            RecordedNumber.labels.rawValue: labels,
            RecordedNumber.associations.rawValue: associations,
        ])
        return sample
    }

    private static let kindsOfEntry = ["momentaryEmotion": 1, "dailyMood": 2]

    private static func rawValues(
        _ record: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> [Double] {
        guard let elements = record[field]?.array else {
            if record[field] == nil { return [] }
            throw .invalid(.value, field: field)
        }
        var values: [Double] = []
        for element in elements {
            guard let value = rawValue(element) else { throw .unknown("stateOfMind.\(field)") }
            values.append(Double(value))
        }
        return values
    }

    /// Returns the number of "raw_3" or 3, with which the sender writes raw values of HealthKit.
    static func rawValue(_ value: JSONValue?) -> Int? {
        if let text = value?.string, text.hasPrefix("raw_") { return Int(text.dropFirst(4)) }
        return value?.integer
    }
}
