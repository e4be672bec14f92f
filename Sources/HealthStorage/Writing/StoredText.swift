import HealthEngine

/// Reads metadata as this store writes them, many times faster than a general decoder.
///
/// What it doesn't know by heart (escapes, numbers as text, other shapes) it leaves to the decoder by
/// answering nil.
struct MetadataScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    /// The entries of a text; nil if it holds anything out of the ordinary.
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
        guard take("{") else { return nil }
        var entries: Metadata = [:]
        if take("}") { return entries }
        repeat {
            guard let key = string(), take(":"), let value = value() else { return nil }
            entries[key] = value
        } while take(",")
        return take("}") ? entries : nil
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

    /// `{"date":…}` or `{"quantity":…,"unit":…}`.
    private mutating func object() -> MetadataValue? {
        guard take("{"), let name = string(), take(":"), let number = number() else { return nil }
        if name == "date" { return take("}") ? .date(number) : nil }
        guard name == "quantity", take(","), string() == "unit", take(":"), let unit = string(),
            take("}")
        else { return nil }
        return .quantity(number, unit: unit)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") { return nil }
            place += 1
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        return take("\"") ? text : nil
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

    /// Digits that a double holds exactly; everything else goes the long way.
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
