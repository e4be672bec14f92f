public import Foundation

/// Weights, their trend, and what the mirror has to say of them: `/weight`.
public struct WeightPage: Page, Hashable {
    public static let path = "/weight"
    public static let title = "Weight"

    /// A weight as it was measured.
    public struct Reading: Hashable, Sendable, Codable {
        public var date: Date
        /// In the page's unit.
        public var value: Double
        /// Who wrote it down.
        public var source: String

        public init(date: Date, value: Double, source: String) {
            self.date = date
            self.value = value
            self.source = source
        }
    }

    /// The trend after a day that has a weight.
    public struct TrendPoint: Hashable, Sendable, Codable {
        /// The day's local midnight.
        public var date: Date
        /// In the page's unit.
        public var value: Double

        public init(date: Date, value: Double) {
            self.date = date
            self.value = value
        }
    }

    /// Something that happened to a weight: "waits for the store", "deleted by Scale".
    public struct Note: Hashable, Sendable, Codable {
        public var date: Date
        public var text: String

        public init(date: Date, text: String) {
            self.date = date
            self.text = text
        }
    }

    public var freshness: Freshness
    /// "Europe/Berlin".
    public var timeZone: String
    /// "kg", "lb".
    public var unit: String
    /// The earliest first.
    public var measured: [Reading]
    /// The earliest first; a day without weights has none.
    public var trend: [TrendPoint]
    public var notes: [Note]
    public var sentence: String

    public init(
        freshness: Freshness, timeZone: String, unit: String, measured: [Reading],
        trend: [TrendPoint], notes: [Note], sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.unit = unit
        self.measured = measured
        self.trend = trend
        self.notes = notes
        self.sentence = sentence
    }
}
