import Foundation
import GRDB
import HealthEngine

@testable import HealthStorage

/// All results of a store except sequence numbers, as lines for comparisons.
struct StoreQueryDump: Equatable {
    private(set) var lines: [String] = []

    init(_ store: SampleStore) throws {
        try add(store)
        try add(rowsOf: store)
        lines += try store.read { db in
            try StoreQueryDump.tables.flatMap { sql in
                try String.fetchAll(db, sql: sql)
            }
        }
    }

    /// Returns the differences in both directions.
    func difference(from other: StoreQueryDump) -> [String] {
        lines.difference(from: other.lines).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
    }

    /// Adds types, sources, statistics and explanations.
    private mutating func add(_ store: SampleStore) throws {
        for summary in try store.types() {
            lines.append("\(summary)")
            let type = summary.type
            for source in try store.sources(of: type) { lines.append("\(source)") }
            let edges = Array(
                stride(from: summary.first - 100, through: summary.last + 400, by: 250))
            if type.aggregation != nil {
                var rules = StatisticsRules()
                rules.separation = .bySource
                let result = try store.statistics(SampleQuery(type), over: edges, rules: rules)
                for bucket in result.buckets {
                    let own = (bucket.bySource ?? [:]).map {
                        "\(result.sources[Int($0.key)]) \($0.value)"
                    }
                    lines.append("\(type.name) \(bucket.start) \(bucket.merged) \(own.sorted())")
                }
            }
            if type.aggregation == .cumulative {
                var query = SampleQuery(type)
                (query.from, query.to) = (summary.first, summary.last + 1)
                lines.append("\(try store.explanation(of: query))")
            }
        }
        lines += try store.sources(of: nil).map { "\($0)" }
        lines += try store.exclusions().map { "\($0)" }
        lines += try store.imports().map { "\($0)" }
        lines.append("\(try store.homeZone as HomeZone?) \(try store.check())")
    }

    /// Adds samples and their relations, by UUID.
    private mutating func add(rowsOf store: SampleStore) throws {
        lines += try store.read { db in
            var names: [Int64: String] = [:]
            var rows: [String] = []
            for row in try Row.fetchAll(db, sql: StoreQueryDump.samples) {
                let saved: Data? = row["uuid"]
                let uuid =
                    saved.map { "\(Array($0))" }
                    ?? "\(SampleUUID(ofImportedType: row["type"], start: row["start_time"], key: row["key"]))"
                names[row["sequence"]] = uuid
                rows.append("\(uuid) \(row["content"] ?? "")")
            }
            for row in try Row.fetchAll(db, sql: "SELECT parent, child FROM membership") {
                rows.append("\(names[row[1]] ?? "") in \(names[row[0]] ?? "")")
            }
            return rows.sorted()
        }
    }

    private static let samples = """
        SELECT sample.sequence, type, start_time, key, uuid, json_array(end_time, created, value,
            source.name, source.bundle_identifier, version, device.content, unit.symbol, entries,
            detail.content) AS content
        FROM sample JOIN origin ON origin.id = origin
        LEFT JOIN source ON source.id = source LEFT JOIN device ON device.id = device
        LEFT JOIN unit ON unit.id = unit LEFT JOIN metadata ON metadata.id = sample.metadata
        LEFT JOIN detail ON detail.sequence = sample.sequence
        """

    private static let tables = [
        "SELECT json_array(identity, name, kind, hardware, first_seen) FROM source ORDER BY id",
        "SELECT json_array(folded, name, source) FROM source_alias ORDER BY folded",
        "SELECT json_array(type, source, rank, excluded, reason) FROM source_setting ORDER BY 1",
        "SELECT identifier || value FROM characteristic ORDER BY 1",
        "SELECT element || xml FROM raw_element ORDER BY id",
        """
        SELECT json_array(import, reason, type, start_time, key, json_array_length(members))
        FROM removed ORDER BY id
        """,
    ]
}
