import Foundation
import GRDB
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// Stores with far more sources than a person has.
@Suite("many sources take time in proportion")
struct ManySourcesTests {
    private static let count = 6000

    /// Creates a store in which `count` apps have saved an hour of steps on one day, each a second
    /// later.
    private func store(_ count: Int) throws -> (TemporaryStore, SampleStore) {
        let file = try TemporaryStore()
        let store = try file.open(.creating)
        var batch = SampleBatch()
        for index in 0..<Int32(count) {
            batch.sources.append(
                Source(name: "App \(index)", bundleIdentifier: "com.example.app\(index)"))
            batch.origins.append(Origin(source: index, unit: "count"))
            batch.samples.append(
                Sample(
                    type: SampleType.steps.code, origin: index, start: Double(index),
                    end: Double(index + 3600), value: 3600))
        }
        let uuids = batch.samples.indices.map { SampleUUID(high: 1, low: UInt64($0) + 1) }
        try store.save(batch, uuids: uuids, at: 0)
        return (file, store)
    }

    @Test(
        "statistics, an explanation, an order and the sources of a type take a short time",
        .inTestAll)
    func speed() throws {
        let (_, store) = try store(ManySourcesTests.count)
        let end = Double(ManySourcesTests.count + 3599)
        let query = SampleQuery(.steps)
        var rules = StatisticsRules()
        rules.separation = .bySource
        let result = try store.statistics(query, over: [0, end / 2, end], rules: rules)
        // No second counts twice, and each source has its own sum.
        #expect(abs((result.buckets.compactMap(\.merged.sum).reduce(0, +)) - end) < 1)
        #expect(Set(result.buckets.flatMap { ($0.bySource ?? [:]).keys }).count == 6000)
        #expect(try store.sources(of: .steps).count == ManySourcesTests.count)
        // Half of the sources have explicit ranks; the others are placed among them.
        let names = stride(from: 0, to: ManySourcesTests.count, by: 2).map { "App \($0)" }
        try setRanks(names, in: store)
        let ranked = try store.sources(of: .steps).map(\.name)
        #expect(Set(ranked).count == ManySourcesTests.count)
        #expect(ranked.filter { names.contains($0) }.prefix(9) == names.prefix(9))
        let explanation = try store.explanation(of: SampleQuery(.steps, from: 0, to: end))
        #expect(abs(explanation.merged - end) < 1)
    }

    private func setRanks(_ names: [String], in store: SampleStore) throws {
        try store.write { db in
            let table = try SourceTable(db)
            let byName = Dictionary(
                table.entries.indices.map { (table.entries[$0].source.name, Int32($0)) },
                uniquingKeysWith: { first, _ in first })
            try SampleStore.store(
                names.compactMap { byName[$0] }, of: .steps, table, db)
        }
    }

    /// The rule as written, one source after the other.
    private func slowOrder(_ table: SourceTable, listed: [Int32]) -> [Int32] {
        let defaults = table.defaultOrder
        let place = Dictionary(uniqueKeysWithValues: defaults.enumerated().map { ($1, $0) })
        var ranking = listed
        for missing in defaults where !listed.contains(missing) {
            let position = place[missing] ?? 0
            let before = ranking.lastIndex { (place[$0] ?? 0) < position }
            let kind = table.entries[Int(missing)].kind
            let alike = ranking.firstIndex { table.entries[Int($0)].kind == kind }
            ranking.insert(missing, at: max(before.map { $0 + 1 } ?? 0, alike ?? 0))
        }
        return ranking
    }

    @Test("sources that a list doesn't name come where the rule puts them, whatever the list")
    func order() throws {
        let (_, store) = try store(24)
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for round in 0..<100 {
            try store.write { db in
                for id in 1...24 {
                    try db.execute(
                        sql: "UPDATE source SET kind = ?, first_seen = ? WHERE id = ?",
                        arguments: [
                            ["health", "watch", "phone", "other"].randomElement(using: &random),
                            Int.random(in: 0...9, using: &random), id,
                        ])
                }
                let table = try SourceTable(db)
                let listed = Array(
                    table.defaultOrder.shuffled(using: &random).prefix(
                        Int.random(in: 1...23, using: &random)))
                var settings: [Int64: SourceTable.Setting] = [:]
                for (rank, index) in listed.enumerated() {
                    settings[table.entries[Int(index)].id] = .init(
                        rank: rank, excluded: nil, reason: nil)
                }
                #expect(
                    table.order(settings).ranking == slowOrder(table, listed: listed),
                    "seed \(seed), round \(round)")
            }
        }
    }
}

/// Days of a timeline whose range extends far beyond its samples.
@Suite("merged days are found where samples are")
struct MergedDaysRangeTests {
    @Test("a range of ten thousand years costs what its samples cost, and gives the same days")
    func farRange() throws {
        let file = try TemporaryStore()
        let store = try file.open(.creating)
        var batch = SampleBatch(samples: [])
        batch.sources = [Source(name: "App", bundleIdentifier: "com.example.app")]
        batch.origins = [Origin(source: 0, unit: "count")]
        // Some samples cross midnight, and some are decades apart.
        let starts: [Double] = [-4e9, -1e9 + 86_000, 0, 43_200, 86_390, 40 * 86_400, 3e9]
        for start in starts {
            batch.samples.append(
                Sample(
                    type: SampleType.steps.code, origin: 0, start: start, end: start + 600,
                    value: 60))
        }
        let uuids = batch.samples.indices.map { SampleUUID(high: 2, low: UInt64($0) + 1) }
        try store.save(batch, uuids: uuids, at: 0)
        let calendar = CalendarBuckets(
            timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        func days(_ query: SampleQuery) throws -> [Double] {
            var days: [Double] = []
            var sum = 0.0
            try store.forEachMergedDay(query, in: calendar) { day in
                days.append(day.start)
                sum += day.intervals.reduce(0) { $0 + $1.value }
            }
            #expect(abs(sum - 60 * Double(starts.count)) < 1e-6)
            return days
        }
        let all = try days(SampleQuery(.steps))
        #expect(all.count >= 6 && all == all.sorted())
        let begin = ContinuousClock.now
        #expect(try days(SampleQuery(.steps, from: -6.3e10, to: 2.5e11)).count == all.count)
        // Four million days took minutes one by one. The limit only distinguishes the two cases.
        #expect(ContinuousClock.now - begin < .seconds(20))
    }
}
