import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("saving keeps HealthKit's rules")
struct SavingTests {
    private let store: SampleStore

    init() throws { store = try SampleStore.inMemory() }

    private func save(_ uuid: SampleUUID, _ version: Double, source: String = "walks") throws
        -> SaveOutcome
    {
        try store.save(
            uuid, .steps, 0, 60, version, source: source, metadata: SavedBatch.sync("a", version))
    }

    @Test("§9.9 dates, values, units, metadata and details come back bit by bit")
    func roundTrip() throws {
        var saved = SavedBatch()
        let device = Device(name: "Watch", hardwareVersion: "Watch6,1", softwareVersion: "10")
        saved.batch.sources = [Source(name: "Walks", bundleIdentifier: "com.example.walks")]
        saved.batch.origins = [
            Origin(
                source: 0, version: "1.2", device: device, unit: "lb", productType: "Watch6,1",
                operatingSystemVersion: "10.1.0")
        ]
        saved.batch.metadata = [["a": .string("b"), "when": .date(0.1), "n": .number(-1e-7)]]
        saved.batch.samples = [
            Sample(
                type: SampleType.bodyMass.code, origin: 0, metadata: 0, start: 0.1, end: 0.3,
                value: 0.1 + 0.2)
        ]
        saved.uuids = [7]
        try store.save(saved)
        let result = try store.objects([SampleRequest(.bodyMass)])
        let sample = try #require(result.batch.samples.first)
        #expect(result.uuids == [7])
        #expect(sample.start == 0.1 && sample.end == 0.3 && sample.value == 0.1 + 0.2)
        #expect(sample.created == 1000)
        let origin = result.batch.origins[Int(sample.origin)]
        #expect(origin.device == device && origin.unit == "lb" && origin.version == "1.2")
        #expect(origin.productType == "Watch6,1" && origin.operatingSystemVersion == "10.1.0")
        #expect(result.batch.metadata(of: sample) == saved.batch.metadata[0])
        #expect(result.batch.source(of: sample).name == "Walks")
    }

    @Test("every structured part comes back as it was saved")
    func details() throws {
        let point = RoutePoint(
            time: 1, latitude: 52.5, longitude: 13.4, altitude: 34, horizontalAccuracy: 5,
            verticalAccuracy: -1, course: 90, speed: .infinity)
        let parts: [(SampleType, SampleDetail)] = [
            (
                .heartRate,
                .series([
                    SeriesQuantity(start: 0, end: 0.5, value: 61.25),
                    .init(start: 1, end: 1, value: 1e-9),
                ])
            ),
            (.route, .route([point])), (.route, .route([])),
            (.named("stateOfMind"), .numbers(["kind": [1], "labels": [], "valence": [-0.3]])),
            (.workout, .workout(Workout(activityType: 37, duration: 10))),
        ]
        for (index, part) in parts.enumerated() {
            let uuid = SampleUUID(number: index)
            try store.save(uuid, part.0, 0, 10, detail: part.1)
            let result = try #require(try store.object(uuid))
            #expect(result.batch.details[0] == part.1)
        }
        #expect(try store.check() == [])
    }

    @Test("§6.1 each save takes the next numbers of changes, in the order of the batch")
    func numbers() throws {
        var saved = SavedBatch()
        saved.add(.steps, 50, uuid: 1)
        saved.add(.heartRate, 40, uuid: 2)
        #expect(
            try store.save(saved)
                == SaveOutcome(
                    ignored: [], firstSequence: 1, lastSequence: 2,
                    types: [SampleType.steps.code, SampleType.heartRate.code]))
        #expect(try store.save(3, .steps, 0).firstSequence == 3)
        #expect(try store.lastSequence == 3)
        #expect(try store.objects([SampleRequest(.heartRate)]).batch.samples[0].sequence == 2)
    }

    @Test("§9.3 a UUID that is stored already fails the whole save", arguments: [false, true])
    func duplicate(inOneBatch: Bool) throws {
        if !inOneBatch { try store.save(1, .steps, 0) }
        var saved = SavedBatch()
        saved.add(.heartRate, 0, uuid: 2)
        saved.add(.heartRate, 0, uuid: 1)
        if inOneBatch { saved.add(.heartRate, 0, uuid: 1) }
        let error = #expect(throws: StoreError.self) { try store.save(saved) }
        #expect(error?.code == .invalidArgument)
        #expect(try store.uuids(.heartRate) == [])
        #expect(try store.lastSequence == (inOneBatch ? 0 : 1))
        // §9.3 Equal content with another UUID is another sample.
        try store.save(8, .steps, 0)
        #expect(try store.uuids(.steps).contains(8))
    }

    @Test("§9.3 the UUID of an imported sample is stored already")
    func importedDuplicate() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0.0625, 60, 12, device: .phone)
        try file.add(recording)
        let store = try file.open()
        let uuid = try #require(try store.uuids(.steps).first)
        let error = #expect(throws: StoreError.self) { try store.save(uuid, .steps, 0.0625, 60) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("what no sample may be is refused, and nothing is stored")
    func refused() throws {
        func refuses(_ change: (inout SavedBatch) -> Void) throws {
            var saved = SavedBatch()
            saved.add(.steps, 0, 60, 1, uuid: 1)
            saved.add(.steps, 0, 60, 1, uuid: 2)
            change(&saved)
            let error = #expect(throws: StoreError.self) { try store.save(saved) }
            #expect(error?.code == .invalidArgument)
            #expect(try store.lastSequence == 0)
        }
        try refuses { $0 = SavedBatch() }
        try refuses { $0.uuids.removeLast() }
        try refuses { $0.batch.samples[1].end = -1 }
        try refuses { $0.batch.samples[1].start = .nan }
        try refuses { $0.batch.samples[1].start = -1e13 }
        try refuses { $0.batch.samples[1].origin = 9 }
        try refuses { $0.batch.sources[0].bundleIdentifier = "" }
        try refuses { $0.batch.origins[0].source = -1 }
        try refuses { $0.batch.parents[0] = 0 }
        #expect(try store.check() == [])
    }

    @Test("a type that the store doesn't know is refused by its number")
    func unknownType() throws {
        let type = SampleType(code: 30_000, identifier: "x", name: "x", kind: .other)
        let error = #expect(throws: StoreError.self) { try store.save(1, type, 0) }
        #expect(error?.code == .unknownType)
    }

    // MARK: - Sync identifiers

    @Test("§9.1 a higher version replaces the stored one and leaves its tombstone")
    func higherVersion() throws {
        _ = try save(1, 1)
        let outcome = try save(2, 2)
        #expect(outcome.ignored == [] && outcome.firstSequence == 2 && outcome.lastSequence == 3)
        #expect(try store.uuids(.steps) == [2])
        let changes = try store.changes([SampleRequest(.steps)], after: 0)
        #expect(changes.samples.uuids == [2])
        #expect(
            changes.deleted == [
                DeletedSample(
                    uuid: 1, sequence: 2, type: SampleType.steps.code, syncIdentifier: "a",
                    syncVersion: 1)
            ])
    }

    @Test("§9.1 an equal or lower version is ignored with success", arguments: [1.0, 2.0])
    func ignoredVersion(version: Double) throws {
        _ = try save(1, 2)
        let outcome = try save(2, version)
        #expect(outcome.ignored == [0])
        #expect(outcome.lastSequence == 1 && outcome.firstSequence == 2 && outcome.types == [])
        #expect(try store.uuids(.steps) == [1])
        #expect(try store.lastSequence == 1)
    }

    @Test("§9.1 the same object saved again is ignored, not a duplicate")
    func sameObjectAgain() throws {
        _ = try save(1, 1)
        #expect(try save(1, 1).ignored == [0])
    }

    @Test("§9.1 identifiers are unique in one source and one type")
    func scope() throws {
        _ = try save(1, 1)
        #expect(try save(2, 1, source: "other").ignored == [])
        #expect(
            try store.save(3, .heartRate, 0, 0, 60, metadata: SavedBatch.sync("a", 1)).ignored == []
        )
        #expect(try store.uuids(.steps) == [1, 2])
    }

    @Test("§9.1 of several in one save the highest version is stored, the first of equals")
    func oneSave() throws {
        var saved = SavedBatch()
        for (index, version) in [2.0, 5, 1, 5].enumerated() {
            saved.add(
                .steps, 0, 60, version, uuid: SampleUUID(number: index),
                metadata: SavedBatch.sync("a", version))
        }
        #expect(try store.save(saved).ignored == [0, 2, 3])
        #expect(try store.uuids(.steps) == [1])
    }

    @Test("§9.1 after a deletion the identifier is free")
    func freed() throws {
        _ = try save(1, 5)
        try store.delete([1], by: "com.example.walks")
        #expect(try save(2, 1).ignored == [])
        #expect(try store.uuids(.steps) == [2])
    }

    @Test("§9.1 an identifier without a version is no sync identifier")
    func halfNamed() throws {
        let half: Metadata = ["HKMetadataKeySyncIdentifier": .string("a")]
        try store.save(1, .steps, 0, metadata: half)
        try store.save(2, .steps, 0, metadata: half)
        #expect(try store.uuids(.steps) == [1, 2])
    }

    @Test("§9.1 a failed save replaces nothing")
    func failedReplacement() throws {
        _ = try save(1, 1)
        var saved = SavedBatch()
        saved.add(.steps, 0, 60, 2, uuid: 2, metadata: SavedBatch.sync("a", 2))
        saved.add(.steps, 0, 60, 2, uuid: 1)
        #expect(throws: StoreError.self) { try store.save(saved) }
        #expect(try store.uuids(.steps) == [1])
        #expect(try store.changes(.steps, after: 0).deleted == [])
    }

    @Test("§9.1 the new version takes the old one's place in a workout and a correlation")
    func placeOfOld() throws {
        try store.save(9, .workout, 0, 100, .nan, detail: .workout(Workout(activityType: 37)))
        var saved = SavedBatch()
        let pressure = saved.add(.pressure, 0, uuid: 10)
        saved.add(
            .systolic, 0, 0, 120, uuid: 11, metadata: SavedBatch.sync("s", 1), parent: pressure)
        saved.add(.diastolic, 0, 0, 80, uuid: 12, parent: pressure)
        try store.save(saved)
        try store.associate([11], with: 9)
        try store.save(21, .systolic, 1, 1, 121, metadata: SavedBatch.sync("s", 2))
        #expect(try store.uuids(.systolic, .memberOf(9)) == [21])
        #expect(try store.uuids(.systolic, .memberOf(10)) == [21])
        let result = try store.objects([SampleRequest(.pressure)])
        #expect(Set(result.uuids) == [10, 12, 21])
        #expect(result.batch.parents.count == 2)
        // Readers of correlations receive the replacement.
        #expect(try store.changes(.pressure, after: 4).added == [10])
        #expect(try store.check() == [])
    }

    @Test("§9.1 a replaced workout keeps its samples and its route")
    func replacedWorkout() throws {
        let workout = SampleDetail.workout(Workout(activityType: 37))
        try store.save(
            1, .workout, 0, 100, .nan, metadata: SavedBatch.sync("w", 1), detail: workout)
        var children = SavedBatch()
        children.add(.energy, 0, 100, 50, uuid: 2)
        children.add(.route, 0, 100, uuid: 3, detail: .route([]))
        try store.save(children, associatedWith: 1)
        try store.save(
            4, .workout, 0, 100, .nan, metadata: SavedBatch.sync("w", 2), detail: workout)
        #expect(try store.uuids(.energy, .memberOf(4)) == [2])
        #expect(try store.uuids(.route, .memberOf(4)) == [3])
        #expect(try store.uuids(.energy, .memberOf(1)) == [])
    }

    @Test("§9.1 members of an ignored correlation are ignored; a stored member replaces one")
    func ignoredMembers() throws {
        func pressure(_ first: Int, _ version: Double, member: Metadata = [:]) -> SavedBatch {
            var saved = SavedBatch()
            let parent = saved.add(
                .pressure, 0, uuid: SampleUUID(number: first),
                metadata: SavedBatch.sync("p", version))
            saved.add(
                .systolic, 0, 0, 120, uuid: SampleUUID(number: first + 1), metadata: member,
                parent: parent)
            return saved
        }
        try store.save(pressure(10, 2, member: SavedBatch.sync("m", 1)))
        #expect(try store.save(pressure(20, 1)).ignored == [0, 1])
        #expect(try store.uuids(.systolic) == [11])
        #expect(try store.save(pressure(30, 3, member: SavedBatch.sync("m", 1))).ignored == [1])
        #expect(try store.uuids(.systolic, .memberOf(30)) == [11])
        #expect(try store.uuids(.pressure) == [30])
    }

    // MARK: - Membership

    @Test("§10.8 samples are associated with a stored workout, in the save or later")
    func association() throws {
        try store.save(1, .workout, 0, 100, .nan, detail: .workout(Workout(activityType: 37)))
        var saved = SavedBatch()
        saved.add(.energy, 0, 10, 5, uuid: 2)
        try store.save(saved, associatedWith: 1)
        try store.save(3, .energy, 200, 210, 5)
        #expect(try store.uuids(.energy, .memberOf(1)) == [2])
        try store.associate([3, 2], with: 1)
        #expect(try store.uuids(.energy, .memberOf(1)) == [2, 3])
        #expect(try store.uuids(.energy, .not(.memberOf(1))) == [])
        let error = #expect(throws: StoreError.self) { try store.associate([2, 99], with: 1) }
        #expect(error?.code == .unknownSample)
        #expect(throws: StoreError.self) { try store.save(saved, associatedWith: 99) }
    }

    // MARK: - Sources

    @Test("§1.2 a source counts as added when it first saves, and devices are known by hardware")
    func sources() throws {
        func save(_ identifier: String, _ product: String?, at created: Double, _ uuid: SampleUUID)
            throws
        {
            var batch = SampleBatch()
            batch.sources = [Source(name: identifier, bundleIdentifier: identifier)]
            batch.origins = [Origin(source: 0, unit: "count", productType: product)]
            batch.samples = [
                Sample(type: SampleType.steps.code, origin: 0, start: 0, end: 1, value: 1)
            ]
            try store.save(batch, uuids: [uuid], at: created)
        }
        try save("com.old", nil, at: 100, 1)
        try save("com.new", nil, at: 200, 2)
        try save("com.old", nil, at: 300, 3)
        try save("com.apple.health.A", "iPhone14,2", at: 400, 4)
        try save("com.apple.health.B", "Watch6,1", at: 50, 5)
        try save("com.apple.Health", "iPhone14,2", at: 500, 6)
        #expect(
            try store.sources(of: .steps).map(\.bundleIdentifier) == [
                "com.apple.Health", "com.apple.health.B", "com.apple.health.A", "com.new",
                "com.old",
            ])
        #expect(try store.sourceNumber(ofBundleIdentifier: "com.none") == nil)
        #expect(try store.sourceNumber(ofBundleIdentifier: "com.old") == 1)
    }
}
