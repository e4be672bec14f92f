import HealthEngine
import HealthStorage

/// Samples of consecutive lines as a batch, with shared sources, origins and metadata.
struct JSONLinesBatch {
    private(set) var samples = SampleBatch()
    private(set) var uuids: [SampleUUID] = []
    private var sources: [[String]: Int32] = [:]
    private var origins: [Origin: Int32] = [:]
    private var sets: [Metadata: Int32] = [:]

    /// The size of the records and documents in the batch, in bytes.
    private var textByteCount = 0

    /// The number of samples from which on a batch is written.
    static let maximumCount = 5_000
    /// The size of records and documents from which on a batch is written.
    private static let maximumTextByteCount = 16 << 20

    var isFull: Bool {
        uuids.count >= JSONLinesBatch.maximumCount
            || textByteCount >= JSONLinesBatch.maximumTextByteCount
    }

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
        origin.source =
            source.map {
                Self.place(
                    of: $0, under: [$0.name, $0.bundleIdentifier], &sources, &samples.sources)
            } ?? -1
        sample.origin = Self.place(of: origin, under: origin, &origins, &samples.origins)
        sample.metadata =
            line.metadata.isEmpty
            ? -1 : Self.place(of: line.metadata, under: line.metadata, &sets, &samples.metadata)
        if let detail = line.detail {
            samples.details[uuids.count] = detail
            textByteCount += detail.documentByteCount
        }
        samples.samples.append(sample)
        uuids.append(line.uuid)
    }

    /// Returns the place of a value in a list, to which it is appended the first time.
    private static func place<Key: Hashable, Value>(
        of value: Value, under key: Key, _ known: inout [Key: Int32], _ list: inout [Value]
    ) -> Int32 {
        if let place = known[key] { return place }
        let place = Int32(list.count)
        list.append(value)
        known[key] = place
        return place
    }
}
