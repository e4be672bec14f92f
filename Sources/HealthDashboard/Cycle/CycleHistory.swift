package import HealthEngine

/// The menstrual cycles in a person's recorded days.
///
/// A cycle begins on a day that is marked as its start. If no day is marked, it begins on a day of bleeding
/// after at least ``minimumGap`` days without. The history describes the past and predicts nothing.
package struct CycleHistory: Hashable, Sendable {
    /// What was recorded about a day.
    package struct Day: Hashable, Sendable {
        package var day: CivilDate
        /// Whether it is a day of bleeding, of any or of unknown strength.
        package var isBleeding: Bool
        /// Whether an app marked the day as the start of a cycle.
        package var isStart: Bool

        package init(day: CivilDate, isBleeding: Bool, isStart: Bool) {
            self.day = day
            self.isBleeding = isBleeding
            self.isStart = isStart
        }
    }

    /// The days of bleeding at the start of a cycle.
    package struct Period: Hashable, Sendable {
        /// The first day of the cycle.
        package var first: CivilDate
        /// The number of days with bleeding, up to the first gap of ``CycleHistory/minimumGap`` days.
        package var bleedingDays: Int
        /// The number of days to the next cycle's first day; nil for the last cycle.
        package var cycleLength: Int?
    }

    /// The lengths of the complete cycles in days.
    package struct Lengths: Hashable, Sendable {
        package var count: Int
        /// The middle length; of an even number the lower of the two in the middle.
        package var median: Int
        package var shortest: Int, longest: Int
    }

    /// Without marked starts, a day of bleeding begins a cycle after this many days without.
    package static let minimumGap = 10

    /// The periods in order of time.
    package let periods: [Period]

    /// Finds the cycles in recorded days.
    ///
    /// - Parameter days: The days in any order. Several records of a day count as one.
    /// - Complexity: O(*n* log *n* + *n* × cycles).
    package init(_ days: [Day]) {
        let bleeding = Set(days.filter(\.isBleeding).map(\.day)).sorted()
        let marked = Set(days.filter { $0.isStart && $0.isBleeding }.map(\.day)).sorted()
        let starts = marked.isEmpty ? Self.firstDays(of: bleeding) : marked
        periods = starts.enumerated().map { index, first in
            let next = index + 1 < starts.count ? starts[index + 1] : nil
            let own = bleeding.filter { day in day >= first && next.map { day < $0 } ?? true }
            return Period(
                first: first, bleedingDays: Self.untilGap(own),
                cycleLength: next.map { $0.dayNumber - first.dayNumber })
        }
    }

    /// The lengths of the complete cycles; nil without any.
    package var lengths: Lengths? {
        let lengths = periods.compactMap(\.cycleLength).sorted()
        guard let shortest = lengths.first, let longest = lengths.last else { return nil }
        return Lengths(
            count: lengths.count, median: lengths[(lengths.count - 1) / 2], shortest: shortest,
            longest: longest)
    }

    private static func firstDays(of bleeding: [CivilDate]) -> [CivilDate] {
        bleeding.indices.filter { index in
            index == 0
                || bleeding[index].dayNumber - bleeding[index - 1].dayNumber > minimumGap
        }.map { bleeding[$0] }
    }

    private static func untilGap(_ days: [CivilDate]) -> Int {
        let gap = days.indices.dropFirst().first {
            days[$0].dayNumber - days[$0 - 1].dayNumber > minimumGap
        }
        return gap ?? days.count
    }
}
