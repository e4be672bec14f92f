import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("a request finds what its filter matches and its visibility shows")
struct FilteringTests {
    private let store: SampleStore

    init() throws { store = try SampleStore.inMemory() }

    private func window(_ from: Double, _ to: Double) -> SampleFilter {
        .and([
            .test(.end, .compare(.atLeast, .date(from))),
            .test(.start, .compare(.less, .date(to))),
        ])
    }

    @Test(
        "§2.1 a sample that ends where the range starts matches, one that starts at its end doesn't"
    )
    func touching() throws {
        try store.save(1, .steps, 0, 100)
        try store.save(2, .steps, 200, 300)
        try store.save(3, .steps, 150, 150)
        #expect(try store.uuids(.steps, window(100, 200)) == [1, 3])
    }

    @Test("samples of a day, a second more and a month are found by where they end")
    func longSamples() throws {
        let day: Double = 86_400
        try store.save(1, .steps, 0, day)
        try store.save(2, .steps, 0, day + 1)
        try store.save(3, .steps, 0, 30 * day)
        try store.save(4, .steps, 5, day + 5)
        func ends(_ from: Double) throws -> [SampleUUID] {
            try store.uuids(.steps, window(from, .infinity))
        }
        #expect(try ends(day) == [1, 2, 3, 4])
        #expect(try ends(day + 1) == [2, 3, 4])
        #expect(try ends(day + 5) == [3, 4])
        #expect(try ends(20 * day) == [3])
        #expect(try ends(30 * day) == [3])
        #expect(try ends(30 * day + 1) == [])
        // Only a sample of ten days or more can satisfy both bounds.
        let both = SampleFilter.and([
            .test(.start, .compare(.atMost, .date(0))),
            .test(.end, .compare(.atLeast, .date(10 * day))),
        ])
        #expect(try store.uuids(.steps, both) == [3])
    }

    @Test(
        "the extent is that of the samples that match, however long they are",
        arguments: 1...(TestTier.current == .quick ? 2 : 12) as ClosedRange<UInt64>)
    func extents(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let day: Double = 86_400
        for number in 1...40 {
            let start = Double(Int.random(in: 0..<60, using: &random)) * day / 2
            let lengths: [Double] = [0, 600, day, 3 * day, 20 * day]
            let length = lengths.randomElement(using: &random) ?? 0
            try store.save(
                SampleUUID(high: 0, low: UInt64(number)), .steps, start, start + length,
                source: Bool.random(using: &random) ? "walks" : "other")
        }
        for _ in 0..<40 {
            let from = Double(Int.random(in: -2..<60, using: &random)) * day / 2
            let range = window(from, from + Double(Int.random(in: 1..<20, using: &random)) * day)
            let filter = SampleFilter.and([
                range, .test(.source, .oneOf([.string("com.example.other")])),
            ])
            let request = SampleRequest(.steps, Bool.random(using: &random) ? filter : range)
            let samples = try store.objects([request]).batch.samples
            let extent = try store.extent(of: request)
            #expect(extent?.first == samples.map(\.start).min(), "seed \(seed)")
            #expect(extent?.last == samples.map(\.end).max(), "seed \(seed)")
        }
    }

    @Test("§2.9 values, metadata, sources, devices and versions are read from the rows")
    func attributes() throws {
        try store.save(1, .steps, 0, 60, 5, metadata: ["HKWasUserEntered": .number(1)])
        try store.save(2, .steps, 0, 60, 15, source: "other")
        func finds(_ attribute: SampleFilter.Attribute, _ relation: SampleFilter.Relation) throws
            -> [SampleUUID]
        {
            Set(try store.uuids(.steps, .test(attribute, relation))).sorted()
        }
        #expect(
            try finds(.quantity(.value), .compare(.greater, .quantity(10, unit: "count"))) == [2])
        #expect(try finds(.metadata("HKWasUserEntered"), .compare(.notEqual, .number(1))) == [2])
        #expect(try finds(.source, .oneOf([.string("com.example.other")])) == [2])
        #expect(try finds(.source, .oneOf([])) == [])
        #expect(try finds(.sourceVersion, .compare(.equal, .string("1"))) == [1, 2])
        #expect(try finds(.device(.name), .compare(.equal, .null)) == [1, 2])
        #expect(try finds(.uuid, .oneOf([.uuid(2), .uuid(9)])) == [2])
        #expect(try finds(.quantityCount, .compare(.equal, .number(1))) == [1, 2])
    }

    @Test("§2.9 a quantity compares in the requested unit, whatever unit a row is in")
    func units() throws {
        var saved = SavedBatch()
        saved.add(.bodyMass, 0, 0, 200, unit: "lb", uuid: 1)
        saved.add(.bodyMass, 0, 0, 80, unit: "kg", uuid: 2)
        saved.add(.bodyMass, 0, 0, 100, unit: "kg", uuid: 3)
        try store.save(saved)
        let heavy = SampleFilter.test(
            .quantity(.value), .compare(.greater, .quantity(90, unit: "kg")))
        #expect(Set(try store.uuids(.bodyMass, heavy)) == [1, 3])
    }

    @Test("a UUID finds only its sample of the requested type, saved or imported")
    func uuids() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0.123_456, 60, 12, device: .phone)
        recording.add(.heartRate, "Phone", 0.123_456, 60, 70, device: .phone)
        try file.add(recording)
        let store = try file.open()
        try store.save(1, .steps, 50)
        let imported = try #require(try store.uuids(.steps).first)
        func finds(_ type: SampleType, _ uuid: SampleUUID) throws -> [SampleUUID] {
            try store.uuids(type, .test(.uuid, .compare(.equal, .uuid(uuid))))
        }
        #expect(try finds(.steps, imported) == [imported])
        #expect(try finds(.heartRate, imported) == [])
        #expect(try finds(.steps, 1) == [1])
        #expect(try store.object(imported)?.uuids == [imported])
        #expect(try store.object(99) == nil)
        #expect(try store.storedUUIDs(among: [imported, 1, 99]) == [imported, 1])
        let both = SampleFilter.and([
            .test(.uuid, .oneOf([.uuid(1), .uuid(imported), .null])),
            .test(.source, .compare(.equal, .string("com.example.walks"))),
        ])
        #expect(try store.uuids(.steps, both) == [1])
        #expect(try Set(store.uuids(.steps, .not(both))) == [imported])
        #expect(try store.uuids(.steps, .test(.uuid, .oneOf([]))) == [])
        #expect(
            try store.changes([SampleRequest(.steps, both)], after: 0).samples.uuids == [1])
    }

    @Test("§10.9 samples of an imported workout's source wholly inside it are its members")
    func importedWorkout() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        let workout = recording.add(.workout, "Watch", 100, 200, .nan, unit: nil, device: .watch)
        recording.batch.details[workout] = .workout(Workout(activityType: 37))
        recording.add(.energy, "Watch", 100, 200, 1, device: .watch)
        recording.add(.energy, "Watch", 99, 150, 2, device: .watch)
        recording.add(.energy, "Watch", 150, 201, 3, device: .watch)
        recording.add(.energy, "Phone", 120, 150, 4, device: .phone)
        try file.add(recording)
        let store = try file.open()
        let uuid = try #require(try store.uuids(.workout).first)
        func values(_ filter: SampleFilter) throws -> [Double] {
            try store.objects([SampleRequest(.energy, filter)]).batch.samples.map(\.value)
        }
        #expect(try values(.memberOf(uuid)) == [1])
        #expect(Set(try values(.not(.memberOf(uuid)))) == [2, 3, 4])
        #expect(try values(.or([.memberOf(uuid), .memberOf(55)])) == [1])
        let outside = try #require(
            try store.objects([SampleRequest(.energy, window(200.5, 300))]).uuids.first)
        try store.associate([outside], with: uuid)
        #expect(try values(.memberOf(uuid)) == [1, 3])
        #expect(try store.uuids(.workout, .memberOf(uuid)) == [])
    }

    // MARK: - Order and limits

    @Test("§9.9 without a key samples are sorted by start, then by number; a limit keeps the first")
    func order() throws {
        let starts: [(SampleUUID, Double)] = [(3, 10), (1, 10), (2, 5), (4, 20), (5, 10)]
        for (uuid, start) in starts { try store.save(uuid, .steps, start) }
        let requests = [SampleRequest(.steps)]
        func uuids(_ sorts: [SampleSort], _ limit: Int?) throws -> [SampleUUID] {
            try store.objects(requests, sortedBy: sorts, limit: limit).uuids
        }
        let all: [SampleUUID] = [2, 3, 1, 5, 4]
        for limit in 0...6 {
            #expect(try uuids([], limit) == Array(all.prefix(limit)))
            #expect(
                try uuids([SampleSort(.start, .descending)], limit)
                    == Array([4, 3, 1, 5, 2].prefix(limit)))
        }
        #expect(try uuids([], nil) == all)
    }

    @Test("§9.9 one limit over the sorted union of several requests, each sample once")
    func union() throws {
        try store.save(1, .steps, 10)
        try store.save(2, .heartRate, 5)
        try store.save(3, .steps, 1)
        let requests = [
            SampleRequest(.steps), SampleRequest(.heartRate), SampleRequest(.steps, window(0, 5)),
        ]
        #expect(try store.objects(requests).uuids == [3, 2, 1])
        #expect(try store.objects(requests, limit: 2).uuids == [3, 2])
        let newest = [SampleSort(.start, .descending)]
        #expect(try store.objects(requests, sortedBy: newest, limit: 1).uuids == [1])
    }

    @Test("§9.9 sort keys: end, duration and totals of workouts, several at once")
    func sortKeys() throws {
        func workout(_ uuid: SampleUUID, _ start: Double, _ end: Double, _ workout: Workout) throws
        {
            try store.save(uuid, .workout, start, end, .nan, detail: .workout(workout))
        }
        func sum(_ type: String, _ unit: String, _ sum: Double) -> WorkoutStatistics {
            WorkoutStatistics(type: "HKQuantityTypeIdentifier" + type, unit: unit, sum: sum)
        }
        try workout(
            1, 0, 100,
            Workout(activityType: 37, duration: 50, statistics: [sum("DistanceCycling", "km", 1)]))
        try workout(
            2, 10, 60,
            Workout(activityType: 37, statistics: [sum("DistanceWalkingRunning", "m", 1500)]))
        try workout(
            3, 20, 90,
            Workout(
                activityType: 37, duration: 10, statistics: [sum("ActiveEnergyBurned", "kJ", 9)]))
        func uuids(_ sorts: SampleSort...) throws -> [SampleUUID] {
            try store.objects([SampleRequest(.workout)], sortedBy: sorts).uuids
        }
        #expect(try uuids(SampleSort(.end)) == [2, 3, 1])
        #expect(try uuids(SampleSort(.end, .descending)) == [1, 3, 2])
        #expect(try uuids(SampleSort(.workoutDuration)) == [3, 1, 2])
        #expect(
            try uuids(SampleSort(.workoutDuration), SampleSort(.start, .descending)) == [3, 2, 1])
        #expect(try uuids(SampleSort(.workoutTotalDistance)) == [3, 1, 2])
        #expect(try uuids(SampleSort(.workoutTotalEnergyBurned, .descending)) == [3, 1, 2])
    }

    @Test("§10.3 members of a correlation come with it, once each, and by their own type")
    func correlations() throws {
        var saved = SavedBatch()
        let parent = saved.add(.pressure, 5, uuid: 1)
        saved.add(.systolic, 5, 5, 120, uuid: 2, parent: parent)
        saved.add(.diastolic, 5, 5, 80, uuid: 3, parent: parent)
        try store.save(saved)
        let alone = try store.objects([SampleRequest(.pressure)])
        #expect(alone.count == 1 && alone.uuids == [1, 3, 2])
        #expect(alone.batch.parents == [1: 0, 2: 0])
        let both = try store.objects([SampleRequest(.pressure), SampleRequest(.systolic)])
        #expect(both.count == 2 && both.uuids == [1, 2, 3])
        #expect(both.batch.parents == [1: 0, 2: 0])
        #expect(try store.uuids(.systolic) == [2])
    }

    // MARK: - Visibility

    private func ownOnly(_ source: String) throws -> Visibility.Grant {
        .init(onlySource: try store.sourceNumber(ofBundleIdentifier: "com.example.\(source)") ?? -1)
    }

    @Test("§8.3 without read permission only own samples, changes, sums and sources are visible")
    func ownSamples() throws {
        try store.save(1, .steps, 0, 60, 5)
        try store.save(2, .steps, 100, 160, 6, source: "other")
        try store.save(3, .steps, 200, 260, 7, source: "other")
        try store.delete([3], by: "com.example.other")
        let visibility = Visibility(grants: [SampleType.steps.code: try ownOnly("walks")])
        #expect(try store.uuids(.steps, visibility: visibility) == [1])
        let changes = try store.changes(.steps, after: 0, visibility: visibility)
        #expect(changes.added == [1] && changes.deleted == [])
        let request = SampleRequest(.steps)
        let overall = try #require(try store.overallStatistics(request, visibility: visibility))
        #expect(overall.buckets.map(\.merged.sum) == [5])
        #expect(try store.extent(of: request, visibility: visibility)?.last == 60)
        #expect(
            try store.sources(request, visibility: visibility).sources.map(\.bundleIdentifier)
                == ["com.example.walks"])
        #expect(try store.object(2, visibility: visibility) == nil)
        let none = Visibility(grants: [SampleType.steps.code: .none])
        #expect(try store.uuids(.steps, visibility: none) == [])
        #expect(try store.changes(.steps, after: 0, visibility: none).deleted == [])
        #expect(try store.overallStatistics(request, visibility: none) == nil)
    }

    @Test("§8.9 what starts before the earliest date is hidden, its tombstone too")
    func earliest() throws {
        try store.save(1, .steps, 99)
        try store.save(2, .steps, 100)
        try store.save(3, .steps, 50)
        try store.save(4, .steps, 150)
        try store.delete([3, 4], by: "com.example.walks")
        let visibility = Visibility(grants: [SampleType.steps.code: .init(earliest: 100)])
        let changes = try store.changes(.steps, after: 0, visibility: visibility)
        #expect(changes.added == [2] && changes.deleted == [4])
        let filter = SampleFilter.test(.start, .compare(.greater, .date(99.5)))
        #expect(try store.uuids(.steps, filter, visibility: visibility) == [2])
    }

    @Test("§8.10 a correlation is seen by who may see all of its members, its tombstone too")
    func correlationVisibility() throws {
        for (source, first) in [("walks", 10), ("other", 20)] {
            var saved = SavedBatch(source)
            let parent = saved.add(.pressure, 5, uuid: SampleUUID(number: first))
            saved.add(.systolic, 5, 5, 120, uuid: SampleUUID(number: first + 1), parent: parent)
            saved.add(.diastolic, 5, 5, 80, uuid: SampleUUID(number: first + 2), parent: parent)
            try store.save(saved)
        }
        let half = Visibility(grants: [SampleType.diastolic.code: try ownOnly("walks")])
        #expect(try store.uuids(.pressure) == [10, 20])
        #expect(try store.uuids(.pressure, visibility: half) == [10])
        #expect(try store.uuids(.systolic, visibility: half) == [11, 21])
        #expect(try store.changes(.pressure, after: 0, visibility: half).added == [10])
        try store.delete([10], by: "com.example.walks")
        try store.delete([20], by: "com.example.other")
        #expect(try store.changes(.pressure, after: 0, visibility: half).deleted == [10])
        #expect(try store.changes(.pressure, after: 0).deleted == [10, 20])
    }

    // MARK: - Sources

    @Test("§10.2 sources of matching samples, with their versions")
    func sources() throws {
        try store.save(1, .steps, 0)
        try store.save(2, .steps, 100, source: "other")
        var saved = SavedBatch()
        saved.add(.steps, 200, uuid: 3)
        saved.batch.origins[0].version = "2"
        try store.save(saved)
        let all = try store.sources(SampleRequest(.steps))
        #expect(all.sources.map(\.bundleIdentifier) == ["com.example.other", "com.example.walks"])
        #expect(
            Set(all.revisions.map { "\($0.source) \($0.version ?? "")" }) == ["0 1", "1 1", "1 2"])
        let late = try store.sources(SampleRequest(.steps, window(50, 150)))
        #expect(late.sources.map(\.name) == ["other"])
        #expect(try store.sources(SampleRequest(.heartRate)).sources.isEmpty)
    }

    // MARK: - Characteristics

    @Test("characteristics, units and authorization come back as they were set")
    func settings() throws {
        #expect(try store.identifier.count == 32)
        #expect(try store.identifier != SampleStore.inMemory().identifier)
        try store.setCharacteristic("blood", to: "A")
        try store.setCharacteristic("blood", to: "B")
        try store.setCharacteristic("sex", to: "x")
        try store.setCharacteristic("sex", to: nil)
        #expect(try store.characteristics() == ["blood": "B"])
        try store.setPreferredUnit("lb", ofType: SampleType.bodyMass.identifier)
        try store.setPreferredUnit("count", ofType: SampleType.steps.identifier)
        try store.setPreferredUnit(nil, ofType: SampleType.steps.identifier)
        #expect(try store.preferredUnits() == [SampleType.bodyMass.identifier: "lb"])
        let rows: [Int32: AuthorizationRow] = [
            1: .init(share: .granted, read: .denied), 2: .init(read: .granted, earliest: 5.5),
        ]
        try store.setAuthorization(rows, of: "app")
        try store.setAuthorization([1: .init(share: .denied)], of: "app")
        try store.setAuthorization([7: .init()], of: "other")
        #expect(
            try store.authorization(of: "app") == [
                1: .init(share: .denied), 2: .init(read: .granted, earliest: 5.5),
            ])
        #expect(try store.authorizedClients() == ["app", "other"])
        try store.resetAuthorization(of: "app")
        #expect(try store.authorization(of: "app") == [:])
    }
}
