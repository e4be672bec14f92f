import Foundation

/// One day as a screen shows it.
public struct DiaryDay: Hashable, Codable, Sendable, Identifiable {
    public var id: Date { date }
    /// Midnight, where the day begins.
    public var date: Date
    /// Steps counted once, whatever wore or carried the person; nil if nothing counted any.
    public var steps: Int?
    /// The mean of the day's weights.
    public var kilograms: Double?

    public init(date: Date, steps: Int? = nil, kilograms: Double? = nil) {
        self.date = date
        self.steps = steps
        self.kilograms = kilograms
    }
}
