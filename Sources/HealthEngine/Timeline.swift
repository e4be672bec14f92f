/// Who won each stretch of time, for the samples of one type.
///
/// At every moment only the highest-ranked source with a covering sample counts; samples of lower
/// sources keep, pro rata, the time that no higher source covers; samples of one source all count,
/// also where they overlap (Semantics §1.3, §1.4). With a Watch ranked over a phone,
/// 100 steps of the Watch from 10:00 to 10:10 and 100 of the phone from 10:05 to 10:15 become:
///
/// ```
/// [10:00, 10:10) Watch 100
/// [10:10, 10:15) phone  50
/// ```
public struct Timeline: Sendable {
    /// A sample's unbroken stretch of time that counts; an instant's has `start == end`.
    public struct Stretch: Hashable, Sendable {
        /// Half-open, in reference seconds.
        public var start: Double
        public var end: Double
        /// Index into the batch's sources.
        public var source: Int32
        /// Index into the batch's samples.
        public var sample: Int
        /// What the stretch contributes, by ``Timeline/values``.
        public var value: Double

        public init(start: Double, end: Double, source: Int32, sample: Int, value: Double) {
            self.start = start
            self.end = end
            self.source = source
            self.sample = sample
            self.value = value
        }
    }

    /// What a stretch says of its sample's value.
    public enum Values: Hashable, Sendable {
        /// Its share by time of an amount, in the canonical unit: steps, energy.
        case amounts
        /// The value unchanged, since it is not divisible: a heart rate, a category's raw value.
        case readings
    }

    /// In order of start, then rank, then sample. Stretches of different sources never overlap.
    public let stretches: [Stretch]
    public let values: Values
    /// What took no part.
    public let skipped: SkippedSamples
    /// The rank of each source of the batch, 0 winning; -1 for an excluded one.
    public let ranks: [Int32]
    let merge: SourceMerge

    /// Settles the samples of a quantity type.
    ///
    /// A batch in (start, key) order is taken as it is, any other is put in order first. Samples
    /// without a conversion or with nonsensical times are passed over and counted in ``skipped``.
    ///
    /// - Parameters:
    ///   - batch: Samples of one type.
    ///   - conversions: To the canonical unit, by origin index; nil where there is none.
    ///   - order: Which source wins. Excluded sources take no part (Semantics §1.10).
    ///   - rules: `gapTolerance` and `horizon` count here.
    ///   - values: Whether values are divided by time.
    /// - Complexity: O(n log n + n · sources + stretches).
    public init(
        _ batch: SampleBatch, conversions: [UnitConversion?], order: SourceOrder,
        rules: StatisticsRules = .init(), values: Values = .amounts
    ) {
        self.init(
            batch, reading: .quantities(conversions), order: order, rules: rules, values: values)
    }

    /// Settles the samples of a category type; stretches hold the raw value.
    ///
    /// - Complexity: O(n log n + n · sources + stretches).
    public init(
        categories batch: SampleBatch, order: SourceOrder, rules: StatisticsRules = .init()
    ) {
        self.init(batch, reading: .categories, order: order, rules: rules, values: .readings)
    }

    private init(
        _ batch: SampleBatch, reading: Admission.Reading, order: SourceOrder,
        rules: StatisticsRules, values: Values
    ) {
        let admission = Admission(batch, reading: reading, order: order, rules: rules)
        let (entries, skipped) = batch.entries(admission)
        merge = SourceMerge(entries, ranks: admission.ranks, gapTolerance: rules.gapTolerance)
        ranks = admission.ranks
        self.skipped = skipped
        self.values = values
        stretches = merge.stretches(values, ranks: admission.ranks)
    }
}

extension SourceMerge {
    /// The kept pieces of all samples in order of start, then rank, then sample.
    func stretches(_ values: Timeline.Values, ranks: [Int32]) -> [Timeline.Stretch] {
        var stretches: [Timeline.Stretch] = []
        stretches.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            var stretch = Timeline.Stretch(
                start: entry.start, end: entry.end, source: entry.source,
                sample: Int(entry.sample), value: entry.value)
            if won[index].isEverything {
                stretches.append(stretch)
                continue
            }
            for piece in pieces[won[index].range] {
                (stretch.start, stretch.end) = (piece.start, piece.end)
                if values == .amounts { stretch.value = entry.share(piece.end - piece.start) }
                stretches.append(stretch)
            }
        }
        stretches.sort { a, b in
            if a.start != b.start { return a.start < b.start }
            let (left, right) = (ranks[Int(a.source)], ranks[Int(b.source)])
            return left != right ? left < right : a.sample < b.sample
        }
        return stretches
    }
}

extension Entry {
    /// The part of the amount that belongs to `seconds` of the whole duration; all of it, to the
    /// bit, for the whole.
    @inline(__always)
    func share(_ seconds: Double) -> Double {
        seconds == duration ? value : value * seconds / duration
    }
}
