#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A sample's part in one bucket.
struct BucketPart {
    /// From where to where it reaches inside the bucket; equal for an instant.
    var from: Double
    var to: Double
    /// Seconds of the bucket that it contributes, at most `to - from`.
    var seconds: Double

    /// Of a sample that keeps none of its time; an instant that counts keeps 0 seconds.
    static let nothing = BucketPart(from: 0, to: 0, seconds: -1)
    @inline(__always)
    var isNothing: Bool { seconds < 0 }

    /// Takes a later piece in; one that ends before it starts is none.
    @inline(__always)
    mutating func extend(from low: Double, to high: Double) {
        // Nobody can guess which pieces there are, so nothing is left to a branch; 0 changes no bit.
        let isPiece = high > low
        from = isPiece && seconds == 0 ? low : from
        to = isPiece ? high : to
        seconds += max(0, high - low)
    }
}

/// How the parts of a bucket become one number. Parts arrive in (start, key) order.
protocol BucketArithmetic {
    init()
    mutating func add(_ entry: Entry, _ part: BucketPart, rules: StatisticsRules)
    /// Adds the instants from `first` on, up to what is none or not before `end`. The part before was an
    /// instant, too, and no two begin together.
    ///
    /// - Returns: The index of the first sample that is not added.
    mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, rules: StatisticsRules
    ) -> Int
    /// Writes the numbers of the style; called only after at least one part.
    func write(into values: inout Statistics.Values)
    /// Writes what a bucket has that samples touch but none contributes to.
    func writeNothing(into values: inout Statistics.Values)
}

extension BucketArithmetic {
    @inline(__always)
    mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, rules: StatisticsRules
    ) -> Int {
        var index = first
        while index < run.count, run.start[index] < end, run.end[index] == run.start[index] {
            let entry = run[index]
            add(entry, BucketPart(from: entry.start, to: entry.start, seconds: 0), rules: rules)
            index += 1
        }
        return index
    }

    func writeNothing(into values: inout Statistics.Values) {}
}

/// The sum of amounts, each pro rata by time (Semantics §1.3, §2.4).
struct AmountSum: BucketArithmetic {
    private var sum = 0.0

    @inline(__always)
    mutating func add(_ entry: Entry, _ part: BucketPart, rules: StatisticsRules) {
        sum += entry.share(part.seconds)
    }

    func write(into values: inout Statistics.Values) { values.sum = sum }

    /// A tolerated gap is covered at rate 0 (Semantics §1.8).
    func writeNothing(into values: inout Statistics.Values) { values.sum = 0 }
}

/// The plain mean of readings, blind to time (Semantics §3.2), and their extremes (§3.5).
struct PlainMean: BucketArithmetic {
    private var sum = CompensatedSum()
    private(set) var count = 0.0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity

    @inline(__always)
    mutating func add(_ entry: Entry, _ part: BucketPart, rules: StatisticsRules) {
        addToSum(entry.value)
        note(entry.value)
    }

    /// Adds a reading to what the mean is made of, without counting it.
    @inline(__always)
    mutating func addToSum(_ value: Double) { sum.add(value) }

    /// Counts a reading, without adding it.
    @inline(__always)
    mutating func note(_ value: Double) {
        count += 1
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }

    func write(into values: inout Statistics.Values) {
        values.average = sum.divided(by: CompensatedSum(count))
        values.minimum = minimum
        values.maximum = maximum
    }
}

/// The mean of readings weighted by time (Semantics §3.3).
///
/// An interval weighs its seconds. Where an instant stands at either end of the gap between two
/// consecutive readings, each end weighs half the gap, at most half of
/// ``StatisticsRules/maximumGap``: the trapezoid rule. Without any weight, or with one reading, it
/// is the plain mean.
///
/// A reading enters once the gap behind it is known, so that it costs one product.
struct TimeWeightedMean: BucketArithmetic {
    private var plain = PlainMean()
    private var sums = WeightedSums()
    /// Of the reading before: its value, its weight so far, where it ends and whether it is an instant.
    private var previousValue = 0.0
    private var previousWeight = 0.0
    private var previousEnd = 0.0
    private var previousIsInstant = false
    /// Whether nothing weighed anything so far, so that the plain mean may be the answer.
    private var isWeightless = true

    @inline(__always)
    mutating func add(_ entry: Entry, _ part: BucketPart, rules: StatisticsRules) {
        let isInstant = entry.isInstant
        let isShared = plain.count > 0 && (isInstant || previousIsInstant)
        let gap = isShared ? part.from - previousEnd : 0
        add(entry.value, after: min(gap, rules.maximumGap), seconds: part.seconds)
        (previousEnd, previousIsInstant) = (part.to, isInstant)
    }

    /// The same, where every gap is one between two instants.
    mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, rules: StatisticsRules
    ) -> Int {
        var mean = self
        var index = first
        while index < run.count, run.start[index] < end, run.end[index] == run.start[index] {
            let start = run.start[index]
            mean.add(
                run.value[index], after: min(start - mean.previousEnd, rules.maximumGap),
                seconds: 0)
            mean.previousEnd = start
            index += 1
        }
        self = mean
        return index
    }

    /// Adds a reading, and half the gap before it to both of its ends; a gap below 0 is none.
    @inline(__always)
    private mutating func add(_ value: Double, after gap: Double, seconds: Double) {
        let half = max(0, gap / 2)
        sums.add(previousValue, weight: previousWeight + half)
        previousValue = value
        previousWeight = half + seconds
        isWeightless = isWeightless && previousWeight <= 0
        if isWeightless { plain.addToSum(value) }
        plain.note(value)
    }

    func write(into values: inout Statistics.Values) {
        plain.write(into: &values)
        if isWeightless { return }
        var sums = sums
        sums.add(previousValue, weight: previousWeight)
        values.average = plain.count > 1 ? sums.mean : previousValue
    }
}

/// The level of a steady sound with the same energy (Semantics §3.4).
///
/// Energies are kept relative to the loudest level met, so that no level overflows and a single
/// level comes back unchanged.
struct EquivalentLevel: BucketArithmetic {
    private var plain = PlainMean()
    private var loudest = -Double.infinity
    private var energy = 0.0
    private var seconds = 0.0
    private var unweightedEnergy = 0.0

    mutating func add(_ entry: Entry, _ part: BucketPart, rules: StatisticsRules) {
        var relative = 1.0
        if entry.value > loudest {
            let scale = plain.count > 0 ? exp10((loudest - entry.value) / 10) : 0
            energy *= scale
            unweightedEnergy *= scale
            loudest = entry.value
        } else if entry.value < loudest {
            relative = exp10((entry.value - loudest) / 10)
        }
        energy += part.seconds * relative
        seconds += part.seconds
        unweightedEnergy += relative
        plain.add(entry, part, rules: rules)
    }

    func write(into values: inout Statistics.Values) {
        plain.write(into: &values)
        // Energies below the loudest may vanish, but then a silent weight must not give -infinity.
        let mean = seconds > 0 ? energy / seconds : unweightedEnergy / plain.count
        values.average = loudest + 10 * log10(max(mean, .leastNormalMagnitude))
    }

    private func exp10(_ exponent: Double) -> Double { pow(10, exponent) }
}
