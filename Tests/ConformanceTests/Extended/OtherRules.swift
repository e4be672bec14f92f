import Testing

@testable import PortableConformance

/// §10: sources, correlations, series and workouts of several apps.
@Suite struct OtherRules {
    @Test("§10.2 only apps with a matching sample are sources")
    func sources() async throws {
        let fixture = try MemoryFixture()
        let type = HKQuantityType(.bodyMass)
        try await fixture.save([weight(70, at(1))], as: .ring)
        try await fixture.save([weight(71, at(9))], as: .health)
        try await fixture.save([steps(5, at(1), at(2))], as: .watch)
        let store = try await fixture.open(.diary)
        #expect(try await store.sources(of: type).count == 2)
        let morning = HKQuery.predicateForSamples(withStart: at(0), end: at(5))
        #expect(
            try await store.sources(of: type, morning).map(\.bundleIdentifier)
                == [TestApp.ring.bundleIdentifier])
    }

    @Test("§10.3 members of a correlation do not match the predicate for samples without one")
    func noCorrelation() async throws {
        let store = try await MemoryFixture().open(.diary)
        let standalone = quantity(.bloodPressureSystolic, 111, .millimeterOfMercury(), at(3), at(3))
        try await store.save([bloodPressure(120, 80, at(1)), standalone])
        let systolic = HKQuantityType(.bloodPressureSystolic)
        #expect(try await store.samples(systolic).count == 2)
        #expect(
            try await store.samples(systolic, HKQuery.predicateForObjectsWithNoCorrelation())
                .map(\.uuid) == [standalone.uuid])
    }

    @Test("§10.4 an app's energy during a Watch workout does not increase the total")
    func workoutEnergy() async throws {
        let fixture = try MemoryFixture()
        for (app, calories) in [(TestApp.watch, 300.0), (.ring, 450)] {
            try await fixture.save(
                [quantity(.activeEnergyBurned, calories, .kilocalorie(), at(10), at(11))], as: app)
            let store = try await fixture.open(app)
            let workout = HKWorkout(activityType: .running, start: at(10), end: at(11))
            try await store.save(workout)
        }
        let store = try await fixture.open(.diary)
        let energy = try await store.statistics(
            HKQuantityType(.activeEnergyBurned), nil, .cumulativeSum)
        #expect(energy.sum(.kilocalorie()) == 300)
        #expect(try await store.samples(HKObjectType.workoutType()).count == 2)
    }

    @Test(
        "§10.5 quantities of two series are ordered by start, each once, done with the last",
        .covers("HKQuantitySeriesSampleQuery"))
    func interleaved() async throws {
        let fixture = try MemoryFixture()
        let type = HKQuantityType(.runningPower)
        for (app, offset) in [(TestApp.watch, 0), (.ring, 1)] {
            let builder = HKQuantitySeriesSampleBuilder(
                healthStore: try await fixture.open(app), quantityType: type, startDate: at(10),
                device: nil)
            for minute in 0..<3 {
                try builder.insert(
                    HKQuantity(unit: .watt(), doubleValue: Double(2 * minute + offset)),
                    at: at(10, 2 * minute + offset))
            }
            _ = try await builder.finishSeries(metadata: nil, endDate: at(11))
        }
        let store = try await fixture.open(.diary)
        func enumerate(_ orderedBySample: Bool) async throws -> (values: [Double], ends: Int) {
            let actual = Recorder<(watts: Double?, isDone: Bool)>()
            let query = HKQuantitySeriesSampleQuery(quantityType: type, predicate: nil) {
                _, quantity, _, _, isDone, _ in
                actual.record((quantity?.doubleValue(for: .watt()), isDone))
            }
            query.orderByQuantitySampleStartDate = orderedBySample
            store.execute(query)
            try await waitFor("the end") { actual.entries.contains { $0.isDone } }
            return (
                actual.entries.compactMap(\.watts), actual.entries.filter(\.isDone).count
            )
        }
        let interleaved = try await enumerate(false)
        #expect(interleaved.values == [0, 1, 2, 3, 4, 5])
        #expect(interleaved.ends == 1)
        let bySample = try await enumerate(true)
        #expect(bySample.values == [0, 2, 4, 1, 3, 5] || bySample.values == [1, 3, 5, 0, 2, 4])
    }

    @Test(
        "§10.5 a series quantity has its interval and, on request, its sample",
        .covers("HKQuantitySeriesSampleQueryDescriptor", "HKQuantitySeriesSampleBuilder"))
    func seriesDetails() async throws {
        let store = try await MemoryFixture().open(.diary)
        let type = HKQuantityType(.stepCount)
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: store, quantityType: type, startDate: at(10), device: nil)
        for minute in [0, 10] {
            try builder.insert(
                HKQuantity(unit: .count(), doubleValue: Double(minute + 5)),
                for: DateInterval(start: at(10, minute), end: at(10, minute + 5)))
        }
        let saved = try await builder.finishSeries(metadata: nil, endDate: at(10, 15))
        #expect(saved.map { $0.number() } == [20])
        let predicate = HKSamplePredicate.quantitySample(type: type)
        for (options, uuids) in [
            (HKQuantitySeriesSampleQueryDescriptor.Options(), [nil, nil]),
            (.includeSample, [saved.first?.uuid, saved.first?.uuid]),
        ] {
            let descriptor = HKQuantitySeriesSampleQueryDescriptor(
                predicate: predicate, options: options)
            var actual: [HKQuantitySeriesSampleQueryDescriptor.Result] = []
            for try await result in descriptor.results(for: store) { actual.append(result) }
            #expect(actual.map { $0.quantity.doubleValue(for: .count()) } == [5, 15])
            #expect(actual.map(\.dateInterval.start) == [at(10), at(10, 10)])
            #expect(actual.map(\.dateInterval.end) == [at(10, 5), at(10, 15)])
            #expect(actual.map { $0.sample?.uuid } == uuids)
        }
    }

    @Test(
        "§10.8 elapsed time does not increase in a pause",
        .covers("HKWorkoutBuilder.elapsedTime(at:)"))
    func elapsedTime() async throws {
        let store = try await MemoryFixture().open(.diary)
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
        try await builder.beginCollection(at: at(10))
        let events: [(HKWorkoutEventType, Int)] = [(.pause, 20), (.resume, 30)]
        try await builder.addWorkoutEvents(
            events.map { type, minute in
                HKWorkoutEvent(
                    type: type, dateInterval: DateInterval(start: at(10, minute), duration: 0),
                    metadata: nil)
            })
        let minutes = [10, 20, 25, 30, 40].map { builder.elapsedTime(at: at(10, $0)) / 60 }
        #expect(minutes == [10, 20, 20, 20, 30])
    }

    @Test("§10.8 the builder's methods have an order; samples need a started collection")
    func builderOrder() async throws {
        let store = try await MemoryFixture().open(.diary)
        func builder() -> HKWorkoutBuilder {
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            return HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
        }
        let unstarted = builder()
        await #expect(throws: HKError.self) { try await unstarted.addSamples([pulse(100, at(10))]) }
        await #expect(throws: HKError.self) { try await unstarted.endCollection(at: at(11)) }
        await #expect(throws: HKError.self) { _ = try await unstarted.finishWorkout() }
        let started = builder()
        try await started.beginCollection(at: at(10))
        await #expect(throws: HKError.self) { try await started.beginCollection(at: at(10)) }
        await #expect(throws: HKError.self) { _ = try await started.finishWorkout() }
        await #expect(throws: HKError.self) { try await started.addSamples([pulse(100, at(9))]) }
        try await started.addMetadata(["a": 1, "b": 1])
        try await started.addMetadata(["b": 2])
        try await started.endCollection(at: at(11))
        let workout = try #require(try await started.finishWorkout())
        #expect(workout.metadata?["a"] as? Int == 1)
        #expect(workout.metadata?["b"] as? Int == 2)
    }

    @Test("§10.8 samples are saved when added, and remain if the workout is discarded")
    func discarded() async throws {
        let store = try await MemoryFixture().open(.diary)
        let configuration = HKWorkoutConfiguration()
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: at(10))
        try await builder.addSamples([pulse(100, at(10, 5))])
        #expect(try await store.samples(HKQuantityType(.heartRate)).count == 1)
        builder.discardWorkout()
        #expect(try await store.samples(HKQuantityType(.heartRate)).count == 1)
        #expect(try await store.samples(HKObjectType.workoutType()).isEmpty)
    }

    @Test("§10.8 finishing while the device is locked returns neither a workout nor an error")
    func finishedWhileLocked() async throws {
        let fixture = try MemoryFixture()
        let store = try await fixture.open(.diary)
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
        try await builder.beginCollection(at: at(10))
        try await builder.endCollection(at: at(11))
        fixture.lock()
        #expect(try await builder.finishWorkout() == nil)
        fixture.unlock()
        #expect(try await store.samples(HKObjectType.workoutType()).count == 1)
    }

    @Test("§10.8 deleting a workout keeps its samples and deletes its route")
    func deletedWorkout() async throws {
        let store = try await MemoryFixture().open(.diary)
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
        try await builder.beginCollection(at: at(10))
        try await builder.addSamples([pulse(100, at(10, 5))])
        try await builder.endCollection(at: at(11))
        let workout = try #require(try await builder.finishWorkout())
        let route = HKWorkoutRouteBuilder(healthStore: store, device: nil)
        try await route.insertRouteData([
            CLLocation(latitude: 52.5, longitude: 13.4),
            CLLocation(latitude: 52.6, longitude: 13.5),
        ])
        _ = try await route.finishRoute(with: workout, metadata: nil)
        #expect(try await store.samples(HKSeriesType.workoutRoute()).count == 1)
        try await store.delete(workout)
        #expect(try await store.samples(HKQuantityType(.heartRate)).count == 1)
        #expect(try await store.samples(HKSeriesType.workoutRoute()).isEmpty)
    }

    @Test("§10.8 adding samples to an unsaved workout is an error")
    func unsavedWorkout() async throws {
        let store = try await MemoryFixture().open(.diary)
        let workout = HKWorkout(activityType: .running, start: at(10), end: at(11))
        await #expect(throws: HKError.self) {
            try await store.addSamples([pulse(100, at(10, 5))], to: workout)
        }
        try await store.save(workout)
        try await store.addSamples([pulse(100, at(10, 5))], to: workout)
        #expect(
            try await store.samples(
                HKQuantityType(.heartRate), HKQuery.predicateForObjects(from: workout)
            ).count == 1)
    }

    @Test("§10.12 another app that may read an object reads its attachments and can't remove them")
    func attachments() async throws {
        let fixture = try MemoryFixture()
        let sample = weight(70, at(1))
        let (ring, diary) = (try await fixture.open(.ring), try await fixture.open(.diary))
        try await ring.save(sample)
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try Data([1, 2, 3]).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let added = try await HKAttachmentStore(healthStore: ring).addAttachment(
            to: sample, name: "Scan", contentType: .pdf, url: url)
        let others = HKAttachmentStore(healthStore: diary)
        #expect(try await others.attachments(for: sample) == [added])
        #expect(try await others.dataReader(for: added).data == Data([1, 2, 3]))
        let error = await #expect(throws: HKError.self) {
            try await others.removeAttachment(added, from: sample)
        }
        #expect(error?.code == .errorAuthorizationDenied)
    }
}
