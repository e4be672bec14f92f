import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("changes are delivered in order, each last state once")
struct ChangesTests {
    private let store: SampleStore
    private let walks = "com.example.walks"

    init() throws { store = try SampleStore.inMemory() }

    @Test("§6.2 from the beginning everything is delivered in order of saving, not of time")
    func order() throws {
        try store.save(1, .steps, 90)
        try store.save(2, .heartRate, 50)
        try store.save(3, .steps, 10)
        let changes = try store.changes(.steps, after: 0)
        #expect(changes.added == [1, 3] && changes.sequence == 3)
        #expect(try store.changes(.steps, after: 1).added == [3])
        let nothing = try store.changes(.steps, after: 3)
        #expect(nothing.added == [] && nothing.deleted == [] && nothing.sequence == 3)
    }

    @Test("§6.5 saved and deleted in between: only the tombstone is delivered")
    func addedAndDeleted() throws {
        try store.save(1, .steps, 0)
        try store.delete([1], by: walks)
        let changes = try store.changes(.steps, after: 0)
        #expect(changes.added == [] && changes.deleted == [1])
    }

    @Test("§6.5 deleted and saved again: only the last state is delivered, for every anchor")
    func savedAgain() throws {
        try store.save(1, .steps, 0)
        try store.delete([1], by: walks)
        try store.save(1, .steps, 5)
        for anchor in [Int64(0), 1, 2] {
            let changes = try store.changes(.steps, after: anchor)
            #expect(changes.added == [1] && changes.deleted == [])
        }
        try store.delete([1], by: walks)
        #expect(try store.changes(.steps, after: 0).deleted == [1])
        #expect(try store.check() == [])
    }

    @Test("§6.5 the tombstone of an imported sample that was restored is not delivered")
    func revived() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 1, device: .phone)
        recording.add(.steps, "Phone", 100, 160, 2, device: .phone)
        let whole = recording
        try file.add(recording)
        recording.batch.samples.removeLast()
        try file.add(recording)
        let deleted = try file.open(.reading).changes(.steps, after: 0).deleted
        #expect(deleted.count == 1)
        try file.add(whole)
        let restored = try file.open(.reading).changes(.steps, after: 0)
        #expect(restored.deleted == [] && restored.added.contains(deleted[0]))
    }

    @Test("§6.4 a limit ends the page with its last change, and paging delivers everything once")
    func paging() throws {
        for number in 1...10 { try store.save(SampleUUID(number: number), .steps, Double(number)) }
        for number in [2, 5, 9] { try store.delete([SampleUUID(number: number)], by: walks) }
        for (samples, tombstones) in [(1, nil), (3, 1), (nil, 1), (2, 2), (100, 100)]
            as [(Int?, Int?)]
        {
            var last: Int64 = 0
            var added: [SampleUUID] = []
            var deleted: [SampleUUID] = []
            while true {
                let page = try store.changes(
                    [SampleRequest(.steps)], after: last, sampleLimit: samples,
                    tombstoneLimit: tombstones)
                #expect(page.samples.count <= samples ?? .max)
                #expect(page.deleted.count <= tombstones ?? .max)
                added += page.samples.uuids
                deleted += page.deleted.map(\.uuid)
                if page.sequence == last { break }
                last = page.sequence
            }
            #expect(added == [1, 3, 4, 6, 7, 8, 10])
            #expect(deleted == [2, 5, 9])
            #expect(last == 13)
        }
        let first = try store.changes([SampleRequest(.steps)], after: 0, sampleLimit: 2)
        #expect(first.samples.uuids == [1, 3] && first.sequence == 3)
    }

    @Test("§6.4 a common limit counts deletions too")
    func commonLimit() throws {
        for number in 1...4 { try store.save(SampleUUID(number: number), .steps, Double(number)) }
        try store.delete([2, 3], by: walks)
        try store.save(5, .steps, 0)
        var last: Int64 = 0
        var pages: [[SampleUUID]] = []
        while last < 7 {
            let page = try store.changes([SampleRequest(.steps)], after: last, changeLimit: 2)
            pages.append(page.samples.uuids + page.deleted.map(\.uuid))
            last = page.sequence
        }
        #expect(pages == [[1, 4], [2, 3], [5]])
    }

    @Test("§6.8 several requests are read together, each sample once, with one limit")
    func union() throws {
        try store.save(1, .steps, 0)
        try store.save(2, .heartRate, 0)
        try store.save(3, .steps, 100)
        let requests = [
            SampleRequest(.steps), SampleRequest(.heartRate),
            SampleRequest(.steps, .test(.start, .compare(.greater, .date(50)))),
        ]
        #expect(try store.changes(requests, after: 0).samples.uuids == [1, 2, 3])
        let page = try store.changes(requests, after: 0, sampleLimit: 2)
        #expect(page.samples.uuids == [1, 2] && page.sequence == 2)
    }

    @Test("§6.8 a number that is not assigned yet is refused", arguments: [Int64(2), -1])
    func beyondHead(number: Int64) throws {
        try store.save(1, .steps, 0)
        let error = #expect(throws: StoreError.self) { try store.changes(.steps, after: number) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("many changes give the same result by type as by number")
    func manyChanges() throws {
        var saved = SavedBatch()
        for number in 0..<20_500 {
            saved.add(
                number % 3 == 0 ? .steps : .heartRate, Double(number * 7919 % 20_500),
                uuid: SampleUUID(number: number))
        }
        try store.save(saved)
        let all = try store.changes([SampleRequest(.steps)], after: 0)
        let paged = try store.changes([SampleRequest(.steps)], after: 0, sampleLimit: 20_500)
        #expect(all.samples.uuids == paged.samples.uuids && all.samples.count == 6834)
        #expect(
            all.samples.batch.samples.map(\.sequence)
                == all.samples.batch.samples.map(\.sequence).sorted())
        let twice = try store.changes(
            [SampleRequest(.steps), SampleRequest(.steps)], after: 100)
        #expect(twice.samples.count == 6834 - 34)
    }

    @Test("§7.1 the changed types are those of saves and of deletions")
    func changedTypes() throws {
        try store.save(1, .steps, 0)
        try store.save(2, .heartRate, 0)
        var changed = try store.changedTypes(after: 1)
        #expect(changed.types == [SampleType.heartRate.code] && changed.sequence == 2)
        try store.delete([1], by: walks)
        changed = try store.changedTypes(after: 2)
        #expect(changed.types == [SampleType.steps.code] && changed.sequence == 3)
        changed = try store.changedTypes(after: 3)
        #expect(changed.types == [] && changed.sequence == 3)
    }

    @Test("the version of the data changes with other connections' writes alone")
    func dataVersion() throws {
        let file = try TemporaryStore()
        let store = try file.open(.creating)
        let other = try file.open()
        let before = try store.dataVersion()
        try store.save(1, .steps, 0)
        #expect(try store.dataVersion() == before)
        try other.save(2, .steps, 0)
        #expect(try store.dataVersion() != before)
        #expect(try store.changedTypes(after: 1).types == [SampleType.steps.code])
    }
}
