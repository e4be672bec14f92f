public import HealthEngine
import HealthTesting

@testable import HealthStorage

/// Samples added one by one, as a program would save them.
struct SavedBatch {
    var batch = SampleBatch()
    var uuids: [SampleUUID] = []
    /// The source: `com.example.` followed by this.
    var source: String

    init(_ source: String = "walks") { self.source = source }

    static func identifier(_ source: String) -> String { "com.example.\(source)" }

    /// Adds a sample and returns its index.
    @discardableResult
    mutating func add(
        _ type: SampleType, _ start: Double, _ end: Double? = nil, _ value: Double = .nan,
        unit: String? = nil, uuid: SampleUUID, metadata: Metadata = [:],
        detail: SampleDetail? = nil, parent: Int? = nil, created: Double = .nan
    ) -> Int {
        let name = Source(name: source, bundleIdentifier: SavedBatch.identifier(source))
        if !batch.sources.contains(name) { batch.sources.append(name) }
        let origin = Origin(
            source: Int32(batch.sources.firstIndex(of: name) ?? 0), version: "1",
            unit: type.kind == .quantity ? unit ?? type.canonicalUnit : nil)
        if !batch.origins.contains(origin) { batch.origins.append(origin) }
        var set: Int32 = -1
        if !metadata.isEmpty {
            set = Int32(batch.metadata.count)
            batch.metadata.append(metadata)
        }
        let index = batch.samples.count
        batch.samples.append(
            Sample(
                type: type.code, origin: Int32(batch.origins.firstIndex(of: origin) ?? 0),
                metadata: set, start: start, end: end ?? start, created: created, value: value))
        uuids.append(uuid)
        batch.details[index] = detail
        if let parent { batch.parents[index] = parent }
        return index
    }

    static func sync(_ identifier: String, _ version: Double) -> Metadata {
        [
            "HKMetadataKeySyncIdentifier": .string(identifier),
            "HKMetadataKeySyncVersion": .number(version),
        ]
    }
}

extension SampleUUID: ExpressibleByIntegerLiteral {
    /// Creates a UUID from a number in a test.
    public init(integerLiteral value: UInt64) {
        self.init(high: 0x1111_2222_3333_4444, low: 0xA000_0000_0000_0000 | value)
    }

    init(number: Int) { self.init(integerLiteral: UInt64(number)) }
}

extension SampleStore {
    /// Saves a batch at a fixed time.
    @discardableResult
    func save(_ saved: SavedBatch, associatedWith parent: SampleUUID? = nil) throws -> SaveOutcome {
        try save(saved.batch, uuids: saved.uuids, associatedWith: parent, at: 1000)
    }

    /// Saves one sample.
    @discardableResult
    func save(
        _ uuid: SampleUUID, _ type: SampleType, _ start: Double, _ end: Double? = nil,
        _ value: Double = 1, source: String = "walks", metadata: Metadata = [:],
        detail: SampleDetail? = nil
    ) throws -> SaveOutcome {
        var saved = SavedBatch(source)
        saved.add(type, start, end, value, uuid: uuid, metadata: metadata, detail: detail)
        return try save(saved)
    }

    /// Returns the UUIDs of all samples of a type, in query order.
    func uuids(
        _ type: SampleType, _ filter: SampleFilter = .everything,
        visibility: Visibility = .everything
    ) throws -> [SampleUUID] {
        let samples = try objects([SampleRequest(type, filter)], visibility: visibility)
        return Array(samples.uuids.prefix(samples.count))
    }

    func changes(
        _ type: SampleType, after: Int64, visibility: Visibility = .everything
    ) throws -> (added: [SampleUUID], deleted: [SampleUUID], sequence: Int64) {
        let changes = try changes([SampleRequest(type)], after: after, visibility: visibility)
        return (
            Array(changes.samples.uuids.prefix(changes.samples.count)),
            changes.deleted.map(\.uuid), changes.sequence
        )
    }
}

extension SampleType {
    static let pressure = named("bloodPressure")
    static let systolic = named("bloodPressureSystolic")
    static let diastolic = named("bloodPressureDiastolic")
    static let workout = named("workout")
    static let route = named("workoutRoute")
    static let energy = named("activeEnergyBurned")
}
