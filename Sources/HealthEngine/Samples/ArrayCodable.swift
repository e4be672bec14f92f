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

/// A field of an ``ArrayCodable``: how it is read and written. Closures, since key paths take ten
/// times as long and an export has a million heartbeats.
package enum ArrayField<Value>: Sendable {
    package typealias Getter<Field> = @Sendable (Value) -> Field
    package typealias Setter<Field> = @Sendable (inout Value, Field) -> Void

    /// A number. Anything else is a decoding error.
    case number(Getter<Double>, Setter<Double>)
    /// A number. Null or text is decoded as NaN, so that one invalid part does not prevent the
    /// decoding of the sample.
    case numberOrNaN(Getter<Double>, Setter<Double>)
    /// A number or `null`. Null or text is decoded as nil.
    case numberOrNil(Getter<Double?>, Setter<Double?>)
    /// Text. Anything else is a decoding error.
    case text(Getter<String>, Setter<String>)
    /// A flag, which must be the last field: 1 if it is true, and omitted if it is false.
    case flag(Getter<Bool>, Setter<Bool>)
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
            case .number(_, let set): set(&self, try array.decode(Double.self))
            case .numberOrNaN(_, let set): set(&self, try array.number() ?? .nan)
            case .numberOrNil(_, let set): set(&self, try array.number())
            case .text(_, let set): set(&self, try array.decode(String.self))
            case .flag(_, let set):
                set(&self, array.isAtEnd ? false : (try array.number() ?? 0) != 0)
            }
        }
    }

    /// Encodes the part as an array.
    package func encode(asArray encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for field in Self.layout {
            switch field {
            case .number(let get, _), .numberOrNaN(let get, _): try array.encode(get(self))
            case .numberOrNil(let get, _): try array.encode(get(self))
            case .text(let get, _): try array.encode(get(self))
            case .flag(let get, _): if get(self) { try array.encode(1) }
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
