import Foundation
import HealthEngine

/// How structured parts stand in the file: JSON with sorted keys, so that equal content is equal text.
enum StoredText {
    /// `{"HKTimeZone":"Europe/Paris","HKWasUserEntered":1}`.
    static func metadata(_ entries: Metadata) -> String {
        JSONText.object(
            entries.sorted { $0.key < $1.key }.map { key, value in (key, json(value)) }
        ).text
    }

    private static func json(_ value: MetadataValue) -> JSONText {
        switch value {
        case .string(let string): .string(string)
        case .number(let number): json(number)
        case .date(let seconds): .object(["date": json(seconds)])
        case .quantity(let value, let unit):
            .object(["quantity": json(value), "unit": .string(unit)])
        }
    }

    /// A number that JSON can't hold stands as text, as ``detail(_:)`` writes it.
    private static func json(_ number: Double) -> JSONText {
        number.isFinite ? .number(number) : .string("\(number)")
    }

    static func metadata(from text: String) throws -> Metadata {
        if let entries = MetadataScanner.metadata(text) { return entries }
        return try decoded(text, at: "metadata.entries")
    }

    static func detail(_ detail: SampleDetail) throws -> String {
        if case .heartbeats(let beats) = detail { return heartbeats(beats) }
        if case .series(let quantities) = detail { return series(quantities) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return String(decoding: try encoder.encode(detail), as: UTF8.self)
    }

    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }

    static func detail(from text: String) throws -> SampleDetail {
        try decoded(text, at: "detail.content")
    }

    /// A decoder's own error may show the text.
    static func decoded<Value: Decodable>(
        _ text: String, at place: String
    ) throws -> Value {
        do {
            return try decoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StoreError.damaged(place)
        }
    }

    /// Beats are the one structured part that comes by the million, so they are written by hand:
    /// `{"heartbeats":[[61,"6:14:48.94 PM",0.98],…]}`.
    private static func heartbeats(_ beats: [Heartbeat]) -> String {
        var text = "{\"heartbeats\":["
        text.reserveCapacity(beats.count * 32 + 20)
        for (index, beat) in beats.enumerated() {
            text += index > 0 ? ",[" : "["
            text += JSONText.number(beat.bpm)
            text += ","
            JSONText.quote(beat.time, in: &text)
            text += ","
            text += beat.offset.map(JSONText.number) ?? "null"
            text += "]"
        }
        return text + "]}"
    }

    /// Backing quantities come by the thousand: `{"series":[[0,60,12],…]}`. Statistics know them by
    /// how the text begins.
    private static func series(_ quantities: [SeriesQuantity]) -> String {
        var text = "{\"series\":["
        text.reserveCapacity(quantities.count * 40 + 20)
        for (index, quantity) in quantities.enumerated() {
            text += index > 0 ? ",[" : "["
            text += JSONText.number(quantity.start) + "," + JSONText.number(quantity.end) + ","
            text += JSONText.number(quantity.value) + "]"
        }
        return text + "]}"
    }

    /// 63 bits that tell texts apart, for an index; equality is always checked on the text itself.
    static func digest(_ text: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64((hash ^ (hash >> 29)) >> 1)
    }

    /// A name as it is compared: compatibility forms and runs of white space folded.
    static func folded(_ name: String) -> String {
        // Foundation on Linux leaves a half-width kana and its mark decomposed, hence the second step.
        name.precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A folded name as a keyboard has it: straight quotes for curly ones.
    static func typed(_ folded: String) -> String {
        String(folded.map { "’‘ʼ".contains($0) ? "'" : "“”".contains($0) ? "\"" : $0 })
    }
}
