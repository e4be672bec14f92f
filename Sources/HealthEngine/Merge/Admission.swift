/// A sample as merges and statistics see it: its end known, its value canonical.
///
/// An amount or a reading whose end is not known is never spread over time (Semantics §9.5):
/// it counts where it starts, as an instant does, and covers nothing. A state, such as being asleep,
/// lasts to the horizon.
struct Entry: Sendable {
    var start: Double
    var end: Double
    var value: Double
    /// When it was saved; `-infinity` where that is unknown.
    var created: Double
    /// Index of the sample in its batch; its complement where nobody knows when it ends.
    private var place: Int32
    /// Index of its source in the batch.
    var source: Int32

    init(
        start: Double, end: Double, value: Double, created: Double, sample: Int32 = 0,
        isUndetermined: Bool = false, source: Int32
    ) {
        self.start = start
        self.end = end
        self.value = value
        self.created = created
        self.place = isUndetermined ? ~sample : sample
        self.source = source
    }

    /// Index of the sample in its batch.
    var sample: Int32 { place < 0 ? ~place : place }
    /// The end as it was recorded.
    var recordedEnd: Double { place < 0 ? Sample.undeterminedEnd : end }
    var isInstant: Bool { start == end }
    var duration: Double { end - start }
}

/// Decides which samples of a batch take part in a merge or a statistic, and as what.
struct Admission {
    /// What the numbers in `Sample.value` are.
    enum Reading {
        /// Quantities, with the conversion to the canonical unit by origin index.
        case quantities([UnitConversion?])
        /// Raw values of a category.
        case categories
    }

    enum Verdict {
        case takesPart(Entry)
        /// Its source is excluded (Semantics §1.10).
        case excluded
        case unconvertible
        case malformed
        case notBegun
    }

    private struct Desk {
        var source: Int32
        var isExcluded: Bool
        var conversion: UnitConversion?
    }

    /// The rank of each source, -1 for excluded ones.
    let ranks: [Int32]
    private let desks: [Desk]
    private let isCategory: Bool
    private let horizon: Double

    init(_ batch: SampleBatch, reading: Reading, order: SourceOrder, rules: StatisticsRules) {
        self.init(
            origins: batch.origins, sources: batch.sources.count, reading: reading, order: order,
            rules: rules)
    }

    init(
        origins: [Origin], sources: Int, reading: Reading, order: SourceOrder,
        rules: StatisticsRules
    ) {
        let ranks = order.ranks(count: sources)
        desks = origins.enumerated().map { index, origin in
            let isKnown = ranks.indices.contains(Int(origin.source))
            let conversion: UnitConversion? =
                switch reading {
                case .quantities(let list): list.indices.contains(index) ? list[index] : nil
                case .categories: .identity
                }
            return Desk(
                source: origin.source, isExcluded: isKnown && ranks[Int(origin.source)] < 0,
                conversion: isKnown ? conversion : nil)
        }
        self.ranks = ranks
        switch reading {
        case .quantities: isCategory = false
        case .categories: isCategory = true
        }
        horizon = rules.horizon
    }

    /// What becomes of an origin's samples, if nothing is wrong with their numbers.
    enum OriginVerdict {
        case takesPart(source: Int32, UnitConversion)
        case excluded
        case unconvertible
    }

    func desk(_ origin: Int32) -> OriginVerdict {
        guard desks.indices.contains(Int(origin)) else { return .unconvertible }
        let desk = desks[Int(origin)]
        if desk.isExcluded { return .excluded }
        guard let conversion = desk.conversion else { return .unconvertible }
        return .takesPart(source: desk.source, conversion)
    }

    @inline(__always)
    func judge(_ sample: Sample, at index: Int) -> Verdict {
        let origin = Int(sample.origin)
        guard desks.indices.contains(origin) else { return .unconvertible }
        let desk = desks[origin]
        if desk.isExcluded { return .excluded }
        guard let conversion = desk.conversion else { return .unconvertible }
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
        return .takesPart(
            Entry(
                start: sample.start, end: end, value: value,
                created: sample.created.isNaN ? -.infinity : sample.created,
                sample: Int32(truncatingIfNeeded: index), isUndetermined: sample.isUndetermined,
                source: desk.source))
    }

    func count(_ sample: Sample, into skipped: inout SkippedSamples) {
        switch judge(sample, at: 0) {
        case .takesPart, .excluded: break
        case .unconvertible: skipped.unconvertible[sample.origin, default: 0] += 1
        case .malformed: skipped.malformed += 1
        case .notBegun: skipped.notBegun += 1
        }
    }
}

extension SampleBatch {
    /// The samples that take part, in (start, key) order whatever order the batch is in, and how
    /// many were passed over.
    func entries(_ admission: Admission) -> (entries: [Entry], skipped: SkippedSamples) {
        var entries: [Entry] = []
        entries.reserveCapacity(samples.count)
        var skipped = SkippedSamples()
        var isOrdered = true
        var last = (start: -Double.infinity, key: Int64.min)
        for index in samples.indices {
            let sample = samples[index]
            guard case .takesPart(let entry) = admission.judge(sample, at: index) else {
                admission.count(sample, into: &skipped)
                continue
            }
            entries.append(entry)
            if (sample.start, sample.key) < last { isOrdered = false }
            last = (sample.start, sample.key)
        }
        if !isOrdered {
            entries.sort { a, b in
                if a.start != b.start { return a.start < b.start }
                let (left, right) = (samples[Int(a.sample)].key, samples[Int(b.sample)].key)
                return left != right ? left < right : a.sample < b.sample
            }
        }
        return (entries, skipped)
    }
}
