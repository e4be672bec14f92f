import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// `OPENHEALTH_UPDATE_FIXTURES=1` records them again.
@Suite("Statistics of 200 random stores stay as recorded, bit for bit")
struct RecordedStatisticsTests {
    private static let stores = 200
    /// A store takes a fifth of a second in debug builds, so only `make torture` checks them all.
    private static let step = TestTier.count(quick: 17, all: 4, torture: 1)
    private static let fixture = ProjectFiles.fixtures
        .appendingPathComponent("statistics-digests.txt")

    @Test("from rows and from columns")
    func recorded() throws {
        if ProcessInfo.processInfo.environment["OPENHEALTH_UPDATE_FIXTURES"] == "1" {
            let lines = try (0..<Self.stores).map { try Self.line($0) + "\n" }
            return try Data(lines.joined().utf8).write(to: Self.fixture)
        }
        let lines = try String(contentsOf: Self.fixture, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == Self.stores)
        for seed in stride(from: 0, to: Self.stores, by: Self.step) {
            try #expect(Self.line(seed) == String(lines[seed]))
        }
    }

    /// Returns a digest of a store's results for each of its types.
    private static func line(_ seed: Int) throws -> String {
        var generated = try RandomStore(seed: seed)
        let rows = try generated.types.map { try digest($0, generated, seed) }
        try generated.pack()
        let columns = try generated.types.map { try digest($0, generated, seed) }
        #expect(rows == columns, "seed \(seed)")
        let types = zip(generated.types, columns)
            .map { " \($0.name) \(String($1, radix: 16))" }.joined()
        return "\(seed)\(types)"
    }

    private static func digest(
        _ type: SampleType, _ generated: RandomStore, _ seed: Int
    ) throws -> UInt64 {
        var digest = StatisticsDigest()
        for parameters in queries(type, seed) {
            if type.kind == .category {
                let result = try generated.store.categoryStatistics(
                    parameters.query, over: parameters.edges, rules: parameters.rules)
                result.buckets.forEach { digest.add($0) }
                continue
            }
            let result = try generated.store.statistics(
                parameters.query, over: parameters.edges, rules: parameters.rules)
            result.buckets.forEach { digest.add($0) }
            digest.add(result.skipped)
        }
        if type.kind == .category { return digest.value }
        let overall = try generated.store.overallStatistics(SampleRequest(type))
        overall?.buckets.forEach { digest.add($0) }
        return digest.value
    }

    /// Returns query parameters over hours, days, weeks and months without time zones, with edges
    /// beyond all samples and without.
    private static func queries(
        _ type: SampleType, _ seed: Int
    ) -> [RandomStoreEditor.StatisticsParameters] {
        let day = RandomStore.day
        let hours = (0...60).map { Double($0) * 3600 }
        let days = (-1...45).map { Double($0) * day }
        let weeks = (0...6).map { Double($0 * 7 + 1) * day }
        var parameters: [RandomStoreEditor.StatisticsParameters] = []
        for edges in [hours, days, weeks, [0, 31 * day, 59 * day]] {
            for separation in [StatisticsRules.Separation.mergedOnly, .bySource] {
                var query = SampleQuery(type)
                query.windowSize = [3, 20, 4096][seed % 3]
                if seed % 2 == 0 { query.partsUntilThread = 0 }
                var rules = StatisticsRules()
                rules.separation = separation
                parameters.append((query, edges, rules))
            }
        }
        parameters[3].rules.discreteMerge = .bySourceOrder
        parameters[4].rules.gapTolerance = 400
        parameters[5].rules.gapTolerance = 400
        parameters[5].edges = [-.infinity] + weeks + [.infinity]
        return parameters
    }
}

/// An FNV-1a hash over the bits of numbers.
private struct StatisticsDigest {
    private var hash = FNV1a()

    var value: UInt64 { hash.value }

    private mutating func add(_ bits: UInt64) { hash.add(word: bits) }

    private mutating func add(_ number: Int) {
        add(UInt64(bitPattern: Int64(number)))
    }

    private mutating func add(_ number: Double?) {
        add(number == nil ? 0 : 1)
        if let number { add(number.bitPattern) }
    }

    mutating func add(_ bucket: Statistics) {
        add(bucket.start)
        add(bucket.end)
        add(bucket.merged)
        add(bucket.bySource?.count ?? -1)
        for (source, values) in (bucket.bySource ?? [:]).sorted(by: { $0.key < $1.key }) {
            add(Int(source))
            add(values)
        }
    }

    private mutating func add(_ values: Statistics.Values) {
        for number in [
            values.sum, values.average, values.minimum, values.maximum, values.mostRecent,
            values.mostRecentStart, values.mostRecentEnd, values.duration,
        ] { add(number) }
        add(values.count)
    }

    mutating func add(_ bucket: CategoryStatistics) {
        add(bucket.start)
        add(bucket.end)
        add(bucket.merged)
        add(bucket.bySource?.count ?? -1)
        for (source, values) in (bucket.bySource ?? [:]).sorted(by: { $0.key < $1.key }) {
            add(Int(source))
            add(values)
        }
    }

    private mutating func add(_ values: CategoryStatistics.Values) {
        for (value, seconds) in values.seconds.sorted(by: { $0.key < $1.key }) {
            add(value)
            add(seconds)
        }
        for (value, count) in values.counts.sorted(by: { $0.key < $1.key }) {
            add(value)
            add(count)
        }
        add(values.count)
    }

    mutating func add(_ skipped: SkippedSamples) {
        for (origin, count) in skipped.unconvertible.sorted(by: { $0.key < $1.key }) {
            add(Int(origin))
            add(count)
        }
        add(skipped.malformed)
        add(skipped.notBegun)
    }
}
