import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Heartbeats of imports")
struct ImportedHeartbeatsTests {
    private let folder: StoreFolder
    private let store: HKHealthStore
    private let series = HKSeriesType.heartbeat()
    private let variability = HKQuantityType(.heartRateVariabilitySDNN)

    init() throws { try self.init(authorization: .grant) }

    private init(authorization: AuthorizationPolicy) throws {
        folder = try StoreFolder()
        var configuration = HealthStoreConfiguration.withoutSummary
        configuration.authorization = authorization
        store = try HKHealthStore(
            path: folder.path + "/health.sqlite", identity: AppIdentity("com.example.beats"),
            configuration: configuration)
    }

    /// Imports an export with samples of heart-rate variability: their start and their beats.
    private func importSamples(_ samples: [(Double, [Heartbeat]?)], date: Double) throws {
        try SampleStore.importSnapshot(
            into: folder.path + "/health.sqlite",
            SnapshotDescription(file: "a.zip", bytes: 1, exportDate: date, importedAt: date)
        ) { writer, context in
            var batch = SampleBatch(
                sources: [Source(name: "Watch", bundleIdentifier: "")],
                origins: [Origin(source: 0, unit: "ms")])
            for (start, beats) in samples {
                if let beats { batch.details[batch.samples.count] = .heartbeats(beats) }
                batch.samples.append(
                    Sample(
                        type: try writer.type(identifier: variability.identifier), origin: 0,
                        start: start, end: start + 60, value: 40))
            }
            try writer.write(batch)
            try context.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
            _ = try writer.finish(.complete)
        }
        store.connection.feed.wake()
    }

    private let beats = [
        Heartbeat(bpm: 61, time: "6:14:48.98 PM", offset: 0.98),
        Heartbeat(bpm: 61, time: "6:14:49.96 PM", offset: 1.96),
        Heartbeat(bpm: 60, time: "6:14:58.00 PM", offset: 10),
    ]

    private func found(_ predicate: NSPredicate? = nil) async throws -> [HKHeartbeatSeriesSample] {
        try await HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries(predicate)], sortDescriptors: []
        ).result(for: store)
    }

    @Test("§10.5 a sample with beats implies a series with its times, source and beats")
    func derived() async throws {
        try importSamples([(1000, beats), (2000, nil), (3000, beats)], date: 1e6)
        // Reading heart-rate variability isn't needed.
        try await store.requestAuthorization(toShare: [], read: [series])
        let found = try await found()
        #expect(found.map(\.start) == [1000, 3000])
        #expect(found.map(\.end) == [1060, 3060])
        #expect(found.map(\.count) == [3, 3])
        #expect(Set(found.map(\.uuid)).count == 2)
        let first = try #require(found.first)
        #expect(first.sourceRevision.source.name == "Watch")
        #expect(first.sampleType == series)
        var times: [String] = []
        let query = HKHeartbeatSeriesQueryDescriptor(first)
        for try await beat in query.results(for: store) {
            times.append("\(beat.timeIntervalSinceStart)\(beat.precededByGap ? " gap" : "")")
        }
        #expect(times == ["0.98", "1.96", "10.0 gap"])
        let variability = HeartRateVariability(first.beats)
        #expect(variability.intervalCount == 1)
    }

    @Test("§10.5 derived series are found by UUID and time, within limits and in order")
    func predicates() async throws {
        try importSamples((0..<10).map { (Double($0) * 1000, beats) }, date: 1e6)
        try await store.requestAuthorization(toShare: [], read: [series])
        let all = try await found()
        #expect(all.count == 10)
        #expect(try await found(HKQuery.predicateForObject(with: all[4].uuid)) == [all[4]])
        let during = HKQuery.predicateForSamples(
            withStart: Date(timeIntervalSinceReferenceDate: 2000),
            end: Date(timeIntervalSinceReferenceDate: 4000), options: .strictStartDate)
        #expect(try await found(during) == [all[2], all[3]])
        let latest = try await HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries()],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 2
        ).result(for: store)
        #expect(latest == [all[9], all[8]])
        let other = HKQuery.predicateForObjects(from: HKSource.default())
        #expect(try await found(other).isEmpty)
        #expect(try await found(HKQuery.predicateForObject(with: UUID())).isEmpty)
    }

    @Test("§10.5 anchored queries return derived series page by page, and their deletion")
    func anchored() async throws {
        let samples = (0..<9).map { (Double($0) * 1000, $0 % 3 == 0 ? beats : nil) }
        try importSamples(samples, date: 1e6)
        try await store.requestAuthorization(toShare: [], read: [series])
        let all = try await found()
        var anchor: HKQueryAnchor?
        var pages: [[UUID]] = []
        repeat {
            let page = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.heartbeatSeries()], anchor: anchor, limit: 2
            ).result(for: store)
            anchor = page.newAnchor
            pages.append(page.addedSamples.map(\.uuid))
        } while pages.last?.isEmpty == false && pages.count < 9
        #expect(pages == [all.prefix(2).map(\.uuid), [all[2].uuid], []])
        try importSamples(Array(samples.dropFirst()), date: 2e6)
        let page = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.heartbeatSeries()], anchor: anchor
        ).result(for: store)
        #expect(page.addedSamples.isEmpty)
        #expect(page.deletedObjects.map(\.uuid) == [all[0].uuid])
        #expect(try await found() == Array(all.dropFirst()))
    }

    @Test("§10.5 an observer of series is called for an import with beats, not for others")
    func observed() async throws {
        try await store.requestAuthorization(toShare: [], read: [series])
        let received = Received<Bool>()
        let query = HKObserverQuery(sampleType: series, predicate: nil) { _, completion, error in
            received(error == nil)
            completion()
        }
        store.execute(query)
        #expect(try await received.next())
        try importSamples([(1000, nil)], date: 1e6)
        try importSamples([(1000, nil), (2000, beats)], date: 2e6)
        #expect(try await received.next())
        #expect(received.count == 2)
        store.stop(query)
    }

    @Test("§8.3 an app without permission to read series gets none")
    func denied() async throws {
        let denied = try ImportedHeartbeatsTests(authorization: .deny)
        try denied.importSamples([(1000, beats)], date: 1e6)
        try await denied.store.requestAuthorization(toShare: [], read: [series, variability])
        #expect(try await denied.found().isEmpty)
        let page = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.heartbeatSeries()], anchor: nil
        ).result(for: denied.store)
        #expect(page.addedSamples.isEmpty)
    }

    @Test("§10.5 a series that a device sent takes the place of the derived one")
    func sent() async throws {
        try importSamples([(1000, beats), (2000, beats)], date: 1e6)
        try await store.requestAuthorization(toShare: [series], read: [series])
        let builder = HKHeartbeatSeriesBuilder(
            healthStore: store, device: nil, start: Date(timeIntervalSinceReferenceDate: 1000.25))
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        let own = try await builder.finishSeries()
        let found = try await found()
        #expect(found.map(\.start) == [1000.25, 2000])
        #expect(found.first == own)
    }
}
