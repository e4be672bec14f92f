import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Statistics collections")
struct HKStatisticsCollectionTests {
    private let berlin: Calendar
    private let watch = HKSource(_name: "Watch", bundleIdentifier: "watch")

    init() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        berlin = calendar
    }

    private func day(_ month: Int, _ day: Int, _ hour: Int = 0) throws -> Date {
        try #require(
            berlin.date(from: DateComponents(year: 2026, month: month, day: day, hour: hour)))
    }

    /// Returns 100 steps on 28 March 2026 and 300 on the 30th. The 29th has 23 hours and no data.
    private func collection(
        _ options: HKStatisticsOptions = [.cumulativeSum],
        _ emptyBuckets: HealthStoreConfiguration.EmptyBuckets = .withoutQuantity
    ) throws -> HKStatisticsCollection {
        let buckets = try [(28, 100.0), (30, 300.0)].map { number, sum in
            var values = Statistics.Values(count: 1)
            values.sum = sum
            return Statistics(
                start: try day(3, number).timeIntervalSinceReferenceDate,
                end: try day(3, number + 1).timeIntervalSinceReferenceDate, merged: values,
                bySource: options.contains(.separateBySource) ? [0: values] : nil)
        }
        return HKStatisticsCollection(
            _type: HKQuantityType(.stepCount), buckets: buckets, options: options, unit: .count(),
            sources: [watch], anchor: try day(1, 1), interval: DateComponents(day: 1),
            calendar: berlin, emptyBuckets: emptyBuckets)
    }

    private func sum(_ statistics: HKStatistics?) -> Double? {
        statistics?.sumQuantity()?.doubleValue(for: .count())
    }

    @Test(
        "§5.6 statistics() returns populated buckets only",
        .covers("HKStatisticsCollection", "HKStatisticsCollection.statistics()"))
    func populated() throws {
        let statistics = try collection().statistics()
        #expect(statistics.map { sum($0) } == [100, 300])
        #expect(statistics.map(\.startDate) == [try day(3, 28), try day(3, 30)])
    }

    @Test(
        "§5.7 statistics(for:) returns a bucket even without data",
        .covers("HKStatisticsCollection.statistics(for:)"))
    func bucketOfDate() throws {
        let collection = try collection()
        #expect(sum(collection.statistics(for: try day(3, 28))) == 100)
        #expect(sum(collection.statistics(for: try day(3, 28, 23))) == 100)
        #expect(sum(collection.statistics(for: try day(3, 30, 12))) == 300)
        let empty = try #require(collection.statistics(for: try day(3, 29, 12)))
        #expect(sum(empty) == nil)
        #expect(empty.startDate == (try day(3, 29)))
        #expect(empty.endDate.timeIntervalSince(empty.startDate) == 23 * 3600, "§5.4")
        let before = try #require(collection.statistics(for: try day(2, 3, 5)))
        #expect(before.startDate == (try day(2, 3)), "§5.3 before the anchor's data")
        let boundary = try #require(collection.statistics(for: try day(3, 29)))
        #expect(boundary.startDate == (try day(3, 29)), "§2.5 half-open")
    }

    @Test(
        "§5.8 enumeration includes every bucket up to that of the end, empty ones with nil",
        .covers("HKStatisticsCollection.enumerateStatistics(from:to:with:)"))
    func enumeration() throws {
        var actual: [(Date, Double?)] = []
        try collection().enumerateStatistics(from: try day(3, 27, 12), to: try day(3, 31)) {
            statistics, _ in
            actual.append((statistics.startDate, sum(statistics)))
        }
        #expect(actual.map(\.1) == [nil, 100, nil, 300, nil])
        #expect(actual.first?.0 == (try day(3, 27)))
        #expect(actual.last?.0 == (try day(3, 31)), "the bucket that begins at the end is included")
    }

    @Test(
        "§5.8 an empty bucket has nil, has zero or is omitted, according to the configuration",
        arguments: [
            (HealthStoreConfiguration.EmptyBuckets.withoutQuantity, [nil, 100, nil, 300, nil]),
            (.zeroSum, [0, 100, 0, 300, 0]), (.omitted, [100, 300]),
        ] as [(HealthStoreConfiguration.EmptyBuckets, [Double?])])
    func emptyBuckets(
        behaviour: HealthStoreConfiguration.EmptyBuckets, expected: [Double?]
    ) throws {
        let collection = try collection([.cumulativeSum, .separateBySource], behaviour)
        var sums: [Double?] = []
        collection.enumerateStatistics(from: try day(3, 27), to: try day(3, 31)) {
            statistics, _ in
            sums.append(sum(statistics))
        }
        #expect(sums == expected)
        let empty = collection.statistics(for: try day(3, 29, 12))
        #expect((empty == nil) == (behaviour == .omitted))
        #expect(sum(empty) == (behaviour == .zeroSum ? 0 : nil))
        #expect(empty?.sumQuantity(for: watch) == nil)
        #expect(collection.statistics().count == 2)
    }

    @Test("enumeration ends when stop is set, and does not run for a reversed interval")
    func stopping() throws {
        var count = 0
        try collection().enumerateStatistics(from: try day(3, 1), to: try day(4, 1)) { _, stop in
            count += 1
            if count == 3 { stop.pointee = true }
        }
        #expect(count == 3)
        try collection().enumerateStatistics(from: try day(4, 1), to: try day(3, 1)) { _, _ in
            Issue.record("called backwards")
        }
    }

    @Test(
        "§4.4 sources lists the sources of all buckets, and is empty without separateBySource",
        .covers("HKStatisticsCollection.sources()"))
    func sources() throws {
        #expect(try collection([.cumulativeSum, .separateBySource]).sources() == [watch])
        #expect(try collection().sources().isEmpty)
        let empty = try collection([.cumulativeSum, .separateBySource])
            .statistics(for: try day(3, 29))
        #expect(empty?.sources == [])
    }
}
