import Foundation

/// One day for display.
public struct DiaryDay: Hashable, Codable, Sendable, Identifiable {
    /// The start of the day, which identifies it.
    public var id: Date { date }
    /// The start of the day.
    public var date: Date
    /// The steps without double counting, over all sources; nil if there are none.
    public var steps: Int?
    /// The mean of the day's weights in kilograms; nil if there are none.
    public var kilograms: Double?

    public init(date: Date, steps: Int? = nil, kilograms: Double? = nil) {
        self.date = date
        self.steps = steps
        self.kilograms = kilograms
    }
}
