/// A repeated part of a sample that is encoded as a JSON array: a heartbeat, or a quantity of a
/// series.
///
/// A sample can have thousands of parts, so each part is an array of its fields instead of an
/// object: `[61,"6:14:48.94 PM",0.98]`. ``layout`` defines the order of the fields.
package protocol ArrayCodable: Sendable {
    /// The value that decoding starts from.
    static var blank: Self { get }
    /// The fields in the order of the array's elements.
    static var layout: [ArrayField<Self>] { get }
}

/// A field of an ``ArrayCodable``.
package enum ArrayField<Value>: Sendable {
    /// A number. Anything else is a decoding error.
    case number(any WritableKeyPath<Value, Double> & Sendable)
    /// A number. Null or text is decoded as NaN, so that one invalid part does not prevent the
    /// decoding of the sample.
    case numberOrNaN(any WritableKeyPath<Value, Double> & Sendable)
    /// A number or `null`. Null or text is decoded as nil.
    case numberOrNil(any WritableKeyPath<Value, Double?> & Sendable)
    /// Text. Anything else is a decoding error.
    case text(any WritableKeyPath<Value, String> & Sendable)
    /// A flag, which must be the last field: 1 if it is true, and omitted if it is false.
    case flag(any WritableKeyPath<Value, Bool> & Sendable)
}

extension ArrayCodable {
    /// Decodes a part from an array.
    ///
    /// - Throws: A decoding error if a field is missing or has the wrong type.
    package init(array decoder: any Decoder) throws {
        self = .blank
        var array = try decoder.unkeyedContainer()
        for field in Self.layout {
            switch field {
            case .number(let path): self[keyPath: path] = try array.decode(Double.self)
            case .numberOrNaN(let path): self[keyPath: path] = try array.number() ?? .nan
            case .numberOrNil(let path): self[keyPath: path] = try array.number()
            case .text(let path): self[keyPath: path] = try array.decode(String.self)
            case .flag(let path):
                self[keyPath: path] = array.isAtEnd ? false : (try array.number() ?? 0) != 0
            }
        }
    }

    /// Encodes the part as an array.
    package func encode(asArray encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for field in Self.layout {
            switch field {
            case .number(let path), .numberOrNaN(let path): try array.encode(self[keyPath: path])
            case .numberOrNil(let path): try array.encode(self[keyPath: path])
            case .text(let path): try array.encode(self[keyPath: path])
            case .flag(let path): if self[keyPath: path] { try array.encode(1) }
            }
        }
    }
}

extension UnkeyedDecodingContainer {
    /// Decodes the next element as a number. Null and text are skipped and give nil.
    fileprivate mutating func number() throws -> Double? {
        if try decodeNil() { return nil }
        if let number = try? decode(Double.self) { return number }
        _ = try decode(String.self)
        return nil
    }
}
