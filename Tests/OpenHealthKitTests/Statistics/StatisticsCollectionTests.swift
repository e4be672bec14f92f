import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import OpenHealthKit
import Testing

@Suite("HKStatisticsCollectionQuery")
struct StatisticsCollectionTests {
    private typealias Q = QueriedStore

    private static func query(
        _ options: HKStatisticsOptions = .cumulativeSum, _ predicate: NSPredicate? = nil,
        every interval: DateComponents = DateComponents(hour: 1), anchor: Date = Q.midnight
    ) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: Q.steps, quantitySamplePredicate: predicate, options: options,
            anchorDate: anchor, intervalComponents: interval)
    }

    private func collection(
        _ store: HKHealthStore, _ query: HKStatisticsCollectionQuery
    ) async throws -> HKStatisticsCollection {
        let received = Received<Result<HKStatisticsCollection, any Error>>()
        query.initialResultsHandler = { received(.init($1, $2)) }
        store.execute(query)
        return try await received.next().get()
    }

    private func sums(_ collection: HKStatisticsCollection) -> [Date: Double] {
        collection.statistics().reduce(into: [:]) {
            $0[$1.startDate] = $1.sumQuantity()?.doubleValue(for: .count())
        }
    }

    @Test(
        "§2.4, §2.5 a sample that crosses a bucket boundary is divided by time",
        .covers(
            "HKStatisticsCollectionQuery", "HKStatisticsCollectionQuery.initialResultsHandler",
            "HKStatisticsCollectionQuery.init(*"))
    func split() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(100, from: 57, to: 62))
        #expect(
            sums(try await collection(store, Self.query())) == [
                Q.minute(0): 60, Q.minute(60): 40,
            ])
    }

    @Test("a sample of several centuries creates buckets only within the predicate's interval")
    func centuries() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "health.sqlite").path
        // `save` refuses such a sample, but an import accepts it.
        let type = try #require(Catalogue.type(named: "heartRate"))
        var batch = SampleBatch()
        batch.sources = [Source(name: "Strap", bundleIdentifier: "")]
        batch.origins = [Origin(source: 0, version: "1", unit: "count/min")]
        let moment = Q.minute(30).timeIntervalSinceReferenceDate
        batch.samples = [
            Sample(type: type.code, origin: 0, start: -4e9, end: 4e9, created: 0, value: 60),
            Sample(
                type: type.code, origin: 0, start: moment, end: moment, created: 0, value: 90),
        ]
        let export = SnapshotDescription(
            file: "export.zip", bytes: 1, exportDate: 8e8, importedAt: 8e8)
        try SampleStore.importSnapshot(into: path, export) { writer, _ in
            _ = try writer.type(identifier: type.identifier)
            try writer.write(batch)
            _ = try writer.finish(.complete)
        }
        let store = try HKHealthStore(
            path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        let requested = HKQuery.predicateForSamples(withStart: Q.minute(0), end: Q.minute(180))
        let query = HKStatisticsCollectionQuery(
            quantityType: Q.heartRate, quantitySamplePredicate: requested, options: .discreteMax,
            anchorDate: Q.midnight, intervalComponents: DateComponents(minute: 1))
        let found = try await collection(store, query).statistics()
        #expect(found.first?.startDate == Q.minute(0))
        #expect((180...181).contains(found.count))
        #expect(found[30].maximumQuantity()?.doubleValue(for: Q.perMinute) == 90)
    }

    @Test(
        "§5.8 the configuration of empty buckets applies to the query and to the descriptor",
        arguments: [
            (HealthStoreConfiguration.EmptyBuckets.withoutQuantity, [10, nil, 20]),
            (.zeroSum, [10, 0, 20]), (.omitted, [10, 20]),
        ] as [(HealthStoreConfiguration.EmptyBuckets, [Double?])])
    func emptyBuckets(
        behaviour: HealthStoreConfiguration.EmptyBuckets, expected: [Double?]
    ) async throws {
        var configuration = HealthStoreConfiguration()
        configuration.emptyBuckets = behaviour
        let store = try await Q.open(configuration)
        try await store.save([Q.walk(10, from: 5, to: 10), Q.walk(20, from: 130, to: 140)])
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: Q.steps), options: .cumulativeSum,
            anchorDate: Q.midnight, intervalComponents: DateComponents(hour: 1))
        let collections = [
            try await collection(store, Self.query()), try await descriptor.result(for: store),
        ]
        for collection in collections {
            var sums: [Double?] = []
            collection.enumerateStatistics(from: Q.minute(0), to: Q.minute(179)) { bucket, _ in
                sums.append(bucket.sumQuantity()?.doubleValue(for: .count()))
            }
            #expect(sums == expected)
            #expect(collection.statistics().count == 2)
            let empty = collection.statistics(for: Q.minute(90))
            #expect((empty == nil) == (behaviour == .omitted))
        }
        let nothing = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: Q.steps,
                predicate: HKQuery.predicateForSamples(withStart: Q.minute(600), end: nil)),
            options: .cumulativeSum)
        #expect(try await nothing.result(for: store) == nil, "§5.11 whichever is set")
    }

    @Test("with zeroSum, an empty bucket has a zero sum only, and nothing for a discrete type")
    func zeroOfRates() async throws {
        var configuration = HealthStoreConfiguration()
        configuration.emptyBuckets = .zeroSum
        let store = try await Q.open(configuration)
        try await store.save(Q.beat(60, at: 5))
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: Q.heartRate),
            options: [.discreteAverage, .discreteMin, .duration], anchorDate: Q.midnight,
            intervalComponents: DateComponents(hour: 1)
        ).result(for: store)
        let empty = try #require(collection.statistics(for: Q.minute(90)))
        #expect(empty.sumQuantity() == nil && empty.averageQuantity() == nil)
        #expect(empty.minimumQuantity() == nil && empty.duration() == nil)
    }

    @Test("§2.5 an instant on a boundary belongs to the bucket that begins there")
    func instant() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(5, from: 60, to: 60))
        #expect(sums(try await collection(store, Self.query())) == [Q.minute(60): 5])
    }

    @Test("§2.6 a boundary-crossing sample populates buckets outside the predicate's range")
    func outerBuckets() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(100, from: -30, to: 30))
        let predicate = HKQuery.predicateForSamples(withStart: Q.minute(0), end: Q.minute(60))
        #expect(
            sums(try await collection(store, Self.query(.cumulativeSum, predicate))) == [
                Q.minute(-60): 50, Q.minute(0): 50,
            ])
    }

    @Test(
        "§5.3 buckets extend in both directions from an anchor, also from a distant one",
        arguments: [-400.0, 0, 7000])
    func anchors(hours: Double) async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(5, from: 10, to: 11))
        let anchor = Q.midnight + (hours + 0.25) * 3600
        let collection = try await collection(store, Self.query(anchor: anchor))
        #expect(sums(collection) == [Q.minute(-45): 5])
    }

    @Test("§5.4 days follow the calendar of the components across daylight saving changes")
    func shortDay() async throws {
        let store = try await Q.open()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let anchor = try #require(
            calendar.date(from: DateComponents(year: 2026, month: 3, day: 28)))
        let noon = try #require(
            calendar.date(from: DateComponents(year: 2026, month: 3, day: 29, hour: 12)))
        let walk = HKQuantitySample(
            type: Q.steps, quantity: HKQuantity(unit: .count(), doubleValue: 9), start: noon,
            end: noon)
        try await store.save(walk)
        let components = DateComponents(calendar: calendar, day: 1)
        let collection = try await collection(
            store, Self.query(every: components, anchor: anchor))
        let day = try #require(collection.statistics().first)
        #expect(day.endDate.timeIntervalSince(day.startDate) == 23 * 3600)
        #expect(day.startDate == anchor + 24 * 3600)
    }

    @Test(
        "§5.5 an interval without a positive length is an invalid argument, even without data",
        arguments: [DateComponents(), DateComponents(day: 0), DateComponents(hour: -1)])
    func intervals(interval: DateComponents) async throws {
        let store = try await Q.open()
        let found = await code {
            _ = try await collection(store, Self.query(every: interval))
        }
        #expect(found == .errorInvalidArgument)
    }

    @Test("§5.11 without data the collection is empty, and enumerating it gives nil quantities")
    func empty() async throws {
        let store = try await Q.open()
        let collection = try await collection(store, Self.query())
        #expect(collection.statistics().isEmpty)
        let sums = Received<Double?>()
        collection.enumerateStatistics(from: Q.minute(0), to: Q.minute(120)) { bucket, _ in
            sums(bucket.sumQuantity()?.doubleValue(for: .count()))
        }
        #expect(sums.all == [nil, nil, nil])
    }

    @Test("§5.1 unsuitable options are reported to the initial handler")
    func unsuitable() async throws {
        let store = try await Q.open()
        let found = await code {
            _ = try await collection(store, Self.query(.discreteMin))
        }
        #expect(found == .errorInvalidArgument)
    }

    @Test(
        "§5.10, §6.10 each update has one changed bucket and the whole collection",
        .covers("HKStatisticsCollectionQuery.statisticsUpdateHandler"))
    func updates() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(10, from: 0, to: 1))
        let initial = Received<[Date: Double]>()
        let later = Received<(start: Date?, sum: Double?, sums: [Date: Double])>()
        let query = Self.query()
        query.initialResultsHandler = { _, collection, _ in
            initial(collection.map(sums) ?? [:])
        }
        query.statisticsUpdateHandler = { _, bucket, collection, _ in
            later(
                (
                    bucket?.startDate, bucket?.sumQuantity()?.doubleValue(for: .count()),
                    collection.map(sums) ?? [:]
                ))
        }
        store.execute(query)
        #expect(try await initial.next() == [Q.minute(0): 10])
        let walk = Q.walk(100, from: 57, to: 62)
        try await store.save(walk)
        let (first, second) = (try await later.next(), try await later.next())
        #expect(first.start == Q.minute(0) && first.sum == 70)
        #expect(second.start == Q.minute(60) && second.sum == 40)
        #expect(first.sums == [Q.minute(0): 70, Q.minute(60): 40] && second.sums == first.sums)
        try await store.delete(walk)
        let (third, fourth) = (try await later.next(), try await later.next())
        #expect(third.start == Q.minute(0) && third.sum == 10)
        #expect(fourth.start == Q.minute(60) && fourth.sum == nil)
        #expect(fourth.sums == [Q.minute(0): 10])
        store.stop(query)
    }

    @Test(
        "the parameters of a query can be read from its properties",
        .covers(
            "HKStatisticsCollectionQuery.options", "HKStatisticsCollectionQuery.anchorDate",
            "HKStatisticsCollectionQuery.statisticsUpdateHandler"))
    func properties() {
        let query = Self.query([.cumulativeSum, .separateBySource])
        #expect(query.anchorDate == Q.midnight)
        #expect(query.intervalComponents == DateComponents(hour: 1))
        #expect(query.options == [.cumulativeSum, .separateBySource])
        #expect(query.objectType == Q.steps)
        #expect(query.statisticsUpdateHandler == nil)
        query.statisticsUpdateHandler = { _, _, _, _ in }
        #expect(query.statisticsUpdateHandler != nil)
    }
}
