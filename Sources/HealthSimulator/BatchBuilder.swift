internal import HealthEngine

/// Fills a batch and shares equal origins and metadata among its samples.
struct BatchBuilder {
    private(set) var batch: SampleBatch
    private var origins: [Origin: Int32] = [:]
    private var metadata: [Metadata: Int32] = [:]
    private var nextKey: Int64

    init(sources: [Source], firstKey: Int64) {
        batch = SampleBatch(sources: sources)
        nextKey = firstKey
    }

    mutating func origin(_ origin: Origin) -> Int32 {
        if let known = origins[origin] { return known }
        let index = Int32(batch.origins.count)
        batch.origins.append(origin)
        origins[origin] = index
        return index
    }

    mutating func metadata(_ entries: Metadata) -> Int32 {
        if let known = metadata[entries] { return known }
        let index = Int32(batch.metadata.count)
        batch.metadata.append(entries)
        metadata[entries] = index
        return index
    }

    /// Adds a sample saved `delay` seconds after its end; returns its index.
    @discardableResult
    mutating func add(
        _ type: Int32, _ origin: Int32, _ range: Range<Int>, value: Double = .nan,
        metadata: Int32 = -1, delay: Int = 12, detail: SampleDetail? = nil
    ) -> Int {
        let index = batch.samples.count
        batch.samples.append(
            Sample(
                type: type, origin: origin, metadata: metadata, start: Double(range.lowerBound),
                end: Double(range.upperBound), created: Double(range.upperBound + delay),
                value: value, key: nextKey))
        nextKey += 1
        if let detail { batch.details[index] = detail }
        return index
    }

    /// Makes samples members of a correlation.
    mutating func join(_ members: [Int], to correlation: Int) {
        for member in members { batch.parents[member] = correlation }
    }
}
