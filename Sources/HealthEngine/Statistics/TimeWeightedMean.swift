/// The time-weighted mean of readings (Semantics §3.3).
///
/// The weight of a reading is its duration. If one or both of two consecutive readings are
/// instants, half of the gap between them is added to the weight of each, but at most half of
/// ``StatisticsRules/maximumGap`` (the trapezoid rule). With one reading, or if all weights are 0,
/// the result is the unweighted mean.
///
/// A reading is added to the sum when the gap that follows it is known, so that it needs only one
/// multiplication.
struct TimeWeightedMean: BucketArithmetic {
    private var plain = ArithmeticMean()
    private var sums = WeightedSums()
    /// The previous reading: its value, its weight so far, its end and whether it is an instant.
    private var previousValue = 0.0
    private var previousWeight = 0.0
    private var previousEnd = 0.0
    private var previousIsInstant = false
    /// Whether all weights so far are 0. If this remains so, the result is the unweighted mean.
    private var isWeightless = true

    @inline(__always)
    mutating func add(_ entry: MergeEntry, _ part: BucketPart, rules: StatisticsRules) {
        let isInstant = entry.isInstant
        let isShared = plain.count > 0 && (isInstant || previousIsInstant)
        let gap = isShared ? part.from - previousEnd : 0
        add(entry.value, after: min(gap, rules.maximumGap), seconds: part.seconds)
        (previousEnd, previousIsInstant) = (part.to, isInstant)
    }

    /// Adds instants. Every gap is between two instants here.
    mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, rules: StatisticsRules
    ) -> Int {
        let last = run.endOfInstants(from: first, before: end)
        var mean = self
        var index = first
        while index < last {
            let start = run.start[index]
            mean.add(
                run.value[index], after: min(start - mean.previousEnd, rules.maximumGap),
                seconds: 0)
            mean.previousEnd = start
            index += 1
            if !mean.isWeightless, last - index >= InstantSums.minimumCount,
                mean.addExactly(run, index..<last, rules)
            {
                index = last
            }
        }
        self = mean
        return last
    }

    /// Adds instants at once if no sum is rounded: the result does then not depend on the order of
    /// additions. The reading added before must be an instant, and one of them must have a weight.
    ///
    /// - Returns: Whether the instants were added.
    private mutating func addExactly(
        _ run: EntryRun, _ range: Range<Int>, _ rules: StatisticsRules
    ) -> Bool {
        guard rules.maximumGap > 0 else { return false }
        let found = InstantSums(run, range, maximumGap: rules.maximumGap)
        let (lastValue, lastWeight) = (run.value[range.upperBound - 1], found.lastHalf)
        // The weight of the last reading is added when the gap that follows it is known.
        guard found.isExact, ExactSums.isMultiple(previousWeight),
            sums.addExactly(
                found.products + previousValue * previousWeight - lastValue * lastWeight,
                weight: 2 * found.halves + previousWeight - lastWeight,
                largest: max(abs(previousValue), abs(found.minimum), abs(found.maximum)))
        else { return false }
        plain.note(range.count, from: found.minimum, to: found.maximum)
        (previousValue, previousWeight) = (lastValue, lastWeight)
        previousEnd = run.start[range.upperBound - 1]
        return true
    }

    /// Adds a reading, and half of the gap before it to its own weight and to that of the previous
    /// reading. A negative gap counts as 0.
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

/// Sums over instants that follow another instant, computed in pairs. They are only meaningful if
/// ``isExact`` is true.
private struct InstantSums {
    /// The number of instants from which this is faster than adding them one by one.
    static let minimumCount = 12

    /// The sum, over the instants, of half of the gap before each, times its value plus the
    /// previous value.
    private(set) var products = 0.0
    /// The sum of the halves.
    private(set) var halves = 0.0
    /// Half of the gap before the last instant.
    let lastHalf: Double
    private(set) var minimum: Double
    private(set) var maximum: Double
    /// Whether all values and halves are multiples of ``ExactSums/unit``, without negative zeros.
    let isExact: Bool

    init(_ run: EntryRun, _ range: Range<Int>, maximumGap: Double) {
        let limit = SIMD2(repeating: maximumGap)
        var (products, halves) = (SIMD2(0.0, 0.0), SIMD2(0.0, 0.0))
        var rest = ExactSums.rest(SIMD2(repeating: run.value[range.lowerBound - 1]))
        var least = SIMD2(repeating: run.value[range.lowerBound])
        var most = least
        var half = least
        func add(_ gap: SIMD2<Double>, _ value: SIMD2<Double>, _ previous: SIMD2<Double>) {
            half = gap.choosing(limit, where: limit .< gap) * 0.5
            products += half * (value + previous)
            halves += half
            rest |= ExactSums.rest(half) | ExactSums.rest(value)
            least = least.choosing(value, where: value .< least)
            most = most.choosing(value, where: value .> most)
        }
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            add(
                run.start.pair(index) - run.start.pair(index - 1), run.value.pair(index),
                run.value.pair(index - 1))
            index += 2
        }
        if index < range.upperBound {
            // As the second item, an instant without a gap.
            let value = run.value[index]
            add(
                SIMD2(run.start[index] - run.start[index - 1], 0), SIMD2(repeating: value),
                SIMD2(repeating: run.value[index - 1]))
            half.y = half.x
        }
        self.products = products.x + products.y
        self.halves = halves.x + halves.y
        lastHalf = half.y
        minimum = min(least.x, least.y)
        maximum = max(most.x, most.y)
        isExact = rest == .zero
    }
}

extension EntryRun {
    /// Returns the index of the first sample from `first` on that is not an instant or not before
    /// `end`; the number of samples if there is none.
    @inline(__always)
    fileprivate func endOfInstants(from first: Int, before end: Double) -> Int {
        var index = first
        while index < count, start[index] < end, self.end[index] == start[index] { index &+= 1 }
        return index
    }
}
