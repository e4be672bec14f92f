import Foundation
import HealthEngine

/// How structured parts stand in the file: JSON with sorted keys, so that equal content is equal text.
enum StoredText {
    /// `{"HKTimeZone":"Europe/Paris","HKWasUserEntered":1}`.
    static func metadata(_ entries: Metadata) -> String {
        var text = "{"
        for (index, key) in entries.keys.sorted().enumerated() {
            if index > 0 { text += "," }
            append(key, to: &text)
            text += ":"
            switch entries[key] {
            case .string(let string)?: append(string, to: &text)
            case .number(let number)?: append(number, to: &text)
            case .date(let seconds)?:
                text += "{\"date\":"
                append(seconds, to: &text)
                text += "}"
            case .quantity(let value, let unit)?:
                text += "{\"quantity\":"
                append(value, to: &text)
                text += ",\"unit\":"
                append(unit, to: &text)
                text += "}"
            case nil: text += "null"
            }
        }
        return text + "}"
    }

    static func metadata(from text: String) throws -> Metadata {
        try JSONDecoder().decode(Metadata.self, from: Data(text.utf8))
    }

    static func detail(_ detail: SampleDetail) throws -> String {
        if case .heartbeats(let beats) = detail { return heartbeats(beats) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(detail), as: UTF8.self)
    }

    static func detail(from text: String) throws -> SampleDetail {
        try JSONDecoder().decode(SampleDetail.self, from: Data(text.utf8))
    }

    /// Beats are the one structured part that comes by the million, so they are written by hand:
    /// `{"heartbeats":[[61,"6:14:48.94 PM",0.98],…]}`.
    private static func heartbeats(_ beats: [Heartbeat]) -> String {
        var text = "{\"heartbeats\":["
        for (index, beat) in beats.enumerated() {
            if index > 0 { text += "," }
            text += "["
            append(beat.bpm, to: &text)
            text += ","
            append(beat.time, to: &text)
            text += ","
            if let offset = beat.offset { append(offset, to: &text) } else { text += "null" }
            text += "]"
        }
        return text + "]}"
    }

    /// A number that JSON can't hold stands as text.
    private static func append(_ number: Double, to text: inout String) {
        if let whole = Int64(exactly: number), abs(whole) < 1 << 53 {
            text += String(whole)
        } else if number.isFinite {
            text += "\(number)"
        } else {
            append("\(number)", to: &text)
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case let control where control.value < 0x20:
                text += "\\u" + CivilTime.digits(0, width: 2)
                text += String(control.value, radix: 16).count == 1 ? "0" : ""
                text += String(control.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
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
