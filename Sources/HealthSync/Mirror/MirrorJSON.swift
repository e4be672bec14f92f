import Foundation

/// The JSON of a mirror: what its file stores, and the lines that it exports.
///
/// Keys are sorted, so equal values have equal text. Slashes are not escaped, so that units such as
/// `count/min` stay readable.
enum MirrorJSON {
    /// Returns the text of a value that the file stores as JSON. Dates are seconds since 2001-01-01
    /// UTC; numbers that aren't finite are "inf", "-inf" and "nan".
    static func stored(_ value: some Encodable) throws -> String {
        let encoder = encoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decodes a value that ``stored(_:)`` has encoded.
    static func value<Value: Decodable>(_ type: Value.Type, stored text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: Data(text.utf8))
    }

    /// Returns an encoder of lines for other programs and devices. Dates are texts like
    /// `2026-03-01T07:00:00.000Z`, except those of ``MirrorEntry/MetadataValue``, which stay
    /// numbers. A plain number that isn't finite is an error; ``JSONNumber`` encodes it as text.
    static func lineEncoder() -> JSONEncoder {
        let encoder = encoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(date))
        }
        return encoder
    }

    /// Returns a date in UTC with milliseconds: `2026-03-01T07:00:00.000Z`.
    static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
