import HealthTesting
import Testing

@testable import PortableConformance

/// Misuse of a store: a typed error, no partial save, and a trap only if Apple's signature can't
/// report an error.
@Suite struct BadInputRules {
    private let mass = HKQuantityType(.bodyMass)

    @Test(
        "only an unknown unit string ends the process",
        .covers("HKUnit.init(from:)"))
    func unknownUnit() async {
        await #expect(processExitsWith: .failure) { _ = HKUnit(from: "furlong/fortnight") }
        await #expect(processExitsWith: .success) { _ = HKUnit(from: "count/min") }
    }

    @Test(
        "reading a value in an incompatible unit ends the process",
        .covers("HKQuantity.doubleValue(for:)"))
    func incompatibleUnit() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantity(unit: .meter(), doubleValue: 1).doubleValue(for: .gram())
        }
    }

    @Test(
        "comparing incompatible quantities ends the process", .covers("HKQuantity.compare(_:)"))
    func incomparable() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantity(unit: .meter(), doubleValue: 1)
                .compare(HKQuantity(unit: .gram(), doubleValue: 1))
        }
    }

    @Test(
        "reading the duration limit of a type without one ends the process",
        .covers("HKSampleType.maximumAllowedDuration"))
    func unrestrictedDuration() async {
        await #expect(processExitsWith: .failure) {
            _ = HKObjectType.workoutType().minimumAllowedDuration
        }
    }

    @Test("stopping a query before its execution has no effect and causes no crash")
    func stopFirst() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1)))
        let query = HKObserverQuery(sampleType: mass, predicate: nil) { _, done, _ in done() }
        store.stop(query)
        store.execute(query)
        store.stop(query)
        #expect(try await store.samples(mass).count == 1)
    }

    @Test("a query executed on two stores runs only on the first")
    func twoStores() async throws {
        let (first, second) = (
            try await MemoryFixture().open(.diary), try await MemoryFixture().open(.diary)
        )
        try await first.save(weight(70, at(1)))
        let results = Recorder<(count: Int?, code: HKError.Code?)>()
        let query = HKSampleQuery(
            sampleType: mass, predicate: nil, limit: 0, sortDescriptors: nil
        ) { _, samples, error in results.record((samples?.count, (error as? HKError)?.code)) }
        first.execute(query)
        second.execute(query)
        let actual = try await waitFor(2, in: results)
        #expect(actual.contains { $0.count == 1 })
        #expect(actual.contains { $0.code == .errorInvalidArgument })
    }

    @Test("a large save with one invalid object saves nothing, and the store remains usable")
    func largeSave() async throws {
        let isTorture = TestTier.isTorture
        let count = isTorture ? 1_000_000 : 20_000
        let store = try await MemoryFixture().open(.diary)
        var samples: [HKObject] = (0..<count).map { weight(70, at(0, 0, Double($0))) }
        samples[count * 2 / 3] = quantity(.bodyMass, 70, .kilogram, at(2), at(1))
        let batch = samples
        #expect(try await code { try await store.save(batch) } == .errorInvalidArgument)
        #expect(try await store.samples(mass, limit: 1).isEmpty)
        try await store.save(weight(71, at(1)))
        #expect(try await store.samples(mass).count == 1)
    }

    @Test("NaN and infinite values are rejected")
    func notANumber() async throws {
        let store = try await MemoryFixture().open(.diary)
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(
                try await code { try await store.save(weight(value, at(1))) }
                    == .errorInvalidArgument)
        }
        #expect(try await store.samples(mass).isEmpty)
    }

    @Test("a query subclass with inconsistent properties gets a result")
    func inconsistentSubclass() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1)))
        let results = Recorder<Int>()
        let query = InconsistentQuery(
            sampleType: mass, predicate: nil, limit: 0, sortDescriptors: nil
        ) { _, samples, _ in results.record(samples?.count ?? -1) }
        store.execute(query)
        try await waitFor(1, in: results)
        #expect(try await store.samples(mass).count == 1)
    }

    @Test("a client's sample subclass is saved with its initial values, or rejected")
    func sampleSubclass() async throws {
        let store = try await MemoryFixture().open(.diary)
        let sample = OverridingSample(
            type: mass, quantity: HKQuantity(unit: .kilogram, doubleValue: 70), start: at(1),
            end: at(1))
        let code = try await code { try await store.save(sample) }
        let found = try await store.samples(mass)
        if code == nil {
            #expect(found.count == 1)
            #expect(found.first?.startDate.timeIntervalSinceReferenceDate.isFinite == true)
        } else {
            #expect(code == .errorInvalidArgument)
            #expect(found.isEmpty)
        }
    }

    @Test("a handler can call the store")
    func nestedCalls() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1)))
        let inner = Recorder<Int>()
        let type = mass
        store.execute(
            HKSampleQuery(sampleType: type, predicate: nil, limit: 0, sortDescriptors: nil) {
                outer, _, _ in
                store.stop(outer)
                store.save(weight(71, at(2))) { _, _ in
                    store.execute(
                        HKSampleQuery(
                            sampleType: type, predicate: nil, limit: 0, sortDescriptors: nil
                        ) { _, samples, _ in inner.record(samples?.count ?? -1) })
                }
            })
        #expect(try await waitFor(1, in: inner) == [2])
    }

    @Test(
        "without available health data, every call fails with the same code",
        .covers("HKHealthStore.save(_:)"))
    func unavailable() async throws {
        var settings = FixtureSettings()
        settings.availability = .unavailable
        let store = try MemoryFixture(settings).handle(.diary)
        let expected = HKError.Code.errorHealthDataUnavailable
        #expect(try await code { try await store.save(weight(70, at(1))) } == expected)
        #expect(try await code { _ = try await store.samples(mass) } == expected)
        #expect(
            try await code { try await store.requestAuthorization(toShare: [mass], read: []) }
                == expected)
    }
}

/// A query that reports another predicate and limit than it was created with.
private final class InconsistentQuery: HKSampleQuery, @unchecked Sendable {
    override var predicate: NSPredicate? { NSPredicate { _, _ in false } }
    override var limit: Int { -5 }
}

/// A sample whose dates are invalid.
private final class OverridingSample: HKQuantitySample, @unchecked Sendable {
    override var startDate: Date { Date(timeIntervalSinceReferenceDate: .nan) }
}
