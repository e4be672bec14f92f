import Foundation
import HealthEngine

/// Encodes and decodes the values that the file stores as JSON. Keys are sorted, so that equal
/// content has equal text. Also normalizes names for comparison.
enum StoredText {
    /// Returns metadata as JSON, such as `{"HKTimeZone":"Europe/Paris","HKWasUserEntered":1}`.
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

    /// Returns a number as JSON; a non-finite one as a string, like ``detail(_:)``.
    private static func json(_ number: Double) -> JSONText {
        number.isFinite ? .number(number) : .string("\(number)")
    }

    static func metadata(from text: String) throws -> Metadata {
        if let entries = MetadataScanner.metadata(text) { return entries }
        return try decoded(text, at: "metadata.entries")
    }

    static func detail(_ detail: SampleDetail) throws -> String {
        if case .heartbeats(let beats) = detail { return text(of: beats, .heartbeats) }
        if case .series(let quantities) = detail { return text(of: quantities, .series) }
        return try encoded(detail)
    }

    /// Encodes a value as JSON. The options never change, because stored texts are compared.
    static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return String(decoding: try encoder.encode(value), as: UTF8.self)
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

    /// Decodes JSON.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` that names the place. The decoder's own error may
    ///   contain the text.
    static func decoded<Value: Decodable>(
        _ text: String, at place: String
    ) throws -> Value {
        do {
            return try decoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StoreError.damaged(place)
        }
    }

    /// Returns the beginning of the details of a kind, such as `{"series":`.
    static func opening(_ name: SampleDetail.Name) -> String { "{\"\(name.rawValue)\":" }

    /// Encodes long arrays directly, because they can have millions of elements:
    /// `{"heartbeats":[[61,"6:14:48.94 PM",0.98],…]}`.
    private static func text<Part: ArrayCodable>(
        of parts: [Part], _ name: SampleDetail.Name
    ) -> String {
        var text = Array((opening(name) + "[").utf8)
        text.reserveCapacity(parts.count * 40 + 20)
        let layout = Part.layout
        for (index, part) in parts.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            for (place, field) in layout.enumerated() {
                if case .flag(let get, _) = field {
                    if get(part) { text.append(contentsOf: ",1".utf8) }
                    continue
                }
                text.append(place > 0 ? UInt8(ascii: ",") : UInt8(ascii: "["))
                switch field {
                case .flag: break
                case .number(let get, _), .numberOrNaN(let get, _):
                    text.append(contentsOf: JSONText.number(get(part)).utf8)
                case .numberOrNil(let get, _):
                    text.append(contentsOf: (get(part).map(JSONText.number) ?? "null").utf8)
                case .text(let get, _): text.append(contentsOf: JSONText.quoted(get(part)).utf8)
                }
            }
            text.append(UInt8(ascii: "]"))
        }
        return String(decoding: text + "]}".utf8, as: UTF8.self)
    }

    /// Returns a hash of 63 bits for an index. Callers must also compare the texts.
    static func digest(_ text: String) -> Int64 {
        let hash = FNV1a.hash(of: text)
        return Int64((hash ^ (hash >> 29)) >> 1)
    }

    /// Returns a name for comparison, with Unicode compatibility forms and white space normalized.
    static func folded(_ name: String) -> String {
        // Foundation on Linux leaves half-width kana with a sound mark decomposed, hence the second
        // step.
        name.precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns a folded name with straight quotes in place of curly ones, as people type it.
    static func typed(_ folded: String) -> String {
        String(folded.map { "’‘ʼ".contains($0) ? "'" : "“”".contains($0) ? "\"" : $0 })
    }
}

/// A fast parser for metadata in the form that this store usually writes.
///
/// It returns nil for anything else (escapes, the texts "inf", "-inf" and "nan", other shapes),
/// which `JSONDecoder` then decodes.
struct MetadataScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    /// Returns the metadata of a text; nil if the text isn't in the simple form.
    static func metadata(_ text: String) -> Metadata? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = MetadataScanner(bytes: bytes)
            guard let entries = scanner.entries(), scanner.place == bytes.count else { return nil }
            return entries
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func entries() -> Metadata? {
        guard consume("{") else { return nil }
        var entries: Metadata = [:]
        if consume("}") { return entries }
        repeat {
            guard let key = string(), consume(":"), let value = value() else { return nil }
            entries[key] = value
        } while consume(",")
        return consume("}") ? entries : nil
    }

    private mutating func value() -> MetadataValue? {
        guard place < bytes.count else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "\""):
            guard let text = string(), !["inf", "-inf", "nan"].contains(text) else { return nil }
            return .string(text)
        case UInt8(ascii: "{"):
            return object()
        default:
            return number().map { .number($0) }
        }
    }

    /// Parses `{"date":…}` or `{"quantity":…,"unit":…}`.
    private mutating func object() -> MetadataValue? {
        guard consume("{"), let name = string(), consume(":"), let number = number() else {
            return nil
        }
        if name == "date" { return consume("}") ? .date(number) : nil }
        guard name == "quantity", consume(","), string() == "unit", consume(":"),
            let unit = string(), consume("}")
        else { return nil }
        return .quantity(number, unit: unit)
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func string() -> String? {
        guard consume("\"") else { return nil }
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") { return nil }
            place += 1
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        return consume("\"") ? text : nil
    }

    private mutating func number() -> Double? {
        let start = place
        var isInteger = true
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"):
                isInteger = false
            default: return isInteger ? integer(from: start) : decimal(from: start)
            }
            place += 1
        }
        return nil
    }

    /// Parses a number of up to 15 digits, which a double represents exactly. Longer and negative
    /// numbers are parsed as decimals.
    private func integer(from start: Int) -> Double? {
        let isShort = place - start <= 15
        guard isShort, bytes[start] != UInt8(ascii: "-") else { return decimal(from: start) }
        var value = 0
        for index in start..<place {
            let digit = Int(bytes[index]) - 48
            guard (0...9).contains(digit) else { return nil }
            value = value * 10 + digit
        }
        return start == place ? nil : Double(value)
    }

    private func decimal(from start: Int) -> Double? {
        Double(String(decoding: bytes[start..<place], as: UTF8.self))
    }
}
