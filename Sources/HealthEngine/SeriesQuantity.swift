/// One backing quantity of a quantity series (Semantics §3.8).
public struct SeriesQuantity: Hashable, Sendable {
    /// Reference seconds.
    public var start: Double
    public var end: Double
    /// In the unit of the origin of the series' sample.
    public var value: Double

    public init(start: Double, end: Double, value: Double) {
        self.start = start
        self.end = end
        self.value = value
    }
}

extension SeriesQuantity: Codable {
    /// Quantities come by the thousand: an array `[start,end,value]`, not an object.
    public init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        start = try fields.decode(Double.self)
        end = try fields.decode(Double.self)
        value = try fields.decode(Double.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.unkeyedContainer()
        try fields.encode(start)
        try fields.encode(end)
        try fields.encode(value)
    }
}
