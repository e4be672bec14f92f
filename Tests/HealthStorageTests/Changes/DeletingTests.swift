import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("deleting keeps HealthKit's rules")
struct DeletingTests {
    private let store: SampleStore
    private let walks = "com.example.walks"

    init() throws { store = try SampleStore.inMemory() }

    private func expect(_ code: StoreError.Code, _ body: () throws -> Void) {
        let error = #expect(throws: StoreError.self) { try body() }
        #expect(error?.code == code)
    }

    @Test("§9.7 own samples are deleted and leave tombstones with their facts")
    func own() throws {
        try store.save(1, .steps, 0, 60, 5, metadata: ["k": .string("v")])
        try store.save(2, .steps, 10, 70, 6)
        try store.delete([1], by: walks)
        #expect(try store.uuids(.steps) == [2])
        #expect(try store.lastSequence == 3)
        let changes = try store.changes(.steps, after: 0)
        #expect(changes.added == [2] && changes.deleted == [1] && changes.sequence == 3)
        for filter: SampleFilter in [
            .test(.start, .compare(.equal, .date(0))), .test(.end, .compare(.equal, .date(60))),
            .test(.source, .compare(.equal, .string(walks))),
            .test(.metadata("k"), .compare(.equal, .string("v"))),
            .test(.uuid, .compare(.equal, .uuid(1))),
        ] {
            let request = SampleRequest(.steps, filter)
            #expect(try store.changes([request], after: 0).deleted.map(\.uuid) == [1])
            let opposite = SampleRequest(.steps, .not(filter))
            #expect(try store.changes([opposite], after: 0).deleted == [])
        }
    }

    @Test("§6.5 conditions on data that a tombstone lacks count as fulfilled, also when negated")
    func lostFacts() throws {
        try store.save(1, .steps, 0, 60, 5)
        try store.delete([1], by: walks)
        let many = SampleFilter.test(
            .quantity(.value), .compare(.greater, .quantity(100, unit: "count")))
        let early = SampleFilter.test(.start, .compare(.less, .date(0)))
        func finds(_ filter: SampleFilter) throws -> Bool {
            try !store.changes([SampleRequest(.steps, filter)], after: 0).deleted.isEmpty
        }
        #expect(try finds(many))
        #expect(try finds(.not(many)))
        #expect(try finds(.not(.and([many, early]))))
        #expect(try finds(.or([many, early])))
        #expect(try !finds(.and([many, early])))
        #expect(try !finds(.not(.or([many, .not(early)]))))
        #expect(try finds(.memberOf(77)))
        #expect(try finds(.hasNoCorrelation))
    }

    @Test("§9.7 another source's sample is not deleted, and nothing with it")
    func foreign() throws {
        try store.save(1, .steps, 0)
        try store.save(2, .steps, 0, source: "other")
        expect(.notOwner) { try store.delete([1, 2], by: walks) }
        expect(.unknownSample) { try store.delete([1, 3], by: walks) }
        expect(.invalidArgument) { try store.delete([], by: walks) }
        #expect(try store.uuids(.steps) == [1, 2])
        #expect(try store.lastSequence == 2)
    }

    @Test("§9.7 a UUID named twice is deleted once")
    func twice() throws {
        try store.save(1, .steps, 0)
        try store.delete([1, 1], by: walks)
        #expect(try store.changes(.steps, after: 0).deleted == [1])
        expect(.unknownSample) { try store.delete([1], by: walks) }
    }

    @Test("§9.7 a predicate deletes only own samples, and returns their number")
    func byRequest() throws {
        for number in 1...6 {
            try store.save(
                SampleUUID(number: number), .steps, Double(number * 10),
                source: number % 2 == 0 ? "other" : "walks")
        }
        let request = SampleRequest(.steps, .test(.start, .compare(.greater, .date(15))))
        #expect(try store.delete(request, by: walks) == 2)
        #expect(try store.uuids(.steps) == [1, 2, 4, 6])
        #expect(try store.delete(request, by: walks) == 0)
        #expect(try store.delete(SampleRequest(.steps), by: "com.nobody") == 0)
    }

    @Test("§10.8 a deleted workout keeps its samples and deletes its route")
    func workout() throws {
        try store.save(1, .workout, 0, 100, .nan, detail: .workout(Workout(activityType: 37)))
        var saved = SavedBatch()
        saved.add(.energy, 0, 10, 5, uuid: 2)
        saved.add(.route, 0, 10, uuid: 3, detail: .route([]))
        try store.save(saved, associatedWith: 1)
        try store.delete([1], by: walks)
        #expect(try store.uuids(.energy) == [2])
        #expect(try store.uuids(.route) == [])
        #expect(try store.changes(.route, after: 0).deleted == [3])
        #expect(try store.changes(.workout, after: 0).deleted == [1])
        #expect(try store.uuids(.energy, .memberOf(1)) == [])
        #expect(try store.check() == [])
    }

    @Test("a workout deleted before its route named in one call deletes it once")
    func workoutThenRoute() throws {
        try store.save(1, .workout, 0, 100, .nan, detail: .workout(Workout(activityType: 37)))
        var saved = SavedBatch()
        saved.add(.route, 0, 10, uuid: 3, detail: .route([]))
        try store.save(saved, associatedWith: 1)
        try store.delete([1, 3], by: walks)
        #expect(try store.changes(.route, after: 0).deleted == [3])
        #expect(try store.lastSequence == 4)
    }

    @Test("§9.7 a deleted correlation leaves its members, a deleted member its correlation")
    func correlation() throws {
        var saved = SavedBatch()
        let parent = saved.add(.pressure, 0, uuid: 1)
        saved.add(.systolic, 0, 0, 120, uuid: 2, parent: parent)
        saved.add(.diastolic, 0, 0, 80, uuid: 3, parent: parent)
        try store.save(saved)
        #expect(try store.uuids(.systolic, .hasNoCorrelation) == [])
        try store.delete([3], by: walks)
        #expect(try store.objects([SampleRequest(.pressure)]).uuids == [1, 2])
        try store.delete([1], by: walks)
        #expect(try store.uuids(.systolic, .hasNoCorrelation) == [2])
        #expect(try store.changes(.pressure, after: 0).deleted == [1])
    }

    @Test("§6.6 tombstones stay until they are purged")
    func purge() throws {
        try store.save(1, .steps, 0)
        try store.delete([1], by: walks)
        try store.save(2, .steps, 0)
        try store.delete([2], by: walks)
        #expect(try store.purgeTombstones(through: 2) == 1)
        #expect(try store.changes(.steps, after: 0).deleted == [2])
        #expect(try store.check() == [])
    }
}
