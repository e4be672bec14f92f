import Testing

@testable import PortableConformance

/// §7: observers, background delivery and other processes.
@Suite struct DeliveryRules {
    @Test("§7.1 an observer is called for changes of other apps, but not of other types")
    func otherApps() async throws {
        let fixture = try MemoryFixture()
        let store = try await fixture.open(.diary)
        let calls = try await observe(.bodyMass, on: store)
        let other = try await fixture.open(.phone)
        let stepCalls = try await observe(.stepCount, on: other)
        for hour in 1...3 {
            try await fixture.save([steps(5, at(hour), at(hour, 30))], as: .watch)
            try await waitFor(hour + 1, in: stepCalls)
        }
        // A call for the first ones would have arrived before the third one was reported.
        #expect(calls.count == 1)
        try await fixture.save([weight(70, at(1))], as: .ring)
        try await waitFor(2, in: calls)
    }

    @Test(
        "§7.1 an observer is called for changes of another process",
        .covers(
            "HKObserverQuery",
            "HKObserverQuery.init(sampleType:predicate:updateHandler:)"))
    func otherProcess() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("health.store").path
        let fixture = try FileFixture(path: path)
        let store = try await fixture.open(.diary)
        let calls = try await observe(.bodyMass, on: store)
        let start = try await store.changes(HKQuantityType(.bodyMass)).anchor
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await FileFixture(path: path).save([weight(71.5, at(3))], as: .ring)
        }
        try await waitFor(2, in: calls)
        let page = try await store.changes(HKQuantityType(.bodyMass), after: start)
        #expect(page.added.map { $0.number(.kilogram) } == [71.5])
        #expect(
            page.added.map(\.sourceRevision.source.bundleIdentifier)
                == [TestApp.ring.bundleIdentifier])
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try await FileFixture(path: path).open(.ring)
            _ = try await store.deleteObjects(
                of: HKQuantityType(.bodyMass),
                predicate: HKQuery.predicateForSamples(
                    withStart: nil, end: nil))
        }
        try await waitFor(3, in: calls)
        #expect(try await store.samples(HKQuantityType(.bodyMass)).isEmpty)
    }

    @Test("§7.1 an observer with a predicate is called for matching changes only")
    func predicate() async throws {
        let store = try await MemoryFixture().open(.diary)
        let type = HKQuantityType(.bodyMass)
        let matching = Recorder<Int>()
        let morning = HKQuery.predicateForSamples(withStart: at(0), end: at(6))
        store.execute(
            HKObserverQuery(sampleType: type, predicate: morning) { _, done, _ in
                matching.record(1)
                done()
            })
        try await waitFor(1, in: matching)
        let all = try await observe(.bodyMass, on: store)
        for hour in 12...14 {
            try await store.save(weight(70, at(hour)))
            try await waitFor(hour - 10, in: all)
        }
        // A call for the first ones would have arrived before the third one was reported.
        #expect(matching.count == 1)
        let early = weight(71, at(1))
        try await store.save(early)
        try await waitFor(2, in: matching)
        try await store.delete(early)
        try await waitFor(3, in: matching)
    }

    @Test("§6.6 deletions, anchors and permissions persist after their process ends")
    func persistence() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("health.store").path
        let anchorFile = folder.appendingPathComponent("anchor").path
        await #expect(processExitsWith: .success) {
            [path = path as String, anchorFile = anchorFile as String] in
            let store = try await FileFixture(path: path).open(.diary)
            let type = HKQuantityType(.bodyMass)
            let anchor = try await store.changes(type).anchor
            try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
                .write(to: URL(fileURLWithPath: anchorFile))
            let deleted = weight(70, at(1))
            try await store.save([deleted, weight(71, at(2))])
            try await store.delete(deleted)
        }
        let store = try FileFixture(path: path).handle(.diary)
        let type = HKQuantityType(.bodyMass)
        #expect(store.authorizationStatus(for: type) == .sharingAuthorized)
        let data = try Data(contentsOf: URL(fileURLWithPath: anchorFile))
        let anchor = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data))
        let page = try await store.changes(type, after: anchor)
        #expect(page.added.map { $0.number(.kilogram) } == [71])
        #expect(page.deleted.count == 1)
    }

    @Test("§7.2 an observer is called after execution even without changes")
    func firstCall() async throws {
        let calls = try await observe(.bodyMass, on: try await MemoryFixture().open(.diary))
        #expect(calls.count == 1)
    }

    @Test(
        "§7.3 background delivery can't be enabled for correlations",
        .covers(
            "HKHealthStore.enableBackgroundDelivery(for:frequency:)",
            "HKHealthStore.disableBackgroundDelivery(for:)",
            "HKHealthStore.disableAllBackgroundDelivery()"))
    func enabling() async throws {
        let store = try await MemoryFixture().open(.diary)
        #expect(
            try await code {
                try await store.enableBackgroundDelivery(
                    for: HKCorrelationType(.bloodPressure), frequency: .immediate)
            } == .errorInvalidArgument)
        try await store.requestAuthorization(
            toShare: [], read: [HKCharacteristicType(.bloodType)])
        let types: [HKObjectType] = [
            HKQuantityType(.bodyMass), HKCategoryType(.sleepAnalysis), .workoutType(),
            HKCharacteristicType(.bloodType),
        ]
        for type in types {
            try await store.enableBackgroundDelivery(for: type, frequency: .hourly)
            try await store.disableBackgroundDelivery(for: type)
        }
        try await store.disableAllBackgroundDelivery()
        #expect(
            [HKUpdateFrequency.immediate, .hourly, .daily, .weekly].map(\.rawValue) == [1, 2, 3, 4])
    }

    private func observe(
        _ type: HKQuantityTypeIdentifier, on store: HKHealthStore
    ) async throws -> Recorder<Int> {
        let calls = Recorder<Int>()
        store.execute(
            HKObserverQuery(sampleType: HKQuantityType(type), predicate: nil) { _, done, _ in
                calls.record(1)
                done()
            })
        try await waitFor(1, in: calls)
        return calls
    }
}
