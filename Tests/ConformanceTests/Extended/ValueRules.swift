import Testing

@testable import PortableConformance

/// §9.9 and §9.10: values, equality, order and units.
@Suite struct ValueRules {
    private let mass = HKQuantityType(.bodyMass)

    @Test(
        "§9.9 sources are equal by identifier, devices and revisions by all properties",
        .covers("HKSource", "HKDevice", "HKSourceRevision"))
    func equality() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([weight(70, at(1))], as: .ring)
        let renamed = TestApp(bundleIdentifier: TestApp.ring.bundleIdentifier, name: "New name")
        try await fixture.save([weight(71, at(2))], as: renamed)
        let found = try await fixture.open(.diary).samples(mass)
        #expect(Set(found.map(\.sourceRevision.source)).count == 1)
        func device(_ name: String) -> HKDevice {
            HKDevice(
                name: name, manufacturer: "m", model: nil, hardwareVersion: nil,
                firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
                udiDeviceIdentifier: nil)
        }
        #expect(device("a") == device("a"))
        #expect(device("a") != device("b"))
        let source = try #require(found.first?.sourceRevision.source)
        #expect(
            HKSourceRevision(source: source, version: "1") == .init(source: source, version: "1"))
        #expect(
            HKSourceRevision(source: source, version: "1") != .init(source: source, version: "2"))
    }

    @Test("§9.9 unsorted samples are ordered by start date, or shuffled by configuration")
    func unsorted() async throws {
        var orders: [[Date]] = []
        for shuffle in [nil, 7] as [UInt64?] {
            var settings = FixtureSettings()
            settings.shuffle = shuffle
            let store = try await MemoryFixture(settings).open(.diary)
            try await store.save((0..<20).reversed().map { weight(70, at($0)) })
            orders.append(try await store.samples(mass).map(\.startDate))
        }
        #expect(orders[0] == orders[0].sorted())
        #expect(orders[1] != orders[0])
        #expect(orders[1].sorted() == orders[0])
    }

    @Test("§9.9 several descriptors share one limit over the sorted union")
    func unionLimit() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save([weight(70, at(3)), weight(71, at(1)), steps(5, at(2), at(3))])
        let descriptors = [mass, HKQuantityType(.stepCount)].map {
            HKQueryDescriptor(sampleType: $0, predicate: nil)
        }
        let two = try await store.samples(descriptors, limit: 2)
        #expect(two.map(\.startDate) == [at(1), at(2)])
    }

    @Test(
        "§9.9 a negative limit and an unknown sort key are errors",
        .covers(
            "HKSampleQuery",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)"))
    func invalidQueries() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(3)))
        #expect(
            try await code { _ = try await store.samples(mass, limit: -1) } == .errorInvalidArgument
        )
        #expect(
            try await code {
                _ = try await store.samples(
                    mass, sortedBy: [NSSortDescriptor(key: "shoeSize", ascending: true)])
            } == .errorInvalidArgument)
    }

    @Test(
        "§9.9 a value in its original unit is the saved number",
        .covers("HKQuantity.doubleValue(for:)"), arguments: [UInt64](1...4))
    func bitEqual(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        let store = try await MemoryFixture().open(.diary)
        let units: [HKUnit] = [.pound(), .kilogram, .gram(), .ounce(), .stone()]
        let samples = (0..<50).map { _ in
            let start = Date(
                timeIntervalSinceReferenceDate: Double.random(in: 0...7e8, using: &generator))
            return quantity(
                .bodyMass, Double.random(in: 0.001...500, using: &generator),
                units[Int.random(in: 0..<units.count, using: &generator)], start,
                start + Double.random(in: 0...1000, using: &generator),
                metadata: ["note": Double.random(in: 0...1, using: &generator)])
        }
        try await store.save(samples)
        let found = try await store.samples(mass)
        let byUUID = Dictionary(uniqueKeysWithValues: found.map { ($0.uuid, $0) })
        for sample in samples {
            let stored = try #require(byUUID[sample.uuid], "seed \(seed)")
            #expect(stored.startDate == sample.startDate, "seed \(seed)")
            #expect(stored.endDate == sample.endDate, "seed \(seed)")
            for unit in units where sample.quantity.description.hasSuffix(unit.unitString) {
                #expect(stored.number(unit) == sample.number(unit), "seed \(seed)")
            }
            #expect(stored.metadata?["note"] as? Double == sample.metadata?["note"] as? Double)
        }
    }

    @Test(
        "§9.10 multiplication binds before division; Hz is not count/s; glucose has a molar mass",
        .covers(
            "HKUnit.init(from:)", "HKUnit.moleUnit(with:molarMass:)",
            "HKUnit.unitMultiplied(by:)", "HKUnit.unitDivided(by:)"))
    func units() {
        let perKilogramMinute = HKUnit.literUnit(with: .milli)
            .unitDivided(by: HKUnit.kilogram.unitMultiplied(by: .minute()))
        #expect(HKUnit(from: "mL/kg*min") == perKilogramMinute)
        let one = { (text: String) in HKQuantity(unit: HKUnit(from: text), doubleValue: 1) }
        #expect(one("count").is(compatibleWith: .percent()))
        #expect(one("%").is(compatibleWith: HKUnit(from: "")))
        #expect(HKUnit(from: "").isNull())
        #expect(!one("Hz").is(compatibleWith: HKUnit(from: "count/s")))
        let milligrams = HKUnit(from: "mg/dL")
        for mass in [HKUnitMolarMassBloodGlucose, 180.155_88, 180.155_880_000_054_1] {
            let millimoles = HKUnit.moleUnit(with: .milli, molarMass: mass)
                .unitDivided(by: .liter())
            let value = HKQuantity(unit: millimoles, doubleValue: 5.5).doubleValue(for: milligrams)
            #expect(abs(value - 99.085_7) < 0.01)
        }
    }
}
