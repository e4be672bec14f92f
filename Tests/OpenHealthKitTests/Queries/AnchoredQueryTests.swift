import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("HKAnchoredObjectQuery")
struct AnchoredQueryTests {
    private typealias Q = QueriedStore

    /// The values of one handler call.
    private struct Page: Sendable {
        var added: [HKSample]
        var deleted: [HKDeletedObject]
        var anchor: HKQueryAnchor

        var counts: [Double?] { added.map(\.steps) }
        var deletedUUIDs: [UUID] { deleted.map(\.uuid) }
    }

    private func pages(
        _ store: HKHealthStore, after anchor: HKQueryAnchor? = nil, limit: Int = 0,
        _ predicate: NSPredicate? = nil, of type: HKSampleType = Q.steps
    ) async throws -> Page {
        let received = Received<Result<Page, any Error>>()
        store.execute(
            HKAnchoredObjectQuery(
                type: type, predicate: predicate, anchor: anchor, limit: limit
            ) { received(.init(Self.page($1, $2, $3, $4), $4)) })
        return try await received.next().get()
    }

    private static func page(
        _ added: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?,
        _ error: (any Error)?
    ) -> Page? {
        guard error == nil, let added, let deleted, let anchor else { return nil }
        return Page(added: added, deleted: deleted, anchor: anchor)
    }

    @Test(
        "§6.1 samples are returned in the order of saving, each once",
        .covers(
            "HKAnchoredObjectQuery", "HKQueryAnchor",
            "HKAnchoredObjectQuery.init(type:predicate:anchor:limit:resultsHandler:)"))
    func orderOfSaving() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(1, from: 20, to: 30))
        try await store.save(Q.walk(2, from: 0, to: 10))
        let first = try await pages(store)
        #expect(first.counts == [1, 2])
        try await store.save(Q.walk(3, from: 5, to: 6))
        let second = try await pages(store, after: first.anchor)
        #expect(second.counts == [3])
        let third = try await pages(store, after: second.anchor)
        #expect(third.counts.isEmpty && third.deleted.isEmpty)
    }

    @Test(
        "§6.4 pages with a limit return each sample once, until a page is empty",
        .covers("HKAnchoredObjectQuery.init(type:predicate:anchor:limit:resultsHandler:)"))
    func paging() async throws {
        let store = try await Q.open()
        try await store.save((0..<7).map { Q.walk(Double($0), from: Double($0), to: Double($0)) })
        var anchor: HKQueryAnchor?
        var sizes: [Int] = []
        var counts: [Double?] = []
        while true {
            let page = try await pages(store, after: anchor, limit: 3)
            anchor = page.anchor
            if page.added.isEmpty, page.deleted.isEmpty { break }
            sizes.append(page.added.count)
            counts += page.counts
        }
        #expect(sizes == [3, 3, 1])
        #expect(counts == (0..<7).map { Double($0) })
    }

    @Test("§6.4 a limit applies to samples only, unless the configuration includes tombstones")
    func tombstonesAndLimits() async throws {
        for (mode, expected) in [
            (HealthStoreConfiguration.TombstoneLimit.samplesOnly, 5), (.samplesAndDeletions, 2),
        ] {
            var configuration = HealthStoreConfiguration.withoutSummary
            configuration.tombstoneLimit = mode
            let store = try await Q.open(configuration)
            let walks = (0..<5).map { Q.walk(1, from: Double($0), to: Double($0)) }
            try await store.save(walks)
            try await store.delete(walks)
            let page = try await pages(store, limit: 2)
            #expect(page.deleted.count == expected)
            #expect(page.added.isEmpty)
        }
    }

    @Test(
        "§6.5, §6.6 a sample added and deleted in between gives one tombstone with sync metadata",
        .covers("HKDeletedObject", "HKDeletedObject.uuid", "HKDeletedObject.metadata"))
    func addedAndDeleted() async throws {
        let store = try await Q.open()
        let anchor = try await pages(store).anchor
        let metadata: [String: Any] = [
            HKMetadataKeySyncIdentifier: "walk-1", HKMetadataKeySyncVersion: 2, "mood": "good",
        ]
        let walk = Q.walk(1, from: 0, to: 1, metadata: metadata)
        try await store.save(walk)
        try await store.delete(walk)
        let page = try await pages(store, after: anchor)
        #expect(page.added.isEmpty)
        #expect(page.deletedUUIDs == [walk.uuid])
        let retained = try #require(page.deleted.first?.metadata)
        #expect(retained.keys.sorted() == [HKMetadataKeySyncIdentifier, HKMetadataKeySyncVersion])
        #expect(retained[HKMetadataKeySyncIdentifier] as? String == "walk-1")
    }

    @Test("§6.5 a newer version is returned with the tombstone of the old one")
    func replaced() async throws {
        let store = try await Q.open()
        func version(_ number: Int, _ count: Double) -> HKQuantitySample {
            Q.walk(
                count, from: 0, to: 1,
                metadata: [
                    HKMetadataKeySyncIdentifier: "walk", HKMetadataKeySyncVersion: number,
                ])
        }
        let old = version(1, 10)
        try await store.save(old)
        let anchor = try await pages(store).anchor
        try await store.save(version(2, 12))
        let page = try await pages(store, after: anchor)
        #expect(page.counts == [12])
        #expect(page.deletedUUIDs == [old.uuid])
    }

    @Test("§6.3 the predicate filters deleted objects too")
    func filteredDeletions() async throws {
        let store = try await Q.open()
        let (early, late) = (Q.walk(1, from: 0, to: 1), Q.walk(2, from: 100, to: 101))
        try await store.save([early, late])
        let anchor = try await pages(store).anchor
        try await store.delete([early, late])
        let predicate = HKQuery.predicateForSamples(withStart: Q.minute(50), end: nil)
        #expect(try await pages(store, after: anchor, predicate).deletedUUIDs == [late.uuid])
    }

    @Test(
        "§6.7 the update handler receives each later save and deletion with a new anchor",
        .covers("HKAnchoredObjectQuery.updateHandler"))
    func updates() async throws {
        let store = try await Q.open()
        let initial = Received<Page?>()
        let later = Received<Page?>()
        let query = HKAnchoredObjectQuery(
            type: Q.steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { initial(Self.page($1, $2, $3, $4)) }
        query.updateHandler = { later(Self.page($1, $2, $3, $4)) }
        store.execute(query)
        let first = try #require(try await initial.next())
        #expect(first.added.isEmpty)
        let walk = Q.walk(4, from: 0, to: 1)
        try await store.save(walk)
        let added = try #require(try await later.next())
        #expect(added.counts == [4])
        #expect(added.anchor != first.anchor)
        try await store.save(Q.beat(60, at: 0))
        try await store.delete(walk)
        let deleted = try #require(try await later.next())
        #expect(deleted.deletedUUIDs == [walk.uuid] && deleted.added.isEmpty)
        store.stop(query)
        #expect(initial.count == 1)
    }

    @Test(
        "§6.8 several descriptors share one anchor and one limit, and return each sample once",
        .covers("HKAnchoredObjectQuery.init(queryDescriptors:anchor:limit:resultsHandler:)"))
    func descriptors() async throws {
        let store = try await Q.open()
        try await store.save([
            Q.walk(1, from: 0, to: 1), Q.beat(60, at: 1), Q.walk(2, from: 2, to: 3),
        ])
        let late = HKQuery.predicateForSamples(withStart: Q.minute(2), end: nil)
        let descriptors = [
            HKQueryDescriptor(sampleType: Q.steps, predicate: nil),
            HKQueryDescriptor(sampleType: Q.steps, predicate: late),
            HKQueryDescriptor(sampleType: Q.heartRate, predicate: nil),
        ]
        let received = Received<Page?>()
        func runQuery(_ anchor: HKQueryAnchor?) {
            store.execute(
                HKAnchoredObjectQuery(queryDescriptors: descriptors, anchor: anchor, limit: 2) {
                    received(Self.page($1, $2, $3, $4))
                })
        }
        runQuery(nil)
        let first = try #require(try await received.next())
        #expect(first.added.map(\.startDate) == [0, 1].map(Q.minute))
        runQuery(first.anchor)
        let second = try #require(try await received.next())
        #expect(second.added.map(\.startDate) == [Q.minute(2)])
    }

    @Test(
        "§6.8 an unarchived anchor equals the original",
        .covers("HKQueryAnchor", "HKQueryAnchor.init(fromValue:)"))
    func archiving() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(1, from: 0, to: 1))
        let anchor = try await pages(store).anchor
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data))
        #expect(read == anchor && read.hash == anchor.hash)
        #expect(try await pages(store, after: read).added.isEmpty)
        let beginning = HKQueryAnchor(fromValue: Int(HKAnchoredObjectQueryNoAnchor))
        #expect(beginning != anchor)
        #expect(try await pages(store, after: beginning).counts == [1])
    }

    @Test("§6.8 another store's anchor, and one beyond the last change, are invalid arguments")
    func foreignAnchors() async throws {
        let store = try await Q.open()
        let foreign = try await pages(Q.open()).anchor
        let beyond = HKQueryAnchor(fromValue: 1_000_000)
        for anchor in [foreign, beyond, HKQueryAnchor(fromValue: -1)] {
            #expect(
                await code { _ = try await pages(store, after: anchor) } == .errorInvalidArgument)
        }
        #expect(await code { _ = try await pages(store, limit: -1) } == .errorInvalidArgument)
    }

    @Test(
        "§6.8 an anchor of other types is accepted with a finding, and an error in a strict store")
    func reused() async throws {
        for strictness in [HealthStoreConfiguration.Strictness.lenient, .strict] {
            var configuration = HealthStoreConfiguration.withoutSummary
            configuration.strictness = strictness
            let store = try await Q.open(configuration)
            try await store.save(Q.beat(60, at: 0))
            let anchor = try await pages(store, limit: 1, of: Q.heartRate).anchor
            let moved = HKQuery.predicateForSamples(withStart: Q.minute(1), end: nil)
            _ = try await pages(store, after: anchor, moved, of: Q.heartRate)
            #expect(!store.diagnostics.findings.map(\.rule).contains(.anchorPerType))
            let code = await code { _ = try await pages(store, after: anchor, limit: 1) }
            #expect(code == (strictness == .strict ? .errorInvalidArgument : nil))
            #expect(store.diagnostics.findings.map(\.rule).contains(.anchorPerType))
        }
    }

    @Test("deletions that the app does not read are a finding")
    func unreadDeletions() async throws {
        let store = try await Q.open()
        let walk = Q.walk(1, from: 0, to: 1)
        try await store.save(walk)
        try await store.delete(walk)
        let page = try await pages(store, limit: 5)
        #expect(page.deletedUUIDs == [walk.uuid])
        _ = try await pages(store, limit: 5).added
        try await waitUntil {
            store.diagnostics.findings.map(\.rule) == [.handleDeletions]
        }
        withExtendedLifetime(page) {}
    }

    @available(*, deprecated)
    @Test(
        "an anchor can be created from a number, as in early releases of HealthKit",
        .covers(
            "HKAnchoredObjectQuery.init(type:predicate:anchor:limit:completionHandler:)",
            "HKAnchoredObjectQueryNoAnchor"))
    func numbers() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(1, from: 0, to: 1))
        let received = Received<(Int, Int)>()
        func runQuery(_ anchor: Int, _ predicate: NSPredicate? = nil, limit: Int = 0) {
            store.execute(
                HKAnchoredObjectQuery(
                    type: Q.steps, predicate: predicate, anchor: anchor, limit: limit,
                    completionHandler: { _, samples, anchor, _ in
                        received((samples?.count ?? -1, anchor))
                    }))
        }
        runQuery(Int(HKAnchoredObjectQueryNoAnchor))
        let (count, anchor) = try await received.next()
        #expect(count == 1 && anchor > 0)
        runQuery(anchor)
        #expect(try await received.next().0 == 0)
        try await store.save([Q.walk(2, from: 1, to: 2), Q.walk(3, from: 9, to: 10)])
        runQuery(anchor, limit: 1)
        #expect(try await received.next().0 == 1)
        let late = HKQuery.predicateForSamples(withStart: Q.minute(5), end: nil)
        runQuery(Int(HKAnchoredObjectQueryNoAnchor), late)
        #expect(try await received.next().0 == 1)
        runQuery(1_000_000)
        #expect(try await received.next() == (-1, 1_000_000))
    }
}
