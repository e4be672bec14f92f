/// A sample as merges and statistics use it, with a known end and a canonical value.
///
/// A quantity whose end is unknown is never spread over time (Semantics §9.5). It counts at its
/// start, like an instant, and covers no time. A category sample with an unknown end, such as
/// sleep, ends at ``StatisticsRules/horizon``.
struct MergeEntry: Sendable {
    /// The start, in reference seconds.
    var start: Double
    /// The end (exclusive), in reference seconds; equal to `start` for an instant.
    var end: Double
    /// The value in the canonical unit of the type, or a category's raw value.
    var value: Double
    /// When the sample was saved, in reference seconds; `-infinity` if unknown.
    var created: Double
    /// The index of the sample in its batch, or the bitwise complement of the index if the end is
    /// unknown.
    private var encodedIndex: Int32
    /// The index of its source in the batch.
    var source: Int32

    init(
        start: Double, end: Double, value: Double, created: Double, sample: Int32 = 0,
        isUndetermined: Bool = false, source: Int32
    ) {
        self.start = start
        self.end = end
        self.value = value
        self.created = created
        self.encodedIndex = isUndetermined ? ~sample : sample
        self.source = source
    }

    /// The index of the sample in its batch. Entries that a ``StatisticsSweep`` creates have 0,
    /// because statistics do not use the index.
    var sample: Int32 { encodedIndex < 0 ? ~encodedIndex : encodedIndex }
    /// The end as recorded: ``Sample/undeterminedEnd`` if it is unknown, else ``end``.
    var recordedEnd: Double { encodedIndex < 0 ? Sample.undeterminedEnd : end }
    var isInstant: Bool { start == end }
    var duration: Double { end - start }
}

/// Decides which samples of a batch are used in a merge or a statistic, and converts their values.
struct SampleEligibility {
    /// How to interpret `Sample.value`.
    enum Reading {
        /// Quantities. The array has the conversion to the canonical unit for each origin index,
        /// or nil if there is no conversion.
        case quantities([UnitConversion?])
        /// Raw values of a category.
        case categories
    }

    /// Whether a sample is used, and if not, why. ``SkippedSamples`` explains the reasons.
    enum Eligibility {
        case eligible(MergeEntry)
        /// The source is excluded (Semantics §1.10).
        case excluded
        case unconvertible
        case malformed
        case notBegun
    }

    /// What is the same for all samples of one origin, computed once for each origin.
    private struct OriginSettings {
        var source: Int32
        var isExcluded: Bool
        var conversion: UnitConversion?
    }

    /// The rank of each source, 0 being the highest priority; -1 for excluded sources.
    let ranks: [Int32]
    private let originSettings: [OriginSettings]
    private let isCategory: Bool
    private let horizon: Double

    init(_ batch: SampleBatch, reading: Reading, order: SourceOrder, rules: StatisticsRules) {
        self.init(
            origins: batch.origins, sources: batch.sources.count, reading: reading, order: order,
            rules: rules)
    }

    init(
        origins: [Origin], sources: Int, reading: Reading, order: SourceOrder,
        shownOrigins: [Bool]? = nil, rules: StatisticsRules
    ) {
        let ranks = order.ranks(count: sources)
        originSettings = origins.enumerated().map { index, origin in
            let isKnown = ranks.indices.contains(Int(origin.source))
            let isShown = shownOrigins?[index] ?? true
            let conversion: UnitConversion? =
                switch reading {
                case .quantities(let list): list.indices.contains(index) ? list[index] : nil
                case .categories: .identity
                }
            return OriginSettings(
                source: origin.source,
                isExcluded: !isShown || isKnown && ranks[Int(origin.source)] < 0,
                conversion: isKnown ? conversion : nil)
        }
        self.ranks = ranks
        switch reading {
        case .quantities: isCategory = false
        case .categories: isCategory = true
        }
        horizon = rules.horizon
    }

    /// Whether samples of one origin are used if their numbers are valid.
    enum OriginDecision {
        case eligible(source: Int32, UnitConversion)
        case excluded
        case unconvertible
    }

    /// Returns whether samples of an origin are used if their numbers are valid.
    ///
    /// - Parameter origin: The index of the origin. The result for an unknown origin, or an origin
    ///   with an unknown source, is `unconvertible`.
    func decision(forOrigin origin: Int32) -> OriginDecision {
        guard originSettings.indices.contains(Int(origin)) else { return .unconvertible }
        let settings = originSettings[Int(origin)]
        if settings.isExcluded { return .excluded }
        guard let conversion = settings.conversion else { return .unconvertible }
        return .eligible(source: settings.source, conversion)
    }

    /// Returns whether a sample is used, and if so, the sample with a converted value and a known
    /// end.
    @inline(__always)
    func evaluate(_ sample: Sample, at index: Int) -> Eligibility {
        let origin = Int(sample.origin)
        guard originSettings.indices.contains(origin) else { return .unconvertible }
        let settings = originSettings[origin]
        if settings.isExcluded { return .excluded }
        guard let conversion = settings.conversion else { return .unconvertible }
        let value = conversion(sample.value)
        guard value.isFinite, sample.start.isFinite, sample.end.isFinite, sample.start <= sample.end
        else { return .malformed }
        if isCategory && Int(exactly: value) == nil { return .malformed }
        var end = sample.end
        if sample.isUndetermined {
            if isCategory {
                end = min(end, horizon)
                if end <= sample.start { return .notBegun }
            } else {
                end = sample.start
            }
        }
        return .eligible(
            MergeEntry(
                start: sample.start, end: end, value: value,
                created: sample.created.isNaN ? -.infinity : sample.created,
                sample: Int32(truncatingIfNeeded: index), isUndetermined: sample.isUndetermined,
                source: settings.source))
    }

    /// Adds a sample that is not used to the counts in `skipped`. Samples of excluded sources are
    /// not counted.
    func count(_ sample: Sample, into skipped: inout SkippedSamples) {
        switch evaluate(sample, at: 0) {
        case .eligible, .excluded: break
        case .unconvertible: skipped.unconvertible[sample.origin, default: 0] += 1
        case .malformed: skipped.malformed += 1
        case .notBegun: skipped.notBegun += 1
        }
    }
}

extension SampleBatch {
    /// Returns the samples that are used, sorted by (start, key), and the number of skipped
    /// samples.
    ///
    /// The batch can be in any order.
    ///
    /// - Complexity: O(n) for a batch in order, else O(n log n).
    func entries(_ eligibility: SampleEligibility) -> (
        entries: [MergeEntry], skipped: SkippedSamples
    ) {
        var entries: [MergeEntry] = []
        entries.reserveCapacity(samples.count)
        var skipped = SkippedSamples()
        var isSorted = true
        var last = (start: -Double.infinity, key: Int64.min)
        for index in samples.indices {
            let sample = samples[index]
            guard case .eligible(let entry) = eligibility.evaluate(sample, at: index) else {
                eligibility.count(sample, into: &skipped)
                continue
            }
            entries.append(entry)
            if (sample.start, sample.key) < last { isSorted = false }
            last = (sample.start, sample.key)
        }
        if !isSorted {
            entries.sort { a, b in
                if a.start != b.start { return a.start < b.start }
                let (left, right) = (samples[Int(a.sample)].key, samples[Int(b.sample)].key)
                return left != right ? left < right : a.sample < b.sample
            }
        }
        return (entries, skipped)
    }
}

/// The number of samples that a merge or a statistic skipped, by reason.
///
/// Samples of excluded sources are not counted, because they are left out deliberately.
public struct SkippedSamples: Hashable, Sendable {
    /// The number of samples whose unit is unknown or incompatible with the type, by index of their
    /// origin. Samples with an unknown origin or source are included.
    public var unconvertible: [Int32: Int] = [:]
    /// The number of samples that end before they start, or whose start, end or converted value is
    /// not finite. For categories, samples whose value is not a whole number are included.
    public var malformed = 0
    /// The number of category samples of undetermined duration that start at or after
    /// ``StatisticsRules/horizon``.
    public var notBegun = 0

    /// Creates empty counts.
    package init() {}

    /// Whether every sample of an included source took part.
    public var isEmpty: Bool { unconvertible.isEmpty && malformed == 0 && notBegun == 0 }
}

extension SampleBatch {
    /// Counts the quantity samples that a merge or a statistic with the same arguments skips.
    ///
    /// - Parameters:
    ///   - first: The index of the first sample to count. Use it if earlier samples were counted
    ///     with an earlier batch.
    ///   - conversions: Conversions to the canonical unit by origin index; nil where there is none.
    ///   - order: The source order. Samples of excluded sources are not counted.
    ///   - rules: The rules of the statistic. They do not affect which quantities are skipped.
    /// - Returns: The counts by reason.
    /// - Complexity: O(n).
    package func skippedSamples(
        from first: Int = 0, conversions: [UnitConversion?], order: SourceOrder,
        rules: StatisticsRules = .init()
    ) -> SkippedSamples {
        let eligibility = SampleEligibility(
            self, reading: .quantities(conversions), order: order, rules: rules)
        var skipped = SkippedSamples()
        for sample in samples.dropFirst(first) { eligibility.count(sample, into: &skipped) }
        return skipped
    }
}

extension SkippedSamples {
    /// Adds the counts of another set of samples.
    ///
    /// - Parameter other: The counts to add. Both counts must be of different samples.
    /// - Complexity: O(origins of `other`).
    package mutating func add(_ other: SkippedSamples) {
        unconvertible.merge(other.unconvertible, uniquingKeysWith: +)
        malformed += other.malformed
        notBegun += other.notBegun
    }
}
