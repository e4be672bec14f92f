import HealthEngine

/// A walk or run: the true steps in some consecutive minutes, evenly distributed within each
/// minute.
///
/// Walks are the ground truth from which devices record samples and ``GroundTruth`` counts steps.
struct Walk: Sendable {
    enum Kind: Sendable {
        /// A walk of one to four minutes in the house or office.
        case household
        case errand
        case stroll
        case run
    }

    var kind: Kind
    /// The start, in reference seconds.
    var start: Int
    /// The number of steps in each minute.
    var cadence: [Int]
    /// Whether the person carries the iPhone.
    var phone = true
    /// The minutes of a break in a run, as indices into `cadence`.
    var pause: Range<Int>?

    var end: Int { start + cadence.count * 60 }

    /// Returns the steps of the walk before a time.
    func steps(before instant: Int) -> Double {
        let elapsed = instant - start
        if elapsed <= 0 { return 0 }
        var sum = 0
        let minutes = min(elapsed / 60, cadence.count)
        for minute in 0..<minutes { sum += cadence[minute] }
        guard minutes < cadence.count else { return Double(sum) }
        return Double(sum) + Double(cadence[minutes] * (elapsed - minutes * 60)) / 60
    }

    func steps(in range: Range<Int>) -> Double {
        steps(before: range.upperBound) - steps(before: range.lowerBound)
    }
}

extension Walk {
    /// Returns the walks of a day in order of time, at least two minutes apart. Whether the iPhone
    /// is carried is decided later.
    static func day(_ hours: WakingHours, weekend: Bool, detail: Double, seed: UInt64, day: Int)
        -> [Walk]
    {
        var random = SeededGenerator(seed: seed, stream: .walks, day: day)
        let wake = hours.wake
        var walks: [Walk] = []
        func add(_ kind: Kind, _ start: Int, _ minutes: Int, _ cadence: ClosedRange<Int>) {
            let pace = random.integer(cadence)
            let jitter = kind == .household ? 12 : 5
            let minuteCadence = (0..<minutes).map { _ in
                max(8, pace + random.integer(-jitter...jitter))
            }
            walks.append(Walk(kind: kind, start: start, cadence: minuteCadence))
        }
        let lazy = random.chance(0.04)
        let awake = hours.bed - wake
        let around = Int(clamping: min(12, max(3, detail * 12)))
        for _ in 0..<(lazy ? around / 2 + 1 : around) {
            let start = wake + 300 + random.integer(0...max(1, awake - 1200))
            add(.household, start, random.integer(1...4), 45...95)
        }
        if !lazy {
            if weekend {
                add(
                    .errand, wake + random.integer(7_200...14_000), random.integer(8...22), 92...112
                )
            } else {
                add(
                    .errand, wake + random.integer(3_000...4_200), random.integer(9...16), 100...114
                )
                add(
                    .errand, wake + random.integer(18_000...20_500), random.integer(8...15),
                    92...110)
                add(
                    .errand, wake + random.integer(36_000...38_000), random.integer(9...16),
                    98...112)
            }
            if random.chance(weekend ? 0.75 : 0.45) {
                let start = wake + random.integer(weekend ? 16_000...36_000 : 39_500...45_000)
                add(.stroll, start, random.integer(18...50), 94...110)
            }
            if random.chance(0.3) {
                let start = wake + (random.chance(0.4) ? 1_200 : random.integer(30_000...34_000))
                add(.run, start, random.integer(22...48), 152...168)
                if random.chance(0.4) { walks[walks.count - 1].takeBreak(&random) }
            }
        }
        return apart(walks, within: hours)
    }

    private mutating func takeBreak(_ random: inout SeededGenerator) {
        let from = random.integer(8...(cadence.count - 6))
        let pause = from..<(from + random.integer(2...4))
        for minute in pause { cadence[minute] = 0 }
        self.pause = pause
    }

    /// Returns the walks that are at least two minutes apart, in order of start. Longer walks take
    /// precedence. Walks that begin within two minutes of waking up or end in the last minute
    /// before the bed time are left out.
    private static func apart(_ walks: [Walk], within hours: WakingHours) -> [Walk] {
        let byLength = walks.indices.sorted {
            let (a, b) = (walks[$0].cadence.count, walks[$1].cadence.count)
            return a == b ? $0 < $1 : a > b
        }
        var kept: [Walk] = []
        for index in byLength {
            let walk = walks[index]
            guard walk.start >= hours.wake + 120, walk.end <= hours.bed - 60 else { continue }
            if kept.allSatisfy({ $0.end + 120 <= walk.start || walk.end + 120 <= $0.start }) {
                kept.append(walk)
            }
        }
        return kept.sorted { $0.start < $1.start }
    }
}
