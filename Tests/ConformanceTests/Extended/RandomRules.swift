import HealthTesting
import Testing

@testable import PortableConformance

/// Rules checked on random histories, each against a short independent implementation.
@Suite struct RandomRules {
    @Test(
        "§1.3 random days equal a merge second by second",
        .covers("HKStatistics.sumQuantity()"),
        arguments: [UInt64](1...8))
    func merge(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        let fixture = try MemoryFixture()
        let order = [TestApp.watch, .phone, .ring].shuffled(using: &generator)
        var samples: [TestApp: [(start: Int, end: Int, value: Double)]] = [:]
        for app in order {
            samples[app] = (0..<Int.random(in: 1...25, using: &generator)).map { _ in
                let start = Int.random(in: 0..<20_000, using: &generator)
                let end = start + Int.random(in: 1...3000, using: &generator)
                return (start, end, Double.random(in: 1...500, using: &generator))
            }
            try await fixture.save(
                samples[app, default: []].map {
                    steps($0.value, at(0, 0, Double($0.start)), at(0, 0, Double($0.end)))
                },
                as: app)
        }
        try fixture.setSourceOrder(order, for: HKQuantityType(.stepCount))
        // Every second belongs to the first source with a sample over it.
        var hours: [Int: Double] = [:]
        for second in 0..<23_000 {
            for app in order {
                let covering = samples[app, default: []].filter {
                    $0.start <= second && second < $0.end
                }
                if covering.isEmpty { continue }
                hours[second / 3600, default: 0] += covering.reduce(0) {
                    $0 + $1.value / Double($1.end - $1.start)
                }
                break
            }
        }
        let actual = try await fixture.open(.diary).hourlySums()
        #expect(Set(actual.keys) == Set(hours.keys), "seed \(seed)")
        for (hour, sum) in hours {
            #expect(abs((actual[hour] ?? .nan) - sum) < 1e-6 * sum, "seed \(seed), hour \(hour)")
        }
    }

    @Test(
        "§6.5 mirrors updated with pages of any size equal the store after random changes",
        .inTestAll,
        .covers("HKAnchoredObjectQuery", "HKDeletedObject.uuid"), arguments: [UInt64](1...10))
    func mirrors(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        var settings = FixtureSettings()
        settings.tombstones = seed.isMultiple(of: 2) ? .includedInLimit : .excludedFromLimit
        let store = try await MemoryFixture(settings).open(.diary)
        var mirrors = [1, 3, 10, 0].map { Mirror(limit: $0) }
        var deleted: [HKSample] = []
        for step in 0..<60 {
            let stored = try await store.samples(HKQuantityType(.bodyMass))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1:
                try await store.save(
                    (0..<Int.random(in: 1...4, using: &generator)).map {
                        weight(70 + Double($0), at($0))
                    })
            case 2:
                let name = "name \(Int.random(in: 0..<3, using: &generator))"
                try await store.save(weight(80, at(step), metadata: version(step + 1, of: name)))
            case 3, 4:
                let removed = stored.shuffled(using: &generator).prefix(2)
                if !removed.isEmpty { try await store.delete(Array(removed)) }
                deleted += removed.filter { $0.metadata == nil }
            default:
                if let restored = deleted.popLast() { try await store.save(restored) }
            }
            let index = Int.random(in: mirrors.indices, using: &generator)
            try await mirrors[index].readNextPage(store)
        }
        let expected = Set(try await store.samples(HKQuantityType(.bodyMass)).map(\.uuid))
        for index in mirrors.indices {
            while try await mirrors[index].readNextPage(store) {}
            #expect(mirrors[index].uuids == expected, "seed \(seed), limit \(mirrors[index].limit)")
        }
    }

    @Test(
        "§2.9 random predicates select the same samples in the store and in memory",
        .covers("HKSampleQuery"), arguments: [UInt64](1...12))
    func predicates(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        let fixture = try MemoryFixture()
        for app in [TestApp.diary, .ring] {
            let samples = (0..<15).map { _ in
                var metadata: [String: Any] = [:]
                if Bool.random(using: &generator) {
                    metadata["laps"] = Int.random(in: 0...3, using: &generator)
                }
                if Bool.random(using: &generator) {
                    metadata[HKMetadataKeyWasUserEntered] = Bool.random(using: &generator)
                }
                return weight(
                    Double.random(in: 60...90, using: &generator),
                    at(Int.random(in: 0...10, using: &generator)), metadata: metadata)
            }
            try await fixture.save(samples, as: app)
        }
        let store = try await fixture.open(.diary)
        let type = HKQuantityType(.bodyMass)
        let all = try await store.samples(type)
        let sources = Array(try await store.sources(of: type)).sorted { $0.name < $1.name }
        for _ in 0..<25 {
            let predicate = random(depth: 3, all: all, sources: sources, &generator)
            let stored = try await store.samples(type, predicate).map(\.uuid)
            let inMemory = all.filter { predicate.evaluate(with: $0) }.map(\.uuid)
            #expect(Set(stored) == Set(inMemory), "seed \(seed): \(predicate)")
            #expect(stored.count == Set(stored).count, "seed \(seed)")
        }
    }

    @Test(
        "§6.10 queries call no handler after they were stopped at a random time",
        arguments: [UInt64](1...3))
    func stopping(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        let store = try await MemoryFixture().open(.diary)
        let lateCalls = Recorder<Int>()
        for round in 0..<60 {
            let stopped = Recorder<Bool>()
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bodyMass), predicate: nil, anchor: nil, limit: 0
            ) { _, _, _, _, _ in if stopped.count > 0 { lateCalls.record(round) } }
            query.updateHandler = { _, _, _, _, _ in
                if stopped.count > 0 { lateCalls.record(round) }
            }
            store.execute(query)
            if Bool.random(using: &generator) { try await store.save(weight(70, at(round))) }
            store.stop(query)
            // A handler may have been running when stop was called. This query ends after it.
            _ = try await store.samples(HKQuantityType(.bodyMass), limit: 1)
            stopped.record(true)
        }
        try await store.save(weight(71, at(1)))
        _ = try await store.changes(HKQuantityType(.bodyMass))
        #expect(lateCalls.entries == [], "seed \(seed)")
    }

    private func random(
        depth: Int, all: [HKSample], sources: [HKSource], _ generator: inout SeededGenerator
    ) -> NSPredicate {
        func subpredicate() -> NSPredicate {
            random(depth: depth - 1, all: all, sources: sources, &generator)
        }
        let comparison = ["==", "!=", "<", "<=", ">", ">="][
            Int.random(in: 0..<6, using: &generator)]
        let (from, to) = (
            Int.random(in: 0...10, using: &generator), Int.random(in: 0...10, using: &generator)
        )
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
        case 0:
            let options = HKQueryOptions(rawValue: UInt(Int.random(in: 0...3, using: &generator)))
            return HKQuery.predicateForSamples(withStart: at(from), end: at(to), options: options)
        case 1:
            return laps(comparison, Int.random(in: 0...3, using: &generator))
        case 2:
            return HKQuery.predicateForQuantitySamples(
                with: comparison == "<" ? .lessThanOrEqualTo : .greaterThan,
                quantity: HKQuantity(
                    unit: .pound(), doubleValue: Double.random(in: 130...200, using: &generator)))
        case 3:
            let subset = all.filter { _ in Bool.random(using: &generator) }.map(\.uuid)
            return HKQuery.predicateForObjects(with: Set(subset))
        case 4: return HKQuery.predicateForObjects(from: Set(sources.prefix(1)))
        case 5:
            return NSPredicate(
                format: "metadata.%K == YES", HKMetadataKeyWasUserEntered)
        case 6:
            return HKQuery.predicateForObjects(withMetadataKey: "laps", allowedValues: [0, 2])
        case 7:
            return NSCompoundPredicate(andPredicateWithSubpredicates: [
                subpredicate(), subpredicate(),
            ])
        case 8:
            return NSCompoundPredicate(orPredicateWithSubpredicates: [
                subpredicate(), subpredicate(),
            ])
        default: return NSCompoundPredicate(notPredicateWithSubpredicate: subpredicate())
        }
    }
}

/// A client's copy of a store, updated as articles recommend: additions first, then deletions.
private struct Mirror {
    let limit: Int
    var anchor: HKQueryAnchor?
    var uuids: Set<UUID> = []

    init(limit: Int) { self.limit = limit }

    /// Reads a page. Returns whether it contained changes.
    @discardableResult
    mutating func readNextPage(_ store: HKHealthStore) async throws -> Bool {
        let page = try await store.changes(HKQuantityType(.bodyMass), after: anchor, limit: limit)
        anchor = page.anchor
        uuids.formUnion(page.added.map(\.uuid))
        uuids.subtract(page.deleted.map(\.uuid))
        return !page.added.isEmpty || !page.deleted.isEmpty
    }
}

/// A SplitMix64 generator, so that failing runs can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
