import Foundation
import GRDB
import HealthEngine
import Testing

@testable import HealthStorage

@Suite("Stored decisions about single objects")
struct ObjectAuthorizationStoreTests {
    private let app = "com.example.reader"

    private func uuid(_ number: UInt64) -> SampleUUID { SampleUUID(high: 0x4000, low: number) }

    /// A store with prescriptions of one source, and their type.
    private func store(_ count: Int) throws -> (store: SampleStore, type: SampleType) {
        let store = try SampleStore.inMemory()
        let type = try store.type(named: "visionPrescription")
        var batch = SampleBatch(
            sources: [Source(name: "Optician", bundleIdentifier: "com.example.optician")],
            origins: [Origin(source: 0)])
        for index in 0..<count {
            batch.samples.append(
                Sample(type: type.code, origin: 0, start: Double(index), end: Double(index)))
        }
        try store.save(batch, uuids: (0..<count).map { uuid(UInt64($0)) }, at: 0)
        return (store, type)
    }

    private func visibility(_ store: SampleStore, _ type: SampleType) throws -> Visibility {
        var grant = Visibility.Grant()
        grant.objects = Dictionary(
            uniqueKeysWithValues: try store.objectAuthorization(of: app)
                .filter(\.isGranted).map { ($0.uuid, $0.sequence) })
        return Visibility(grants: [type.code: grant], others: .none)
    }

    @Test("a decision is kept, changed and reset, and unchanged ones keep their place")
    func kept() throws {
        let (store, type) = try store(2)
        let before = try store.lastSequence
        try store.setObjectAuthorization([uuid(0): true, uuid(1): false], of: type.code, for: app)
        let first = try store.objectAuthorization(of: app)
        #expect(first.map(\.isGranted) == [true, false])
        #expect(first.map(\.sequence) == [before + 1, before + 2])
        try store.setObjectAuthorization([uuid(0): true, uuid(1): true], of: type.code, for: app)
        let second = try store.objectAuthorization(of: app)
        #expect(second.map(\.sequence) == [before + 1, before + 3])
        #expect(try store.lastSequence == before + 3)
        try store.setObjectAuthorization([:], of: type.code, for: app)
        #expect(try store.lastSequence == before + 3)
        #expect(try store.objectAuthorization(of: "com.example.other").isEmpty)
        #expect(try store.authorizedClients() == [app])
        #expect(try store.exportGaps().grants == [app])
        #expect(try store.check() == [])
        try store.resetAuthorization(of: app)
        #expect(try store.objectAuthorization(of: app).isEmpty)
    }

    @Test("changes have a granted sample at its grant, whatever the limit")
    func changes() throws {
        let (store, type) = try store(10)
        let anchor = try store.lastSequence
        let later: [UInt64] = [7, 2, 5]
        for number in later {
            try store.setObjectAuthorization([uuid(number): true], of: type.code, for: app)
        }
        let visibility = try visibility(store, type)
        #expect(try store.changedTypes(after: anchor).types == [type.code])
        for limit in [1, 2, 3, 10] {
            for mode in 0..<2 {
                var (position, found): (Int64, [SampleUUID]) = (0, [])
                for _ in 0..<20 {
                    let page = try store.changes(
                        [SampleRequest(type)], after: position,
                        sampleLimit: mode == 0 ? limit : nil, changeLimit: mode == 1 ? limit : nil,
                        visibility: visibility)
                    #expect(page.samples.count <= limit)
                    found += page.samples.uuids
                    position = page.sequence
                    if try position == store.lastSequence { break }
                }
                #expect(found == later.map(uuid), "limit \(limit), mode \(mode)")
            }
        }
        let since = try store.changes(
            [SampleRequest(type)], after: anchor + 1, visibility: visibility)
        #expect(since.samples.uuids == [uuid(2), uuid(5)])
    }

    @Test("an own sample is a change when it was saved; counts leave single objects out")
    func ownSource() throws {
        let (store, type) = try store(3)
        let anchor = try store.lastSequence
        try store.setObjectAuthorization([uuid(1): true], of: type.code, for: app)
        let own = try #require(
            try store.sourceNumber(ofBundleIdentifier: "com.example.optician"))
        var visibility = try visibility(store, type)
        #expect(try store.types(visibility: visibility).isEmpty)
        visibility.grants[type.code]?.exempt = Visibility.Grant.Exemption(source: own)
        #expect(try store.objects([SampleRequest(type)], visibility: visibility).count == 3)
        #expect(try store.types(visibility: visibility).map(\.samples) == [3])
        let changes = try store.changes(
            [SampleRequest(type)], after: anchor, visibility: visibility)
        #expect(changes.samples.count == 0)
    }

    @Test("a damaged row is an error, and a finding of the check")
    func damaged() throws {
        let file = try TemporaryStore()
        let store = try file.open(.creating)
        try store.setObjectAuthorization([uuid(1): true], of: 2010, for: app)
        try store.write { db in
            try db.execute(sql: "UPDATE object_authorization SET uuid = x'00'")
        }
        #expect(throws: StoreError.self) { try store.objectAuthorization(of: app) }
        #expect(try !store.check().isEmpty)
    }
}
