/// The statistics of a quantity type, from samples that pass by in (start, key) order.
///
/// Whether samples come one by one or in columns, and however those are cut, every bucket's numbers
/// are to the last bit those of
/// ``SampleBatch/statistics(of:over:conversions:order:rules:)`` over all of them at once. Memory is that
/// of the answer and, where sources are merged, of the samples of a few buckets.
///
/// - Complexity: O(samples), for sources merged O(samples · sources).
package struct StatisticsSweep: ~Copyable {
    private let type: Int32
    private let admission: Admission
    private var course: SweepCourse?
    private var skipped = SkippedSamples()
    /// What takes part of columns that don't wholly.
    private var scratch = SampleColumns()

    /// - Parameters:
    ///   - window: How many samples a merge holds at a time; it changes no result.
    package init(
        of type: Int32, _ aggregation: SampleType.Aggregation, over edges: [Double],
        origins: [Origin], sources: Int, conversions: [UnitConversion?], order: SourceOrder,
        rules: StatisticsRules, window: Int = 4096
    ) {
        self.type = type
        admission = Admission(
            origins: origins, sources: sources, reading: .quantities(conversions), order: order,
            rules: rules)
        guard edges.areBucketBorders else { return }
        let ground = SweepGround(
            edges: edges, sources: sources, ranks: admission.ranks, rules: rules, window: window)
        course =
            switch aggregation {
            case .cumulative: ground.merging(AmountSum.self)
            case .discreteArithmetic: ground.course(PlainMean.self)
            case .discreteTemporallyWeighted: ground.course(TimeWeightedMean.self)
            case .discreteEquivalentContinuousLevel: ground.course(EquivalentLevel.self)
            }
    }

    package mutating func add(_ sample: Sample) {
        guard case .takesPart(let entry) = admission.judge(sample, at: 0) else {
            return admission.count(sample, into: &skipped)
        }
        course?.add(entry)
    }

    /// Adds the samples of a range of columns.
    package mutating func add(_ columns: SampleColumns, _ range: Range<Int>) {
        if !columns.isPlain { return addOneByOne(columns, range) }
        let desks = columns.origins.map(admission.desk)
        var sources = [Int32](repeating: -1, count: desks.count)
        var areAsTheyStand = true
        for (place, desk) in desks.enumerated() {
            if case .takesPart(let source, let conversion) = desk {
                sources[place] = source
                areAsTheyStand = areAsTheyStand && conversion.isIdentity
            } else {
                areAsTheyStand = false
            }
        }
        if areAsTheyStand {
            return columns.withRun(range, sources: sources) { course?.addRun($0) }
        }
        guard let left = scratch.fill(from: columns, range, desks) else {
            return addOneByOne(columns, range)
        }
        for (place, count) in left.enumerated() where count > 0 {
            if case .unconvertible = desks[place] {
                skipped.unconvertible[columns.origins[place], default: 0] += count
            }
        }
        scratch.withRun(0..<scratch.count, sources: sources) { course?.addRun($0) }
    }

    private mutating func addOneByOne(_ columns: SampleColumns, _ range: Range<Int>) {
        for index in range { add(columns.sample(index, type: type)) }
    }

    /// The populated buckets, and what was passed over.
    package mutating func finish() -> (statistics: [Statistics], skipped: SkippedSamples) {
        (course?.finish() ?? [], skipped)
    }
}

/// What every way through the buckets needs.
struct SweepGround {
    let edges: [Double]
    let sources: Int
    let ranks: [Int32]
    let rules: StatisticsRules
    let window: Int

    func course<Arithmetic: BucketArithmetic>(_ arithmetic: Arithmetic.Type) -> SweepCourse {
        switch rules.discreteMerge {
        case .allSources: direct(arithmetic)
        case .bySourceOrder: merging(arithmetic)
        }
    }

    private func direct<Arithmetic: BucketArithmetic>(_: Arithmetic.Type) -> SweepCourse {
        var course = DirectCourse<Arithmetic>(self)
        return SweepCourse(
            add: { course.add($0) }, addRun: { course.add($0) }, finish: { course.finish() })
    }

    func merging<Arithmetic: BucketArithmetic>(_: Arithmetic.Type) -> SweepCourse {
        var course = MergingCourse<Arithmetic>(self)
        return SweepCourse(
            add: { course.add($0) }, addRun: { course.add($0) }, finish: { course.finish() })
    }

    func sweep<Arithmetic: BucketArithmetic>(
        _ arithmetic: Arithmetic.Type, over edges: [Double]
    ) -> BucketSweep<Arithmetic> {
        BucketSweep(edges: edges, sources: sources, rules: rules)
    }
}

/// A way of samples into buckets.
///
/// Functions and no protocol: what makes them knows the arithmetic, so it is compiled into them.
struct SweepCourse {
    let add: (Entry) -> Void
    let addRun: (EntryRun) -> Void
    let finish: () -> [Statistics]
}

/// All sources count, so every sample goes straight into its buckets.
struct DirectCourse<Arithmetic: BucketArithmetic> {
    private let edges: [Double]
    private var sweep: BucketSweep<Arithmetic>

    init(_ ground: SweepGround) {
        edges = ground.edges
        sweep = ground.sweep(Arithmetic.self, over: ground.edges)
    }

    mutating func add(_ entry: Entry) { sweep.add(entry) }
    mutating func add(_ run: EntryRun) { sweep.add(run) }
    mutating func finish() -> [Statistics] { sweep.statistics(edges) }
}

/// Sources are merged, a few buckets at a time.
///
/// A bucket depends only on the samples that touch it and, where near samples bridge the gap between
/// them, on those within the tolerance of it. A sample that reaches into later buckets is carried
/// over to them.
struct MergingCourse<Arithmetic: BucketArithmetic> {
    private let ground: SweepGround
    private var entries: [Entry] = []
    /// How many of the entries have been in an earlier window.
    private var carried = 0
    /// The first bucket that is not settled.
    private var first = 0
    private var statistics: [Statistics] = []

    init(_ ground: SweepGround) {
        self.ground = ground
        entries.reserveCapacity(ground.window + 1)
    }

    mutating func add(_ entry: Entry) {
        if entries.count - carried >= ground.window { settle(before: entry.start) }
        entries.append(entry)
    }

    mutating func add(_ run: EntryRun) {
        var index = 0
        while index < run.count {
            if entries.count - carried >= ground.window { settle(before: run.start[index]) }
            // Where nothing could be settled, one at a time.
            let end = min(run.count, index + max(1, ground.window - entries.count + carried))
            while index < end {
                entries.append(run[index])
                index += 1
            }
        }
    }

    mutating func finish() -> [Statistics] {
        if !entries.isEmpty { settle(through: ground.edges.count - 1) }
        defer { statistics = [] }
        return statistics
    }

    /// Settles the buckets that no sample from `start` on can touch.
    private mutating func settle(before start: Double) {
        let reach = ground.rules.gapTolerance
        let end = bucket(holding: start - reach)
        guard end > first else { return }
        settle(through: end)
        let border = ground.edges[end] - reach
        // An instant on the border belongs to the bucket that begins there.
        entries.removeAll { $0.end <= border && $0.start < border }
        carried = entries.count
        first = end
    }

    private mutating func settle(through end: Int) {
        let edges = Array(ground.edges[first...end])
        statistics += ground.sweep(Arithmetic.self, over: edges)
            .merging(entries, ranks: ground.ranks, edges, ground.rules)
    }

    /// The index of the last border at or before a time, or of the first unsettled one.
    private func bucket(holding time: Double) -> Int {
        var (low, high) = (first, ground.edges.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if ground.edges[middle] <= time { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
