public import HealthEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ReferenceMerge {
    /// A reading in one bucket: how many of its seconds count there, and the range from the first
    /// to the last of them.
    struct WeightedReading {
        let reading: Reading
        let from: Double
        let to: Double
        var seconds: Double
    }

    /// Returns the buckets with data and all numbers of §1–§4, including values per source.
    ///
    /// - Parameters:
    ///   - aggregation: The aggregation of the type.
    ///   - edges: The edges of the buckets in seconds since 2001, ascending.
    /// - Returns: The buckets with data.
    public func statistics(of aggregation: SampleType.Aggregation, over edges: [Double])
        -> [Statistics]
    {
        let pieces =
            aggregation == .cumulative
            ? self.pieces(cutAt: edges)
            : self.pieces(cutAt: edges, gap: 0)
        var result: [Statistics] = []
        for (from, to) in zip(edges, edges.dropFirst()) {
            let present = readings.filter { $0.touches(from, to) }
            if present.isEmpty { continue }
            let leading = pieces.filter { $0.isWithin(from, to) }
            var bySource: [Int32: Statistics.Values] = [:]
            for source in Set(present.map(\.source)) {
                let own = present.filter { $0.source == source }
                bySource[Int32(source)] =
                    aggregation == .cumulative
                    ? Self.amounts(own, from, to) : readings(own, of: aggregation, from, to)
            }
            var merged: Statistics.Values
            if aggregation == .cumulative {
                merged = Self.amounts(present, from, to)
                merged.sum = leading.reduce(0) { $0 + $1.value }
                merged.duration = Self.covered(leading.map { ($0.start, $0.end) })
                Self.setMostRecent(of: present.filter { has($0, leading) }, in: &merged)
            } else {
                merged = readings(contributing(present, leading), of: aggregation, from, to)
                merged.count = present.count
            }
            result.append(Statistics(start: from, end: to, merged: merged, bySource: bySource))
        }
        return result
    }

    /// Returns one source's own amounts, or values that don't depend on the merge.
    private static func amounts(_ present: [Reading], _ from: Double, _ to: Double)
        -> Statistics.Values
    {
        var values = Statistics.Values(count: present.count)
        values.sum = present.reduce(0) { sum, reading in
            let share =
                reading.isInstant ? 1 : reading.overlap(from, to) / reading.duration
            return sum + reading.value * share
        }
        values.duration = covered(present.map { (max($0.start, from), min($0.end, to)) })
        setMostRecent(of: present, in: &values)
        return values
    }

    private func has(_ reading: Reading, _ leading: [CountedInterval]) -> Bool {
        leading.contains { $0.sample == reading.index }
    }

    /// Returns the readings that contribute under the discrete merge rule (§3.6).
    private func contributing(_ present: [Reading], _ leading: [CountedInterval]) -> [Reading] {
        switch rules.discreteMerge {
        case .allSources: present
        case .bySourceOrder:
            present.filter { has($0, leading) }
        }
    }

    /// Returns the parts of a reading in a bucket, without those that higher-priority sources
    /// cover, if that counts.
    private func seconds(_ reading: Reading, among present: [Reading], _ from: Double, _ to: Double)
        -> [(start: Double, end: Double)]
    {
        let clipped = (start: max(reading.start, from), end: min(reading.end, to))
        if reading.isInstant { return [(reading.start, reading.start)] }
        if rules.discreteMerge == .allSources { return [clipped] }
        let cuts = Self.cuts(present, and: [from, to]).filter { from <= $0 && $0 <= to }
        return zip(cuts, cuts.dropFirst()).filter { a, b in
            reading.covers(a, b)
                && !present.contains { $0.rank < reading.rank && !$0.isInstant && $0.covers(a, b) }
        }.map { (start: $0.0, end: $0.1) }
    }

    /// Returns the average, extremes and other values of a bucket's readings (§3.2–§3.5, §3.7).
    private func readings(
        _ present: [Reading], of aggregation: SampleType.Aggregation, _ from: Double, _ to: Double
    ) -> Statistics.Values {
        var values = Statistics.Values(count: present.count)
        if present.isEmpty { return values }
        let mergedIntervals = present.map { seconds($0, among: present, from, to) }
        var weighted = zip(present, mergedIntervals).map { reading, mergedIntervals in
            WeightedReading(
                reading: reading, from: mergedIntervals.map(\.start).min() ?? reading.start,
                to: mergedIntervals.map(\.end).max() ?? reading.end,
                seconds: mergedIntervals.reduce(0) { $0 + $1.end - $1.start })
        }
        values.minimum = present.map(\.value).min()
        values.maximum = present.map(\.value).max()
        values.duration = Self.covered(mergedIntervals.flatMap { $0 })
        Self.setMostRecent(of: present, in: &values)
        switch aggregation {
        case .cumulative: break
        case .discreteArithmetic:
            values.average = Self.mean(weighted.map { ($0.reading.value, 1) })
        case .discreteTemporallyWeighted:
            shareGaps(&weighted)
            values.average = Self.mean(weighted.map { ($0.reading.value, $0.seconds) })
        case .discreteEquivalentContinuousLevel:
            let energy = Self.mean(weighted.map { (pow(10, $0.reading.value / 10), $0.seconds) })
            values.average = 10 * log10(energy)
        }
        return values
    }

    /// Adds half of each gap beside an instant to both ends, up to half of the longest gap (§3.3).
    private func shareGaps(_ weighted: inout [WeightedReading]) {
        weighted.sort {
            let (a, b) = ($0.reading, $1.reading)
            return (a.start, a.sample.key) < (b.start, b.sample.key)
        }
        for next in weighted.indices.dropFirst() {
            let (a, b) = (weighted[next - 1], weighted[next])
            if !a.reading.isInstant && !b.reading.isInstant { continue }
            let gap = min(max(0, b.from - a.to), rules.maximumGap)
            weighted[next - 1].seconds += gap / 2
            weighted[next].seconds += gap / 2
        }
    }

    private static func mean(_ terms: [(value: Double, weight: Double)]) -> Double {
        let total = terms.reduce(0) { $0 + $1.weight }
        if total == 0 { return terms.reduce(0) { $0 + $1.value } / Double(terms.count) }
        return terms.reduce(0) { $0 + $1.value * $1.weight } / total
    }

    /// Sets the most recent value: latest start, latest end, last saved, largest key (§3.5, §9.9).
    private static func setMostRecent(of present: [Reading], in values: inout Statistics.Values) {
        func instants(_ reading: Reading) -> (Double, Double, Double) {
            let created = reading.sample.created
            return (reading.start, reading.end, created.isNaN ? -.infinity : created)
        }
        let sorted = present.sorted { a, b in
            instants(a) == instants(b)
                ? a.sample.key < b.sample.key : instants(a) < instants(b)
        }
        values.mostRecent = sorted.last?.value
        values.mostRecentStart = sorted.last?.start
        values.mostRecentEnd = sorted.last?.sample.end
    }
}
