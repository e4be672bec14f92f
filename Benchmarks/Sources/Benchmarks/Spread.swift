import Foundation

/// The values of repeated runs, sorted.
struct Spread: Sendable {
    var values: [Double]

    init(_ values: [Double]) { self.values = values.sorted() }

    var minimum: Double { values.first ?? .nan }
    var maximum: Double { values.last ?? .nan }

    var median: Double {
        guard !values.isEmpty else { return .nan }
        let middle = values.count / 2
        return values.count % 2 == 1
            ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }

    /// Returns the median and the range: "3.91 [3.80–4.20]", or the value alone if there is only
    /// one.
    func text(scale: Double = 1) -> String {
        let middle = Self.digits(median * scale)
        guard values.count > 1 else { return middle }
        return "\(middle) [\(Self.digits(minimum * scale))–\(Self.digits(maximum * scale))]"
    }

    /// The duration in seconds or milliseconds: "26.1 [25.9–27.0] s", "54.0 [51.3–74.1] ms".
    var durationText: String {
        median < 1 ? text(scale: 1000) + " ms" : text() + " s"
    }

    /// The median in seconds or milliseconds: "26.1 s", "54.0 ms".
    var medianText: String {
        median < 1 ? Self.digits(median * 1000) + " ms" : Self.digits(median) + " s"
    }

    /// Returns a number with three significant digits: "0.0912", "3.91", "26.1", "1204".
    static func digits(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : "–" }
        let places = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
        return String(format: "%.\(places)f", value)
    }
}

extension Spread: Encodable {
    private enum Key: String, CodingKey {
        case median
        case minimum = "least"
        case maximum = "most"
        case runs
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(median, forKey: .median)
        try container.encode(minimum, forKey: .minimum)
        try container.encode(maximum, forKey: .maximum)
        try container.encode(values.count, forKey: .runs)
    }
}
