import Testing

@testable import PortableConformance

/// §6: anchors, pages, tombstones and delivery, where Apple documents nothing.
@Suite struct ChangeRules {
    private let mass = HKQuantityType(.bodyMass)

    @Test("§6.2 changes are returned in the order of saving")
    func sequenceOrder() async throws {
        let store = try await MemoryFixture().open(.diary)
        let hours = [5, 1, 9, 3]
        for hour in hours { try await store.save(weight(60 + Double(hour), at(hour))) }
        #expect(try await store.changes(mass).added.map(\.startDate) == hours.map { at($0) })
    }

    @Test(
        "§6.3 the predicate filters deletions by date, source and UUID",
        .covers(
            "HKAnchoredObjectQuery",
            "HKAnchoredObjectQuery.init(queryDescriptors:anchor:limit:resultsHandler:)"))
    func deletionsByPredicate() async throws {
        let fixture = try MemoryFixture()
        let (early, late, other) = (weight(70, at(1)), weight(71, at(12)), weight(72, at(2)))
        let store = try await fixture.open(.diary)
        let ring = try await fixture.open(.ring)
        try await store.save([early, late])
        try await ring.save(other)
        let source = try #require(try await TestApp.ring.source(in: fixture, of: mass))
        try await store.delete([early, late])
        try await ring.delete(other)
        func deleted(_ predicate: NSPredicate) async throws -> Set<UUID> {
            Set(try await store.changes(mass, predicate).deleted.map(\.uuid))
        }
        let morning = HKQuery.predicateForSamples(withStart: at(0), end: at(6))
        #expect(try await deleted(morning) == [early.uuid, other.uuid])
        #expect(try await deleted(HKQuery.predicateForObjects(from: source)) == [other.uuid])
        #expect(try await deleted(HKQuery.predicateForObject(with: late.uuid)) == [late.uuid])
    }

    @Test("§6.4 deletions do not count toward the limit; an anchor is returned without changes")
    func deletionsExcludedFromLimit() async throws {
        let store = try await MemoryFixture().open(.diary)
        let removed = (0..<20).map { weight(70, at($0)) }
        try await store.save(removed)
        try await store.delete(removed)
        try await store.save((0..<3).map { weight(80, at($0)) })
        let page = try await store.changes(mass, limit: 2)
        #expect(page.added.count == 2)
        #expect(page.deleted.count == 20)
        let remaining = try await store.changes(mass, after: page.anchor, limit: 2)
        #expect(remaining.added.count == 1)
        let empty = try await store.changes(mass, after: remaining.anchor, limit: 2)
        #expect(empty.added.isEmpty && empty.deleted.isEmpty)
    }

    @Test("§6.4 with a limit, one page has at most a thousand deletions")
    func thousandDeletions() async throws {
        let store = try await MemoryFixture().open(.diary)
        let removed = (0..<1500).map { weight(70, at(0, 0, Double($0))) }
        try await store.save(removed)
        try await store.delete(removed)
        var actual: [UUID] = []
        var anchor: HKQueryAnchor?
        for _ in 0..<5 {
            let page = try await store.changes(mass, after: anchor, limit: 10)
            #expect(page.deleted.count <= 1000)
            actual += page.deleted.map(\.uuid)
            anchor = page.anchor
        }
        #expect(actual.count == 1500)
        #expect(Set(actual) == Set(removed.map(\.uuid)))
    }

    @Test("§6.4 if deletions count toward the limit, pages still return all changes")
    func deletionsIncludedInLimit() async throws {
        var settings = FixtureSettings()
        settings.tombstones = .includedInLimit
        let store = try await MemoryFixture(settings).open(.diary)
        let all = (0..<9).map { weight(70, at($0)) }
        try await store.save(all)
        try await store.delete(Array(all[..<4]))
        var (added, deleted): (Set<UUID>, Set<UUID>) = ([], [])
        var anchor: HKQueryAnchor?
        while true {
            let page = try await store.changes(mass, after: anchor, limit: 2)
            #expect(page.added.count + page.deleted.count <= 2)
            if page.added.isEmpty && page.deleted.isEmpty { break }
            added.formUnion(page.added.map(\.uuid))
            deleted.formUnion(page.deleted.map(\.uuid))
            anchor = page.anchor
        }
        #expect(added == Set(all[4...].map(\.uuid)))
        #expect(deleted == Set(all[..<4].map(\.uuid)))
    }

    @Test("§6.5 a UUID that is saved again is no longer reported as deleted")
    func savedAgain() async throws {
        let store = try await MemoryFixture().open(.diary)
        let sample = weight(70, at(1))
        try await store.save(sample)
        let anchor = try await store.changes(mass).anchor
        try await store.delete(sample)
        try await store.save(sample)
        for start in [nil, anchor] {
            let page = try await store.changes(mass, after: start)
            #expect(page.added.map(\.uuid) == [sample.uuid])
            #expect(page.deleted.isEmpty)
        }
    }

    @Test("§6.6 deletions are kept without a time limit")
    func retainedDeletions() async throws {
        let fixture = try MemoryFixture()
        let store = try await fixture.open(.diary)
        let sample = weight(70, at(1))
        try await store.save(sample)
        try await store.delete(sample)
        fixture.advance(by: 10 * 365 * 86_400)
        try await store.save(weight(71, at(2)))
        #expect(try await store.changes(mass).deleted.map(\.uuid) == [sample.uuid])
    }

    @Test("§6.8 a sample that matches two descriptors is returned once")
    func matchedTwice() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1)))
        let descriptors = [
            HKQueryDescriptor(sampleType: mass, predicate: nil),
            HKQueryDescriptor(
                sampleType: mass,
                predicate: HKQuery.predicateForSamples(withStart: at(0), end: at(5))),
        ]
        #expect(try await store.changes(descriptors).added.count == 1)
        #expect(try await store.samples(descriptors).count == 1)
    }

    @Test(
        "§6.8 anchor zero is the beginning; one of another store or in the future is rejected",
        .covers("HKQueryAnchor.init(fromValue:)"))
    func foreignAnchors() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1)))
        let zero = HKQueryAnchor(fromValue: 0)
        #expect(try await store.changes(mass, after: zero).added.count == 1)
        let other = try await MemoryFixture().open(.diary)
        try await other.save(weight(70, at(1)))
        let foreign = try await other.changes(mass).anchor
        for anchor in [foreign, HKQueryAnchor(fromValue: 1_000_000)] {
            #expect(
                try await code { _ = try await store.changes(mass, after: anchor) }
                    == .errorInvalidArgument)
        }
    }

    @Test(
        "§6.8 an anchor of other types is accepted, and an error in strict mode",
        arguments: [FixtureSettings.Strictness.lenient, .strict])
    func anchorOfOtherTypes(strictness: FixtureSettings.Strictness) async throws {
        var settings = FixtureSettings()
        settings.strictness = strictness
        let store = try await MemoryFixture(settings).open(.diary)
        try await store.save(weight(70, at(1)))
        let anchor = try await store.changes(mass).anchor
        try await store.save(steps(5, at(2), at(3)))
        let steps = HKQuantityType(.stepCount)
        if strictness == .strict {
            #expect(
                try await code { _ = try await store.changes(steps, after: anchor) }
                    == .errorInvalidArgument)
        } else {
            #expect(try await store.changes(steps, after: anchor).added.count == 1)
        }
    }

    @Test("§6.9 a second execution reports an error to the handler, and the first continues")
    func executedTwice() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1)))
        let results = Recorder<(count: Int?, code: HKError.Code?)>()
        let query = HKSampleQuery(
            sampleType: mass, predicate: nil, limit: 0, sortDescriptors: nil
        ) { _, samples, error in results.record((samples?.count, (error as? HKError)?.code)) }
        store.execute(query)
        store.execute(query)
        let actual = try await waitFor(2, in: results)
        #expect(actual.filter { $0.count == 1 && $0.code == nil }.count == 1)
        #expect(actual.filter { $0.code == .errorInvalidArgument }.count == 1)
    }

    @Test("§6.10 the handlers of a query are called serially, in the order of changes")
    func serialHandlers() async throws {
        let store = try await MemoryFixture().open(.diary)
        let values = Recorder<Double>()
        let activeCalls = Recorder<Int>()
        let overlaps = Recorder<Int>()
        let query = HKAnchoredObjectQuery(
            type: mass, predicate: nil, anchor: nil, limit: 0
        ) { _, added, _, _, _ in
            for sample in added ?? [] { values.record(sample.number(.kilogram)) }
        }
        query.updateHandler = { _, added, _, _, _ in
            activeCalls.record(1)
            if activeCalls.entries.reduce(0, +) != 1 { overlaps.record(1) }
            for sample in added ?? [] { values.record(sample.number(.kilogram)) }
            activeCalls.record(-1)
        }
        store.execute(query)
        for value in 1...40 { try await store.save(weight(Double(value), at(1))) }
        try await waitFor("all values") { values.count >= 40 }
        store.stop(query)
        #expect(values.entries == (1...40).map { Double($0) })
        #expect(overlaps.count == 0)
    }

    @Test("§6.10 cancelling a task ends the sequence of results and stops the query")
    func cancelled() async throws {
        let store = try await MemoryFixture().open(.diary)
        let actual = Recorder<Int>()
        let task = Task {
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: HKQuantityType(.bodyMass))], anchor: nil)
            for try await result in descriptor.results(for: store) {
                actual.record(result.addedSamples.count)
            }
        }
        try await waitFor(1, in: actual)
        task.cancel()
        _ = await task.result
        try await store.save(weight(70, at(1)))
        #expect(try await store.changes(mass).added.count == 1)
        #expect(actual.entries == [0])
    }
}
