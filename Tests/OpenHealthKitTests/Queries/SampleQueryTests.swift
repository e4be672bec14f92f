import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("HKSampleQuery")
struct SampleQueryTests {
    private typealias Q = QueriedStore

    @Test(
        "§9.9 samples are ordered by start date, then by the order of saving",
        .covers(
            "HKSampleQuery", "HKObjectQueryNoLimit",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)"))
    func order() async throws {
        let store = try await Q.open()
        try await store.save([Q.walk(3, from: 20, to: 30)])
        try await store.save([Q.walk(1, from: 0, to: 10)])
        try await store.save([Q.walk(2, from: 0, to: 5)])
        #expect(try await store.querySamples(Q.steps).map(\.steps) == [1, 2, 3])
    }

    @Test("§1.1 raw samples of overlapping sources are not merged", .covers("HKSampleQuery"))
    func raw() async throws {
        let store = try await Q.open()
        let watch = try await Q.other(store, "com.apple.health.watch")
        try await store.save(Q.walk(100, from: 0, to: 10))
        try await watch.save(Q.walk(90, from: 0, to: 10))
        #expect(try await store.querySamples(Q.steps).map(\.steps) == [100, 90])
    }

    @Test(
        "§9.9 sort descriptors are applied before the limit",
        .covers("HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)"),
        arguments: [
            NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false),
            NSSortDescriptor(keyPath: \HKSample.endDate, ascending: false),
            NSSortDescriptor(keyPath: \HKQuantitySample.endDate, ascending: false),
        ].map(Sorted.init))
    private func sorted(_ sorted: Sorted) async throws {
        let store = try await Q.open()
        try await store.save([
            Q.walk(1, from: 0, to: 50), Q.walk(2, from: 5, to: 10), Q.walk(3, from: 6, to: 40),
        ])
        let samples = try await store.querySamples(Q.steps, limit: 2, [sorted.descriptor])
        #expect(samples.map(\.steps) == [1, 3])
    }

    /// A sort descriptor is immutable, though Foundation on Linux doesn't declare it sendable.
    private struct Sorted: @unchecked Sendable {
        let descriptor: NSSortDescriptor
    }

    @Test("§9.9 an unknown sort key is an invalid argument")
    func unknownSortKey() async throws {
        let store = try await Q.open()
        let key = NSSortDescriptor(key: "sourceRevision", ascending: true)
        #expect(
            await code { _ = try await store.querySamples(Q.steps, nil, [key]) }
                == .errorInvalidArgument)
    }

    @Test(
        "§9.9 several descriptors return their sorted union, each sample once, up to one limit",
        .covers(
            "HKQueryDescriptor", "HKQueryDescriptor.init(sampleType:predicate:)",
            "HKSampleQuery.init(queryDescriptors:limit:resultsHandler:)",
            "HKSampleQuery.init(queryDescriptors:limit:sortDescriptors:resultsHandler:)"))
    func descriptors() async throws {
        let store = try await Q.open()
        try await store.save([
            Q.walk(1, from: 0, to: 1), Q.beat(60, at: 2), Q.walk(3, from: 3, to: 4),
            Q.beat(61, at: 5),
        ])
        let late = HKQuery.predicateForSamples(withStart: Q.minute(2), end: nil)
        let descriptors = [
            HKQueryDescriptor(sampleType: Q.steps, predicate: nil),
            HKQueryDescriptor(sampleType: Q.steps, predicate: late),
            HKQueryDescriptor(sampleType: Q.heartRate, predicate: nil),
        ]
        let received = Received<[Date]>()
        store.execute(
            HKSampleQuery(queryDescriptors: descriptors, limit: HKObjectQueryNoLimit) {
                _, samples, _ in received((samples ?? []).map(\.startDate))
            })
        #expect(try await received.next() == [0, 2, 3, 5].map(Q.minute))
        store.execute(
            HKSampleQuery(queryDescriptors: descriptors, limit: 3) {
                _, samples, _ in received((samples ?? []).map(\.startDate))
            })
        #expect(try await received.next().count == 3)
        store.execute(
            HKSampleQuery(
                queryDescriptors: descriptors, limit: 2,
                sortDescriptors: [NSSortDescriptor(keyPath: \HKSample.startDate, ascending: false)]
            ) { _, samples, _ in received((samples ?? []).map(\.startDate)) })
        #expect(try await received.next() == [5, 3].map(Q.minute))
    }

    @Test("§9.9 a negative limit and a query without descriptors are invalid arguments")
    func invalidArguments() async throws {
        let store = try await Q.open()
        #expect(
            await code { _ = try await store.querySamples(Q.steps, limit: -1) }
                == .errorInvalidArgument)
        let received = Received<HKError.Code?>()
        store.execute(
            HKSampleQuery(queryDescriptors: [], limit: 1) { received(($2 as? HKError)?.code) })
        #expect(try await received.next() == .errorInvalidArgument)
    }

    @Test("§2.9 a block predicate is reported to the handler as an invalid argument")
    func blockPredicate() async throws {
        let store = try await Q.open()
        let block = NSPredicate { _, _ in true }
        #expect(
            await code { _ = try await store.querySamples(Q.steps, block) } == .errorInvalidArgument
        )
    }

    @Test(
        "§8.6, §8.11 a type never requested fails the whole query; a denied type adds nothing",
        .covers("HKSampleQuery"))
    func authorization() async throws {
        var configuration = HealthStoreConfiguration.withoutSummary
        configuration.authorization = .types([Q.heartRate: .denied])
        let store = HKHealthStore.inMemory(configuration: configuration)
        try await store.requestAuthorization(toShare: [Q.steps], read: [Q.steps, Q.heartRate])
        try await store.save(Q.walk(5, from: 0, to: 1))
        #expect(
            await code { _ = try await store.querySamples(Q.sleep) }
                == .errorAuthorizationNotDetermined)
        let watch = store.withIdentity(AppIdentity("com.example.watch"))
        try await watch.setEverything()
        try await watch.save(Q.beat(60, at: 0))
        #expect(try await store.querySamples(Q.heartRate).isEmpty)
        let received = Received<Result<[HKSample], any Error>>()
        func runQuery(_ types: [HKSampleType]) {
            store.execute(
                HKSampleQuery(
                    queryDescriptors: types.map {
                        HKQueryDescriptor(sampleType: $0, predicate: nil)
                    }, limit: 0
                ) { received(.init($1, $2)) })
        }
        runQuery([Q.steps, Q.heartRate])
        #expect(try await received.next().get().map(\.steps) == [5])
        runQuery([Q.steps, Q.sleep])
        let result = try await received.next()
        #expect(await code { _ = try result.get() } == .errorAuthorizationNotDetermined)
    }

    @Test("§8.7 reading fails while the device is locked and succeeds after the unlock")
    func locked() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(5, from: 0, to: 1))
        store.protectedData.lock()
        #expect(
            await code { _ = try await store.querySamples(Q.steps) } == .errorDatabaseInaccessible)
        store.protectedData.unlock()
        #expect(try await store.querySamples(Q.steps).count == 1)
    }

    @Test("§9.9 a store with shuffled order returns the same samples in another order")
    func shuffled() async throws {
        var configuration = HealthStoreConfiguration.withoutSummary
        configuration.unsortedOrder = .shuffled(seed: 7)
        let store = try await Q.open(configuration)
        try await store.save((0..<50).map { Q.walk(Double($0), from: Double($0), to: Double($0)) })
        let counts = try await store.querySamples(Q.steps).compactMap(\.steps)
        #expect(counts != (0..<50).map(Double.init))
        #expect(counts.sorted() == (0..<50).map(Double.init))
    }

    @Test(
        "the parameters of a query can be read from its properties",
        .covers(
            "HKQuery", "HKQuery.predicate", "HKQuery.objectType", "HKQuery.sampleType",
            "HKSampleQuery.limit", "HKSampleQuery.sortDescriptors"))
    func properties() {
        let condition = HKQuery.predicateForSamples(withStart: Q.midnight, end: nil)
        let sort = [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)]
        let query = HKSampleQuery(
            sampleType: Q.steps, predicate: condition, limit: 3, sortDescriptors: sort
        ) { _, _, _ in }
        #expect(query.objectType == Q.steps)
        #expect(query.sampleType == Q.steps)
        #expect(query.predicate === condition)
        #expect(query.limit == 3)
        #expect(query.sortDescriptors?.map(\.key) == [HKSampleSortIdentifierStartDate])
        let several = HKSampleQuery(
            queryDescriptors: [Q.steps, Q.sleep].map {
                HKQueryDescriptor(sampleType: $0, predicate: condition)
            }, limit: HKObjectQueryNoLimit
        ) { _, _, _ in }
        #expect(several.objectType == nil && several.sampleType == nil)
        #expect(several.predicate == nil)
        #expect(several.limit == 0 && several.sortDescriptors == nil)
        let summaries = HKActivitySummaryQuery(predicate: nil) { _, _, _ in }
        #expect(summaries.objectType == .activitySummaryType() && summaries.sampleType == nil)
    }

    @Test("an unlimited query without a predicate is a finding, with the rows it read")
    func unlimited() async throws {
        let store = try await Q.open()
        try await store.save([Q.walk(1, from: 0, to: 1), Q.walk(2, from: 1, to: 2)])
        _ = try await store.querySamples(Q.steps, limit: 1)
        #expect(store.diagnostics.findings.isEmpty)
        _ = try await store.querySamples(Q.steps)
        let kinds = store.diagnostics.findings.map(\.kind)
        #expect(kinds == [.unlimitedQuery(types: [Q.steps.identifier], rowsRead: 2)])
    }

    @Test("raw steps of overlapping sources are a finding unless statistics follow")
    func overlap() async throws {
        let store = try await Q.open()
        let watch = try await Q.other(store, "com.example.watch")
        try await store.save(Q.walk(100, from: 0, to: 10))
        try await watch.save(Q.walk(90, from: 5, to: 10))
        let rules = { store.diagnostics.findings.map(\.rule) }
        _ = try await store.querySamples(Q.steps, limit: 10)
        // On a slow machine the second query may be reported too, because its statistics come too
        // late.
        #expect(Set(rules()) == [.useStatistics])
        let second = try await Q.other(store, "com.example.second")
        _ = try await second.querySamples(Q.steps, limit: 10)
        _ = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: Q.steps), options: .cumulativeSum
        ).result(for: second)
        #expect(Set(rules()) == [.useStatistics])
    }
}

extension HKHealthStore {
    /// Grants this app everything, regardless of the policy.
    fileprivate func setEverything() async throws {
        try setAuthorization(.granted, for: QueriedStore.all)
    }
}
