import HealthEngine
import HealthTesting
import Synchronization

@testable import HealthStorage

/// A store that is identical for the same seed on every machine: three types and sources over six
/// weeks, with overlaps, instants, units, replaced and deleted samples, orders and exclusions.
///
/// Random choices use only the generator's bits, because the standard library's algorithms may
/// change.
struct RandomStore {
    static let day = 86_400.0
    private static let cumulative: [SampleType] = [.steps, .energy]
    private static let discrete: [SampleType] = [.heartRate, .bodyMass, .sound]
    private static let sources = ["watch", "phone", "app"]

    let store: SampleStore
    /// One type with sums, one with averages, and one category.
    let types: [SampleType]
    private let seed: Int
    private var random: SeededRandom
    private var savedUUIDs: [String: [SampleUUID]] = [:]

    init(seed: Int) throws {
        self.seed = seed
        store = try SampleStore.inMemory()
        random = SeededRandom(seed: UInt64(seed))
        types = [RandomStore.cumulative[seed % 2], RandomStore.discrete[seed % 3], .sleep]
        for round in 0..<6 { try save(to: RandomStore.sources[round % 3], round) }
        for _ in 0..<4 {
            let source = RandomStore.sources[draw(3)]
            guard let uuids = savedUUIDs[source], !uuids.isEmpty else { continue }
            let uuid = uuids[draw(uuids.count)]
            savedUUIDs[source]?.removeAll { $0 == uuid }
            do {
                try store.delete([uuid], by: SavedBatch.identifier(source))
            } catch let error as StoreError where error.code == .unknownSample {
                // A later version has replaced the sample.
            }
        }
        for type in types {
            if draw(4) == 0 {
                let source = SavedBatch.identifier(RandomStore.sources[draw(3)])
                try store.set(.excluded, of: source, in: type)
            }
        }
        try clearCache()
    }

    /// Packs the rows into column segments of a few samples.
    mutating func pack() throws {
        let sizes = SegmentWriter.Sizes(full: 2 + draw(12), minimum: 1 + draw(3), round: .max)
        try store.write { db in try SegmentWriter.fill(db, sizes) }
        try clearCache()
    }

    /// Clears the cached results, so that samples are read.
    func clearCache() throws { store.statisticsCache.withLock { $0 = StatisticsCache() } }

    private mutating func draw(_ count: Int) -> Int {
        Int(truncatingIfNeeded: random.next() >> 33) % count
    }

    private mutating func save(to source: String, _ round: Int) throws {
        var saved = SavedBatch(source)
        for number in 0..<25 {
            let uuid = SampleUUID(number: 1 + round * 100 + number)
            let type = types[draw(3)]
            let start = moment()
            let end = start + length()
            saved.add(
                type, start, draw(40) == 0 ? Sample.undeterminedEnd : end, value(type),
                unit: unit(of: type), uuid: uuid,
                metadata: number % 9 == 8 ? SavedBatch.sync("\(draw(3))", Double(round)) : [:],
                detail: seed % 5 == 4 && end > start + 4 ? series(type, start, end) : nil,
                created: draw(5) == 0 ? Double(draw(4)) : .nan)
            savedUUIDs[source, default: []].append(uuid)
        }
        try store.save(saved)
    }

    /// Returns a random time in the morning of some days. Sources overlap, with equal and
    /// fractional times.
    private mutating func moment() -> Double {
        let day = Double([0, 1, 2, 6, 13, 31, 40][draw(7)]) * RandomStore.day
        let minute = day + Double(draw(240)) * 60
        return draw(4) == 0 ? minute + Double(draw(60_000)) / 1000 : minute
    }

    private mutating func length() -> Double {
        switch draw(12) {
        case 0...4: 0
        case 5...8: Double(1 + draw(90)) * 60
        case 9: Double(1 + draw(10_000)) / 7
        case 10: 0.1
        default: Double(draw(4)) * RandomStore.day
        }
    }

    private mutating func value(_ type: SampleType) -> Double {
        if type.kind == .category { return Double(draw(6)) }
        return draw(3) == 0 ? Double(1 + draw(1_000_000)) / 7919 : Double(1 + draw(120))
    }

    private mutating func unit(of type: SampleType) -> String? {
        if draw(30) == 0 { return "furlong" }
        switch type {
        case .bodyMass: return ["kg", "lb", "st"][draw(3)]
        case .energy: return ["kcal", "kJ"][draw(2)]
        default: return type.displayUnit
        }
    }

    private func series(_ type: SampleType, _ start: Double, _ end: Double) -> SampleDetail? {
        guard type.kind == .quantity else { return nil }
        let step = (end - start) / 4
        return .series(
            (0..<4).map { part in
                let from = start + Double(part) * step
                return SeriesQuantity(start: from, end: from + step, value: Double(part + 1) / 3)
            })
    }
}
