import Foundation

/// Reads all workouts of a range, the newest first, in pages, so that memory is bounded.
struct WorkoutPages {
    /// Reads the newest workouts that start in a half-open range, up to a number.
    typealias Read =
        @Sendable (DateInterval, Int) async throws(Unavailability) -> [WorkoutSummary]

    /// The number of workouts that are read at once, unless another is chosen.
    static let size = 500

    private let read: Read
    private let size: Int
    /// The range that is not read yet; nil at the end.
    private var range: DateInterval?
    /// The workouts of the last page, some of which the next page repeats.
    private var last: Set<UUID> = []

    init(_ range: DateInterval, size: Int = Self.size, read: @escaping Read) {
        self.read = read
        self.range = range
        self.size = size
    }

    init(of service: some HealthService, _ range: DateInterval, size: Int = Self.size) {
        self.init(range, size: size) { (range, limit) async throws(Unavailability) in
            try await service.workouts(range, limit: limit)
        }
    }

    /// Returns the next page without the workouts of the page before it; nil at the end.
    mutating func next() async throws(Unavailability) -> [WorkoutSummary]? {
        guard let range else { return nil }
        let page = try await read(range, size)
        self.range = nil
        if page.count >= size, let end = Self.end(after: page), end > range.start {
            self.range = DateInterval(start: range.start, end: end)
        }
        defer { last = Set(page.map(\.id)) }
        return page.filter { !last.contains($0.id) }
    }

    /// Returns the end of the range for the page after some workouts, which are not all; nil
    /// without workouts.
    ///
    /// The next page repeats the oldest workout and those that start less than a millisecond after
    /// it. So none is missed: a `DateInterval` is not more precise in the distant past. If all
    /// workouts start within a millisecond, the next page ends a millisecond before the oldest one,
    /// so that it differs from this page.
    static func end(after workouts: [WorkoutSummary]) -> Date? {
        guard let first = workouts.first?.start, let last = workouts.last?.start else {
            return nil
        }
        let step = 0.001
        return first.timeIntervalSince(last) > step ? last + step : last - step
    }
}
