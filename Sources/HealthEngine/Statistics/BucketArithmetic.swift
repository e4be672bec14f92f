#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The part of a sample in one bucket.
struct BucketPart {
    /// The start of the part inside the bucket, in reference seconds.
    var from: Double
    /// The end of the part inside the bucket; equal to `from` for an instant.
    var to: Double
    /// The contributing time in seconds, at most `to - from`; negative for ``nothing``.
    var seconds: Double

    /// The part of a sample of which nothing counts. It has -1 seconds, because an instant that
    /// counts has 0.
    static let nothing = BucketPart(from: 0, to: 0, seconds: -1)
    @inline(__always)
    var isNothing: Bool { seconds < 0 }

    /// Extends the part by a later piece of the sample. A piece that does not end after its start
    /// is ignored.
    @inline(__always)
    mutating func extend(from low: Double, to high: Double) {
        // Without branches, because processors cannot predict them here. Adding 0 does not change
        // the sum.
        let isPiece = high > low
        from = isPiece && seconds == 0 ? low : from
        to = isPiece ? high : to
        seconds += max(0, high - low)
    }
}

/// A calculation over the parts of samples in one bucket. Parts are added in (start, key) order.
protocol BucketArithmetic {
    init()
    mutating func add(_ entry: MergeEntry, _ part: BucketPart, rules: StatisticsRules)
    /// Adds the instants from `first` up to the first sample that is not an instant or not before
    /// `end`. The part added before must be an instant, and no two samples may have the same start.
    ///
    /// - Returns: The index of the first sample that is not added.
    mutating func addInstants(
        _ run: EntryRun, from first: Int, before end: Double, rules: StatisticsRules
    ) -> Int
    /// Writes the results. Called only after at least one part was added.
    func write(into values: inout Statistics.Values)
    /// Writes the results of a bucket that samples touch although no part of them counts. By
    /// default, all values stay nil; a sum becomes 0.
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

/// A sum of amounts, each in proportion to time (Semantics §1.3, §2.4).
struct ProRataSum: BucketArithmetic {
    private var sum = 0.0

    @inline(__always)
    mutating func add(_ entry: MergeEntry, _ part: BucketPart, rules: StatisticsRules) {
        sum += entry.share(part.seconds)
    }

    /// Adds the part of an amount that counts; 0 for an amount of which nothing counts, which does
    /// not change the sum.
    @inline(__always)
    mutating func add(_ amount: Double) { sum += amount }

    func write(into values: inout Statistics.Values) { values.sum = sum }

    /// Writes a sum of 0. All samples of the bucket are then in tolerated gaps between samples of
    /// higher-priority sources, and nothing is counted in such gaps (Semantics §1.8).
    func writeNothing(into values: inout Statistics.Values) { values.sum = 0 }
}

/// The unweighted mean of readings (Semantics §3.2), with minimum and maximum (§3.5).
struct ArithmeticMean: BucketArithmetic {
    private var sum = CompensatedSum()
    private(set) var count = 0.0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity

    @inline(__always)
    mutating func add(_ entry: MergeEntry, _ part: BucketPart, rules: StatisticsRules) {
        addToSum(entry.value)
        note(entry.value)
    }

    /// Adds a reading to the sum without counting it.
    @inline(__always)
    mutating func addToSum(_ value: Double) { sum.add(value) }

    /// Counts a reading and updates the minimum and maximum, without adding to the sum.
    @inline(__always)
    mutating func note(_ value: Double) {
        count += 1
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }

    /// Counts readings, of which the least and the greatest are given, without adding to the sum.
    mutating func note(_ readings: Int, from least: Double, to greatest: Double) {
        count += Double(readings)
        minimum = min(minimum, least)
        maximum = max(maximum, greatest)
    }

    func write(into values: inout Statistics.Values) {
        values.average = sum.divided(by: CompensatedSum(count))
        values.minimum = minimum
        values.maximum = maximum
    }
}

/// The equivalent continuous sound level (Semantics §3.4).
///
/// The mean of the sound energies, weighted by time, as a level. If all samples are instants, it is
/// the unweighted mean. Energies are relative to that of the highest level so far, so that none
/// overflows and a single level is returned unchanged.
struct EquivalentLevel: BucketArithmetic {
    private var plain = ArithmeticMean()
    private var loudest = -Double.infinity
    private var energy = 0.0
    private var seconds = 0.0
    private var unweightedEnergy = 0.0

    mutating func add(_ entry: MergeEntry, _ part: BucketPart, rules: StatisticsRules) {
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
        // Energies far below the highest level can underflow to a mean of 0, whose logarithm is
        // -infinity. So the mean is at least the smallest normal double.
        let mean = seconds > 0 ? energy / seconds : unweightedEnergy / plain.count
        values.average = loudest + 10 * log10(max(mean, .leastNormalMagnitude))
    }

    private func exp10(_ exponent: Double) -> Double { pow(10, exponent) }
}
