import Foundation
import GRDB
import HealthCalendar
import HealthEngine
import HealthStorage
import Testing

/// The content of a store, without details that depend on how it was created: row numbers,
/// occurrence numbers, units and order.
struct StoreContent: Equatable {
    struct Entry: Hashable {
        var type: String
        var source: String
        var start: Double
        var end: Double
        var created: Double?
        var value: String
        var metadata: Metadata
    }

    private(set) var entries: [Entry: Int] = [:]
    /// Sums and averages over buckets of ten days, by type. Without source names, they are computed
    /// for each source separately, since the source order depends on when each was first seen.
    private(set) var statistics: [String: [String]] = [:]

    /// Whether names of sources are compared. They may depend on the store's history.
    enum SourceNames { case included, excluded }

    init(_ store: SampleStore, names: SourceNames = .included) throws {
        for summary in try store.types() {
            let type = summary.type
            let batch = try store.samples(SampleQuery(type))
            let canonical = type.canonicalUnit.flatMap { try? HealthUnit($0) }
            for sample in batch.samples {
                let origin = batch.origins[Int(sample.origin)]
                let conversion = canonical.flatMap { canonical in
                    origin.unit.flatMap { try? HealthUnit($0).conversion(to: canonical) }
                }
                entries[
                    Entry(
                        type: type.identifier,
                        source: origin.source < 0 || names == .excluded
                            ? "" : batch.sources[Int(origin.source)].name,
                        start: sample.start, end: sample.end,
                        created: sample.created.isNaN ? nil : sample.created,
                        value: StoreContent.text(conversion?(sample.value) ?? sample.value),
                        metadata: batch.metadata(of: sample) ?? [:]),
                    default: 0] += 1
            }
            if type.aggregation != nil {
                statistics[type.identifier] = try sums(type, summary, store, names)
            }
        }
    }

    private func sums(
        _ type: SampleType, _ summary: TypeSummary, _ store: SampleStore, _ names: SourceNames
    ) throws -> [String] {
        let day: Double = 864_000
        let first = (summary.first / day).rounded(.down) * day
        let edges = Array(stride(from: first, through: summary.last + day, by: day))
        var rules = StatisticsRules()
        if names == .excluded { rules.separation = .bySource }
        return try store.statistics(SampleQuery(type), over: edges, rules: rules).buckets.map {
            let values = names == .included ? [$0.merged] : ($0.bySource ?? [:]).map(\.value)
            let texts = values.map { StoreContent.text($0.sum ?? $0.average ?? .nan) }
            return "\($0.start) \(texts.sorted().joined(separator: " "))"
        }
    }

    /// Returns nine significant digits, the importer's tolerance for equality.
    private static func text(_ value: Double) -> String {
        value.isNaN ? "none" : String(format: "%.8e", value == 0 ? 0 : value)
    }

    /// Returns a sentence about the first difference; nil if there is none.
    func difference(from other: StoreContent) -> String? {
        for (entry, count) in entries where other.entries[entry] != count {
            return "\(count) times \(entry), there \(other.entries[entry] ?? 0) times"
        }
        for (entry, count) in other.entries where entries[entry] == nil {
            return "not \(entry), there \(count) times"
        }
        for (type, sums) in statistics where other.statistics[type] != sums {
            return "statistics of \(type): \(sums), there \(other.statistics[type] ?? [])"
        }
        return nil
    }
}

/// A summary of a store's state for comparisons; absent if there is no file.
enum StoreState: Equatable {
    case absent
    case present(String)

    static func of(_ path: String) throws -> StoreState {
        guard FileManager.default.fileExists(atPath: path) else { return .absent }
        let store = try SampleStore(at: path, access: .reading)
        let violations = try store.check()
        try store.close()
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let row = try queue.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*), total(value), total(start_time), max(sequence),
                           (SELECT count(*) FROM removed), (SELECT count(*) FROM tombstone),
                           (SELECT count(*) FROM import), (SELECT count(*) FROM raw_element),
                           (SELECT count(*) FROM source), (SELECT count(*) FROM metadata),
                           (SELECT total(value) FROM store WHERE key = 'lastSequence')
                    FROM sample
                    """)
        }
        return .present("\(row.map { "\($0)" } ?? "") \(violations)")
    }

    var isValid: Bool {
        if case .present(let text) = self { return text.hasSuffix("[]") }
        return true
    }
}

/// Every answer of a store that an Apple Health export can represent, as lines: samples with all
/// their data, statistics by source, explanations, and data stored beside the samples.
struct StoreQueryDump {
    private(set) var lines: [String] = []

    init(_ store: SampleStore) throws {
        let calendar = CalendarBuckets(
            timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let form = SampleLines(.jsonLines, calendar)
        try store.forEachExportedBatch(ExportSelection(), routes: .inline) { exported in
            lines += form.text(exported).split(separator: "\n").map(String.init)
        }
        for summary in try store.types() { try add(summary, store) }
        lines += try store.sources(of: nil).map { "\($0)" }
        lines += try store.characteristics().map { "\($0.key) \($0.value)" }.sorted()
        var kept: [String] = []
        try store.forEachRawElement { kept.append("\($0)") }
        try store.forEachImportedFile { kept.append("\($0.name) \($0)") }
        lines += kept.sorted()
        lines += try store.check().map { "\($0)" }
    }

    private mutating func add(_ summary: TypeSummary, _ store: SampleStore) throws {
        let type = summary.type
        lines.append("\(type.identifier) \(summary.samples) \(summary.first) \(summary.last)")
        guard type.aggregation != nil else { return }
        let edges = Array(
            stride(from: summary.first - 100, through: summary.last + 90_000, by: 40_000))
        var rules = StatisticsRules()
        rules.separation = .bySource
        let result = try store.statistics(SampleQuery(type), over: edges, rules: rules)
        for bucket in result.buckets {
            let own = (bucket.bySource ?? [:]).map {
                "\(result.sources[Int($0.key)].name) \($0.value)"
            }
            lines.append("\(type.name) \(bucket.start) \(bucket.merged) \(own.sorted())")
        }
        if type.aggregation == .cumulative {
            let query = SampleQuery(type, from: summary.first, to: summary.last + 1)
            lines.append("\(try store.explanation(of: query))")
        }
    }

    /// Returns the first differences in both directions.
    func difference(from other: StoreQueryDump) -> [String] {
        lines.difference(from: other.lines).prefix(6).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
    }
}
