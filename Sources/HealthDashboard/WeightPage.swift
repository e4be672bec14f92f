public import Foundation

/// Weights, their trend, and what a person wrote beside them: `/weight`.
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

    /// What a person wrote beside a weight.
    public struct Note: Hashable, Sendable, Codable {
        /// When the weight was measured.
        public var date: Date
        /// Empty where there are tags alone.
        public var text: String
        public var tags: [String]
        /// The weight, in the page's unit; nil if it isn't known.
        public var value: Double?

        public init(date: Date, text: String, tags: [String] = [], value: Double? = nil) {
            self.date = date
            self.text = text
            self.tags = tags
            self.value = value
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
    /// The newest first.
    public var notes: [Note]
    /// Why notes can't be shown, a sentence; nil where they can.
    public var notesProblem: String?
    public var sentence: String

    public init(
        freshness: Freshness, timeZone: String, unit: String, measured: [Reading],
        trend: [TrendPoint], notes: [Note], notesProblem: String? = nil, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.unit = unit
        self.measured = measured
        self.trend = trend
        self.notes = notes
        self.notesProblem = notesProblem
        self.sentence = sentence
    }
}
