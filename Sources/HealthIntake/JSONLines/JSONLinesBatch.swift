import HealthEngine
import HealthStorage

/// Samples of consecutive lines as a batch, with shared sources, origins and metadata.
struct JSONLinesBatch {
    private(set) var samples = SampleBatch()
    private(set) var uuids: [SampleUUID] = []
    private var sources: [[String]: Int32] = [:]
    private var origins: [Origin: Int32] = [:]
    private var sets: [Metadata: Int32] = [:]

    /// The number of samples from which on a batch is written.
    static let maximumCount = 5_000

    var isFull: Bool { uuids.count >= JSONLinesBatch.maximumCount }

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - line: The sample.
    ///   - type: The store's code of its type.
    ///   - source: The source as the store finds it; nil for none.
    mutating func add(_ line: JSONLinesSample, type: Int32, source: Source?) {
        var sample = line.sample
        sample.type = type
        var origin = line.origin
        origin.source = source.map { self.place(of: $0) } ?? -1
        sample.origin = place(of: origin)
        sample.metadata = line.metadata.isEmpty ? -1 : place(of: line.metadata)
        if let detail = line.detail { samples.details[uuids.count] = detail }
        samples.samples.append(sample)
        uuids.append(line.uuid)
    }

    private mutating func place(of source: Source) -> Int32 {
        let key = [source.name, source.bundleIdentifier]
        if let known = sources[key] { return known }
        let place = Int32(samples.sources.count)
        samples.sources.append(source)
        sources[key] = place
        return place
    }

    private mutating func place(of origin: Origin) -> Int32 {
        if let known = origins[origin] { return known }
        let place = Int32(samples.origins.count)
        samples.origins.append(origin)
        origins[origin] = place
        return place
    }

    private mutating func place(of metadata: Metadata) -> Int32 {
        if let known = sets[metadata] { return known }
        let place = Int32(samples.metadata.count)
        samples.metadata.append(metadata)
        sets[metadata] = place
        return place
    }
}
