public import Foundation
public import HealthEngine

/// What one page shows: the same value becomes HTML, JSON and a terminal's text.
///
/// ```swift
/// let page = try await TodayPage(of: service, on: CivilDate(2024, 3, 10), setting: setting)
/// print(page.sentence)         // "8,214 steps on 10 March 2024, counted once (…)"
/// try page.json()              // what `/.json` answers
/// ```
public protocol Page: Codable, Sendable {
    /// Where it is served: "/trends".
    static var path: String { get }
    /// "Trends".
    static var title: String { get }
    /// The first line: the answer, in words a person would use.
    var sentence: String { get }
    /// How old its numbers are.
    var freshness: Freshness { get set }
}

extension Page {
    /// The page for programs: ISO 8601 moments in UTC, keys in order, absent where nothing is
    /// known; null for a sum that overflowed, which JSON has no number for.
    ///
    /// - Throws: `EncodingError`; never for a page of this package.
    public func json() throws -> Data { try PageJSON.data(self) }
}

/// Values as JSON: dates ISO 8601, keys sorted; the same value gives the same bytes.
package enum PageJSON {
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No text of a value is this one.
        let mark = UUID().uuidString
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: mark, negativeInfinity: mark, nan: mark)
        var data = try encoder.encode(value)
        let written = Data("\"\(mark)\"".utf8)
        var rest = data.startIndex
        while let place = data.range(of: written, in: rest..<data.endIndex) {
            data.replaceSubrange(place, with: Data("null".utf8))
            rest = place.lowerBound
        }
        return data
    }
}

/// How old a page's numbers are.
public struct Freshness: Hashable, Sendable, Codable {
    /// When they were read.
    public var asOf: Date
    /// Whether nothing has changed since, as far as is known; else newer ones are being read.
    public var isCurrent: Bool
    /// The last day that anything was recorded on; nil where nobody has told.
    public var newest: CivilDate?

    public init(asOf: Date, isCurrent: Bool) {
        self.asOf = asOf
        self.isCurrent = isCurrent
    }
}

/// What is usual for somebody: from the 10th to the 90th percentile of the days before.
///
/// ```swift
/// UsualRange(of: (1...11).map(Double.init))  // 2 to 10, of 11 days
/// ```
public struct UsualRange: Hashable, Sendable, Codable {
    public var low: Double
    public var high: Double
    /// From how many days (weeks, months) it comes, those without data left out.
    public var days: Int

    public init(low: Double, high: Double, days: Int) {
        self.low = low
        self.high = high
        self.days = days
    }

    /// Fewer days with data tell nothing of what is usual.
    public static let fewestDays = 7

    /// Between closest ranks the value is taken from the straight line between them.
    ///
    /// - Returns: nil with fewer than ``fewestDays`` values.
    /// - Complexity: O(n log n).
    public init?(of values: [Double]) {
        let values = values.filter(\.isFinite).sorted()
        guard values.count >= Self.fewestDays else { return nil }
        func percentile(_ share: Double) -> Double {
            let place = share * Double(values.count - 1)
            let below = Int(clamping: place)
            let above = min(below + 1, values.count - 1)
            let part = place - Double(below)
            let value = values[below] + part * (values[above] - values[below])
            // The difference of the two may be too large where neither of them is.
            return value.isFinite ? value : values[below] * (1 - part) + values[above] * part
        }
        self.init(low: percentile(0.1), high: percentile(0.9), days: values.count)
    }

    /// Whether a value is one of the usual ones, both ends included.
    public func contains(_ value: Double) -> Bool { low <= value && value <= high }
}
