import Testing

@testable import PortableConformance

/// §9: saving, replacing and deleting, with several apps or where Apple documents nothing.
@Suite struct SavingRules {
    private let mass = HKQuantityType(.bodyMass)

    @Test("§9.1 the scope of a sync identifier is one app and one type")
    func syncScope() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([weight(70, at(1), metadata: version(1, of: "a"))], as: .diary)
        try await fixture.save([weight(71, at(1), metadata: version(2, of: "a"))], as: .ring)
        try await fixture.save(
            [steps(5, at(1), at(2), metadata: version(2, of: "a"))], as: .diary)
        let store = try await fixture.open(.diary)
        #expect(try await store.samples(mass).count == 2)
        #expect(try await store.samples(HKQuantityType(.stepCount)).count == 1)
    }

    @Test("§9.1 the highest version in a save is stored; after deletion the identifier is free")
    func syncInOneSave() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(
            [2, 5, 3].map { weight(Double(60 + $0), at(1), metadata: version($0, of: "a")) })
        let found = try await store.samples(mass)
        #expect(found.map { $0.number(.kilogram) } == [65])
        try await store.delete(found)
        try await store.save(weight(61, at(1), metadata: version(1, of: "a")))
        #expect(try await store.samples(mass).map { $0.number(.kilogram) } == [61])
    }

    @Test(
        "§9.1 sync identifier and sync version must be set together",
        arguments: [
            [HKMetadataKeySyncIdentifier: "a"] as [String: any Sendable],
            [HKMetadataKeySyncVersion: 1],
        ])
    func incompleteSync(metadata: [String: any Sendable]) async throws {
        let store = try await MemoryFixture().open(.diary)
        #expect(
            try await code { try await store.save(weight(70, at(1), metadata: metadata)) }
                == .errorInvalidArgument)
    }

    @Test("§9.1 a new version replaces the old one in its workout")
    func syncInWorkout() async throws {
        let store = try await MemoryFixture().open(.diary)
        let energy = HKQuantityType(.activeEnergyBurned)
        func sample(_ number: Int, _ value: Double) -> HKQuantitySample {
            quantity(
                .activeEnergyBurned, value, .kilocalorie(), at(10, 1), at(10, 30),
                metadata: version(number, of: "run"))
        }
        let workout = try await run(store, samples: [sample(1, 100)])
        try await store.save(sample(2, 250))
        let members = try await store.samples(energy, HKQuery.predicateForObjects(from: workout))
        #expect(members.map { $0.number(.kilocalorie()) } == [250])
    }

    @Test("§9.2 apps and samples can share an external UUID")
    func externalUUID() async throws {
        let fixture = try MemoryFixture()
        let metadata = [HKMetadataKeyExternalUUID: "the same"]
        for app in [TestApp.diary, .ring] {
            try await fixture.save([weight(70, at(1), metadata: metadata)], as: app)
        }
        #expect(try await fixture.open(.diary).samples(mass).count == 2)
    }

    @Test("§9.3 a UUID that another app saved can't be saved")
    func foreignUUID() async throws {
        let fixture = try MemoryFixture()
        let sample = weight(70, at(1))
        try await fixture.save([sample], as: .ring)
        let store = try await fixture.open(.diary)
        #expect(try await code { try await store.save(sample) } == .errorInvalidArgument)
        #expect(try await store.samples(mass).count == 1)
    }

    @Test(
        "§9.4 the stored copy has the app's revision; the saved object is unchanged",
        .covers(
            "HKObject.sourceRevision", "HKSourceRevision.productType", "HKSource.name",
            "HKSource.bundleIdentifier"))
    func revision() async throws {
        let fixture = try MemoryFixture()
        let sample = weight(70, at(1))
        let before = sample.sourceRevision.source.bundleIdentifier
        try await fixture.save([sample], as: .watch)
        #expect(sample.sourceRevision.source.bundleIdentifier == before)
        let stored = try #require(try await fixture.open(.diary).samples(mass).first)
        #expect(stored.sourceRevision.source.bundleIdentifier == TestApp.watch.bundleIdentifier)
        #expect(stored.sourceRevision.source.name == "Watch")
        #expect(stored.sourceRevision.productType == "Watch6,1")
    }

    @Test("§9.4 saving or deleting an empty array is an error")
    func emptyArrays() async throws {
        let store = try await MemoryFixture().open(.diary)
        let none: [HKObject] = []
        #expect(try await code { try await store.save(none) } == .errorInvalidArgument)
        #expect(try await code { try await store.delete(none) } == .errorInvalidArgument)
    }

    @Test("§9.5 objects that Apple rejects at initialization are rejected by save as a whole")
    func validation() async throws {
        let store = try await MemoryFixture().open(.diary)
        let fourDays = 345_600.0
        let invalid: [(String, HKSample)] = [
            ("unit", quantity(.bodyMass, 70, .meter(), at(1), at(1))),
            ("order", weight(70, at(2), until: at(1))),
            ("length", steps(5, at(0), at(0) + fourDays + 1)),
            (
                "category value",
                HKCategorySample(
                    type: HKCategoryType(.sleepAnalysis), value: 99, start: at(1), end: at(2))
            ),
            ("metadata value", weight(70, at(1), metadata: ["list": [1, 2]])),
            ("metadata class", weight(70, at(1), metadata: [HKMetadataKeyWasUserEntered: "yes"])),
            (
                "insulin's reason",
                quantity(.insulinDelivery, 2, .internationalUnit(), at(1), at(2))
            ),
            (
                "cycle start",
                HKCategorySample(
                    type: HKCategoryType(.menstrualFlow),
                    value: HKCategoryValueMenstrualFlow.light.rawValue, start: at(1), end: at(2))
            ),
            (
                "half a blood pressure",
                HKCorrelation(
                    type: HKCorrelationType(.bloodPressure), start: at(1), end: at(1),
                    objects: [
                        quantity(
                            .bloodPressureSystolic, 120, .millimeterOfMercury(), at(1), at(1))
                    ])
            ),
        ]
        try await store.requestAuthorization(
            toShare: [HKQuantityType(.insulinDelivery), HKCategoryType(.menstrualFlow)],
            read: [])
        for (name, sample) in invalid {
            let code = try await code { try await store.save([weight(60, at(5)), sample]) }
            #expect(code == .errorInvalidArgument, "\(name)")
        }
        #expect(try await store.samples(mass).isEmpty)
        try await store.save(steps(5, at(0), at(0) + fourDays))
    }

    @Test("§9.5 the error for a sample that ends before it starts has both dates")
    func validationText() async throws {
        let store = try await MemoryFixture().open(.diary)
        let error = await #expect(throws: HKError.self) {
            try await store.save(weight(70, at(2), until: at(1)))
        }
        #expect(error?.localizedDescription.contains("startDate") == true)
        #expect(error?.localizedDescription.contains("endDate") == true)
    }

    @Test(
        "§9.5 a type reports its duration limits", .covers("HKSampleType.maximumAllowedDuration"))
    func limits() {
        #expect(HKQuantityType(.stepCount).isMaximumDurationRestricted)
        #expect(HKQuantityType(.stepCount).maximumAllowedDuration == 345_600)
    }

    @Test(
        "§9.5 an end in the distant future is undetermined, and overlaps until now",
        .covers("HKSample.hasUndeterminedDuration"))
    func undetermined() async throws {
        let store = try await MemoryFixture().open(.diary)
        let sample = HKCategorySample(
            type: HKCategoryType(.mindfulSession), value: 0, start: at(1), end: .distantFuture)
        #expect(sample.hasUndeterminedDuration)
        try await store.save(sample)
        let found = try #require(
            try await store.samples(HKCategoryType(.mindfulSession)).first)
        #expect(found.endDate == .distantFuture)
        #expect(found.hasUndeterminedDuration)
        // A hundred steps without an end: at most one bucket, not thousands of years of buckets.
        try await store.save(steps(100, at(1), .distantFuture))
        let days = try await store.collection(
            HKQuantityType(.stepCount), nil, .cumulativeSum, from: at(0),
            every: DateComponents(day: 1))
        #expect(days.statistics().count < 1000)
    }

    @Test(
        "§9.6 samples before the earliest permitted date are neither saved nor found",
        .covers("HKHealthStore.earliestPermittedSampleDate()"))
    func earliestDate() async throws {
        #expect(
            try await MemoryFixture().open(.diary).earliestPermittedSampleDate() == .distantPast)
        var settings = FixtureSettings()
        settings.earliestPermitted = at(5)
        let store = try await MemoryFixture(settings).open(.diary)
        #expect(store.earliestPermittedSampleDate() == at(5))
        #expect(
            try await code { try await store.save(weight(70, at(4))) } == .errorInvalidArgument)
        try await store.save(weight(71, at(5)))
        let all = HKQuery.predicateForSamples(withStart: at(0), end: at(9))
        #expect(try await store.samples(mass, all).count == 1)
    }

    @Test("§9.6 stored samples before the earliest permitted date are not found")
    func earlierData() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-\(UUID().uuidString).store").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await FileFixture(path: path).save(
                [weight(70, at(4)), weight(71, at(6))], as: .ring)
        }
        var settings = FixtureSettings()
        settings.earliestPermitted = at(5)
        let store = try await FileFixture(path: path, settings).open(.diary)
        #expect(try await store.samples(mass).map { $0.number(.kilogram) } == [71])
        let statistics = try await store.statistics(mass, nil, .discreteMin)
        #expect(statistics.minimumQuantity()?.doubleValue(for: .kilogram) == 71)
    }

    @Test(
        "§9.7 an app can delete only its own objects, all or none",
        .covers("HKHealthStore.delete(_:)", "HKHealthStore.deleteObjects(of:predicate:)"))
    func ownership() async throws {
        let fixture = try MemoryFixture()
        let (own, other) = (weight(70, at(1)), weight(71, at(2)))
        try await fixture.save([other], as: .ring)
        let store = try await fixture.open(.diary)
        try await store.save(own)
        let code = try await code { try await store.delete([own, other]) }
        #expect(code == .errorAuthorizationDenied)
        #expect(try await store.samples(mass).count == 2)
        let everything = HKQuery.predicateForSamples(withStart: nil, end: nil)
        #expect(try await store.deleteObjects(of: mass, predicate: everything) == 1)
        #expect(try await store.samples(mass).map(\.uuid) == [other.uuid])
    }

    @Test("§9.7 an object that isn't stored can't be deleted")
    func unknownObject() async throws {
        let store = try await MemoryFixture().open(.diary)
        #expect(
            try await code { try await store.delete(weight(70, at(1))) } == .errorInvalidArgument)
    }

    @Test("§9.7 deleting a correlation keeps its members")
    func correlationMembers() async throws {
        let store = try await MemoryFixture().open(.diary)
        let pressure = bloodPressure(120, 80, at(1))
        try await store.save(pressure)
        try await store.delete(pressure)
        #expect(try await store.correlations(HKCorrelationType(.bloodPressure)).isEmpty)
        #expect(try await store.samples(HKQuantityType(.bloodPressureSystolic)).count == 1)
    }

    @Test("§9.8 preferred units are available only for requested types")
    func preferredUnits() async throws {
        let store = try MemoryFixture().handle(.diary)
        #expect(
            try await code { _ = try await store.preferredUnits(for: [mass]) }
                == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(toShare: [], read: [mass])
        let unit = try #require(try await store.preferredUnits(for: [mass])[mass])
        #expect(mass.is(compatibleWith: unit))
    }

    private func run(
        _ store: HKHealthStore, samples: [HKSample]
    ) async throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: at(10))
        try await builder.addSamples(samples)
        try await builder.endCollection(at: at(11))
        return try #require(try await builder.finishWorkout())
    }
}

private func weight(_ kilograms: Double, _ start: Date, until end: Date) -> HKQuantitySample {
    quantity(.bodyMass, kilograms, .kilogram, start, end)
}
