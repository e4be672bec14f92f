import Testing

@testable import PortableConformance

/// §1: how samples of several sources are merged.
@Suite struct MergeRules {
    @Test(
        "§1.1 statistics merge sources; sample queries return all samples",
        .covers(
            "HKStatisticsQuery", "HKStatisticsQuery.init(*", "HKSampleQuery",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)"))
    func mergedAndRaw() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(100, at(10), at(11))], as: .watch)
        try await fixture.save([steps(90, at(10), at(11))], as: .phone)
        let store = try await fixture.open(.diary)
        #expect(try await store.totalSteps() == 100)
        let raw = try await store.samples(HKQuantityType(.stepCount))
        #expect(raw.map { $0.number() }.sorted() == [90, 100])
    }

    @Test(
        "§1.2 the default priority is manual entries, Watches, iPhones, then the newest app",
        .covers("HKStatistics.sumQuantity()"),
        arguments: [
            (TestApp.health, TestApp.watch), (.health, .phone), (.health, .ring), (.watch, .phone),
            (.newerWatch, .watch), (.newerPhone, .phone), (.watch, .newerPhone), (.phone, .ring),
            (.ring, .diary),
        ])
    func defaultOrder(higher: TestApp, lower: TestApp) async throws {
        let fixture = try MemoryFixture()
        // The source seen first is the older one.
        try await fixture.save([steps(7, at(10), at(11))], as: lower)
        fixture.advance(by: 3600)
        try await fixture.save([steps(5, at(10), at(11))], as: higher)
        #expect(try await fixture.open(.diary).totalSteps() == 5)
    }

    @Test("§1.2 the user's source order overrides the default, for one type only")
    func userOrder() async throws {
        let fixture = try MemoryFixture()
        for app in [TestApp.watch, .phone] {
            let value = app == .watch ? 5.0 : 7
            try await fixture.save(
                [
                    steps(value, at(10), at(11)),
                    quantity(.flightsClimbed, value, .count(), at(10), at(11)),
                ], as: app)
        }
        try fixture.setSourceOrder([.phone, .watch], for: HKQuantityType(.stepCount))
        let store = try await fixture.open(.diary)
        #expect(try await store.totalSteps() == 7)
        let flights = try await store.statistics(
            HKQuantityType(.flightsClimbed), nil, .cumulativeSum)
        #expect(flights.sum() == 5)
    }

    @Test("§1.2 a new source takes its default position in the user's order")
    func laterSource() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(1, at(10), at(11))], as: .watch)
        try await fixture.save([steps(2, at(10), at(11))], as: .phone)
        try fixture.setSourceOrder([.phone, .watch], for: HKQuantityType(.stepCount))
        try await fixture.save([steps(4, at(10), at(11))], as: .ring)
        #expect(try await fixture.open(.diary).totalSteps() == 2)
        try await fixture.save([steps(8, at(10), at(11))], as: .health)
        #expect(try await fixture.open(.diary).totalSteps() == 8)
    }

    @Test("§1.2 a sample with HKWasUserEntered has the priority of its app")
    func enteredByHand() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(100, at(10), at(11))], as: .watch)
        try await fixture.save(
            [steps(500, at(10), at(11), metadata: [HKMetadataKeyWasUserEntered: true])], as: .ring)
        #expect(try await fixture.open(.diary).totalSteps() == 100)
    }

    @Test("§1.3 a source of lower priority fills gaps in proportion to time")
    func fillsGaps() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(100, at(10), at(10, 10))], as: .watch)
        try await fixture.save([steps(100, at(10, 5), at(10, 15))], as: .phone)
        try await fixture.save([steps(300, at(10), at(10, 30))], as: .ring)
        // Watch 100, half of the phone's 100, half of the ring's 300.
        #expect(try await fixture.open(.diary).totalSteps() == 300)
    }

    @Test(
        "§1.3 a merged total is between the largest source total and the sum of all",
        arguments: [UInt64](1...6))
    func bounds(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        let fixture = try MemoryFixture()
        var sums: [TestApp: Double] = [:]
        for app in [TestApp.watch, .phone, .ring] {
            let samples = (0..<40).map { _ in
                let start = at(0).addingTimeInterval(.random(in: 0...80_000, using: &generator))
                let value = Double.random(in: 1...900, using: &generator)
                return steps(value, start, start + .random(in: 1...4000, using: &generator))
            }
            sums[app] = samples.reduce(0) { $0 + $1.number() }
            try await fixture.save(samples, as: app)
        }
        let total = try #require(try await fixture.open(.diary).totalSteps())
        let largest = try #require(sums[.watch])
        #expect(total > largest, "seed \(seed)")
        #expect(total < sums.values.reduce(0, +), "seed \(seed)")
    }

    @Test("§1.4 samples of two devices of one app are one source and are added")
    func devicesOfOneSource() async throws {
        let fixture = try MemoryFixture()
        let type = HKQuantityType(.stepCount)
        let samples = ["left", "right"].map { name in
            HKQuantitySample(
                type: type, quantity: HKQuantity(unit: .count(), doubleValue: 50), start: at(10),
                end: at(11),
                device: HKDevice(
                    name: name, manufacturer: nil, model: nil, hardwareVersion: nil,
                    firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
                    udiDeviceIdentifier: nil), metadata: nil)
        }
        try await fixture.save(samples, as: .ring)
        #expect(try await fixture.open(.diary).totalSteps() == 100)
    }

    @Test(
        "§1.5 of two apps first seen at the same time, priority does not depend on who saved first")
    func equalFirstSeen() async throws {
        var totals: Set<Double?> = []
        for order in [[TestApp.diary, .ring], [.ring, .diary]] {
            let fixture = try MemoryFixture()
            for app in order {
                try await fixture.save([steps(app == .ring ? 5 : 7, at(10), at(11))], as: app)
            }
            totals.insert(try await fixture.open(.watch).totalSteps())
        }
        #expect(totals.count == 1)
        #expect(totals.isSubset(of: [5, 7]))
    }

    /// The higher-priority source's interval, the other's instants (both in hours), and the total.
    private static let instantCases: [([Double], [Double], Double)] = [
        ([10, 11], [10.5], 100), ([10, 11], [10], 100), ([10, 11], [11], 105),
        ([10, 11], [9.5, 9.5], 110), ([10, 10], [10], 100), ([10, 10], [10.5], 105),
    ]

    @Test(
        "§1.7 an instant counts in full unless a source of higher priority covers it",
        arguments: Self.instantCases)
    func instants(better: [Double], others: [Double], total: Double) async throws {
        let fixture = try MemoryFixture()
        func hour(_ hours: Double) -> Date { at(0).addingTimeInterval(hours * 3600) }
        try await fixture.save([steps(100, hour(better[0]), hour(better[1]))], as: .watch)
        try await fixture.save(others.map { steps(5, hour($0), hour($0)) }, as: .phone)
        #expect(try await fixture.open(.diary).totalSteps() == total)
    }

    @Test(
        "§1.8 a gap counts as covered only within the configured tolerance",
        arguments: [(0.0, 150.0), (400, 100)])
    func gaps(tolerance: Double, total: Double) async throws {
        var settings = FixtureSettings()
        settings.gapTolerance = tolerance
        let fixture = try MemoryFixture(settings)
        try await fixture.save(
            [steps(50, at(10), at(10, 5)), steps(50, at(10, 10), at(10, 15))], as: .watch)
        try await fixture.save([steps(50, at(10, 5), at(10, 10))], as: .phone)
        #expect(try await fixture.open(.diary).totalSteps() == total)
    }

    @Test(
        "§1.9 saving a sample that ends before it starts is an error",
        .covers("HKHealthStore.save(_:)"))
    func backwards() async throws {
        let fixture = try MemoryFixture()
        let store = try await fixture.open(.diary)
        let code = try await code { try await store.save(steps(5, at(11), at(10))) }
        #expect(code == .errorInvalidArgument)
        #expect(try await store.samples(HKQuantityType(.stepCount)).isEmpty)
    }

    @Test(
        "§1.10 an excluded source is omitted from statistics only",
        .covers(
            "HKStatistics.sources", "HKSourceQuery",
            "HKSourceQuery.init(sampleType:samplePredicate:completionHandler:)",
            "HKAnchoredObjectQuery",
            "HKAnchoredObjectQuery.init(queryDescriptors:anchor:limit:resultsHandler:)"))
    func excluded() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(100, at(10), at(11))], as: .watch)
        try await fixture.save([steps(40, at(12), at(13))], as: .ring)
        let type = HKQuantityType(.stepCount)
        try fixture.exclude(.ring, from: type)
        let store = try await fixture.open(.diary)
        let statistics = try await store.statistics(type, nil, [.cumulativeSum, .separateBySource])
        #expect(statistics.sum() == 100)
        #expect(statistics.sources?.map(\.bundleIdentifier) == [TestApp.watch.bundleIdentifier])
        #expect(try await store.samples(type).count == 2)
        #expect(try await store.sources(of: type).count == 2)
        #expect(try await store.changes(type).added.count == 2)
    }

    @Test("§1.11 day totals saved through the API are not excluded automatically")
    func dayTotals() async throws {
        let fixture = try MemoryFixture()
        let days = (0..<20).map { day in
            steps(2400, at(24 * day), at(24 * day + 24))
        }
        try await fixture.save(days, as: .ring)
        try await fixture.save([steps(1000, at(10), at(14))], as: .watch)
        #expect(try await fixture.open(.diary).totalSteps() == 20 * 2400 - 400 + 1000)
    }
}
