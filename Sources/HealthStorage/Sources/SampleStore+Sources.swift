import Foundation
import GRDB
public import HealthEngine

/// A source with its place in the order for one type, or over all types.
public struct SourceSummary: Hashable, Sendable {
    public var name: String
    public var bundleIdentifier: String
    /// 1 wins over 2.
    public var rank: Int
    /// Takes no part in statistics of this type.
    public var isExcluded: Bool
    /// Why: "day totals" where the importer set it aside, "chosen" where a person did.
    public var exclusionReason: String?
    public var samples: Int
    /// The first start and the latest end, in reference seconds.
    public var first: Double
    public var last: Double
}

extension SampleStore {
    /// The reason the importer gives when it sets a source of day totals aside
    /// (Semantics §1.11).
    public static let dayTotalsReason = "day totals"

    /// The reason of an exclusion that a person chose.
    static let chosenReason = "chosen"

    /// From how many seconds on a sample of an amount looks like a day's total.
    static let dayTotalLength: Double = 43_200

    /// The sources that have samples of a type, or of any, in order of rank.
    ///
    /// - Parameter visibility: What may be seen; counts, times and ranks are of that alone.
    /// - Complexity: O(samples of the type); of all samples without one.
    public func sources(
        of type: SampleType?, visibility: Visibility = .everything
    ) throws -> [SourceSummary] {
        try read { db in try SampleStore.sources(of: type, visibility, db) }
    }

    /// Bundle identifiers of all sources in the order in force for a type, the highest priority
    /// first, and of those that are excluded from its statistics.
    ///
    /// - Complexity: O(sources · log).
    package func sourcePriority(
        of type: SampleType
    ) throws -> (ranking: [String], excluded: Set<String>) {
        try read { db in
            let table = try sourceTable(db)
            let order = table.order(try SourceTable.settings(db, type: type.code))
            func identifier(_ index: Int32) -> String {
                table.sources[Int(index)].bundleIdentifier
            }
            return (order.ranking.map(identifier), Set(order.excluded.map(identifier)))
        }
    }

    /// The bundle identifier of the source that a name, an earlier name or an identifier means.
    ///
    /// - Throws: ``StoreError`` of code `unknownSource` or `ambiguousSource`, naming the choices.
    package func bundleIdentifier(ofSource name: String) throws -> String {
        try read { db in
            let table = try sourceTable(db)
            let index = try SampleStore.source(named: name, in: table)
            return table.sources[Int(index)].bundleIdentifier
        }
    }

    private static func sources(
        of type: SampleType?, _ visibility: Visibility, _ db: Database
    ) throws -> [SourceSummary] {
        let table = try SourceTable(db)
        let settings = try type.map { try SourceTable.settings(db, type: $0.code) } ?? [:]
        let order = table.order(settings)
        let chosen: SQL =
            type.map { "sample.type = \($0.code) AND \(visibility[$0.code].condition)" }
            ?? visibility.condition
        let request: SQLRequest<Row> = """
            SELECT origin.source AS source, count(*) AS samples, min(start_time) AS first,
                   max(CASE WHEN end_time < \(Sample.undeterminedEnd)
                       THEN end_time ELSE start_time END) AS last
            FROM sample JOIN origin ON origin.id = sample.origin
            WHERE origin.source IS NOT NULL AND \(chosen)
            GROUP BY origin.source
            """
        let rows = try CheckedRow.readAll(db, request)
        var extents: [Int32: (samples: Int, first: Double, last: Double)] = [:]
        for row in rows {
            if let index = table.index(ofSource: try row["source"]) {
                extents[index] = (try row["samples"], try row["first"], try row["last"])
            }
        }
        var summaries: [SourceSummary] = []
        for index in order.ranking {
            guard let extent = extents[index] else { continue }
            let entry = table.entries[Int(index)]
            summaries.append(
                SourceSummary(
                    name: entry.source.name, bundleIdentifier: entry.source.bundleIdentifier,
                    rank: summaries.count + 1, isExcluded: order.excluded.contains(index),
                    exclusionReason: settings[entry.id]?.excluded == true
                        ? settings[entry.id]?.reason : nil,
                    samples: extent.samples, first: extent.first, last: extent.last))
        }
        return summaries
    }

    /// Every type from which a source is excluded, with the source and the reason.
    ///
    /// - Complexity: O(settings).
    public func exclusions(
        visibility: Visibility = .everything
    ) throws -> [(type: SampleType, excluded: ExcludedSource)] {
        try read { db in
            let known = try SampleStore.knownTypes(db)
            let table = try sourceTable(db)
            return try known.values.sorted { $0.identifier < $1.identifier }.flatMap { type in
                let settings = try SourceTable.settings(db, type: type.code)
                return table.excluded(
                    settings, table.order(settings), seenWith: visibility[type.code]
                ).map { (type, $0) }
            }
        }
    }

    // MARK: - Changing the order

    /// Puts the named sources first, in this order; the others follow as before.
    ///
    /// Sources met later take the place that the default order gives them among the listed ones.
    ///
    /// - Throws: ``StoreError`` if a name fits no source, or several, or a source is named twice.
    public func setOrder(of type: SampleType, to names: [String]) throws {
        try write { db in
            try SampleStore.register(type, db)
            let table = try SourceTable(db)
            let chosen = try names.map { try SampleStore.source(named: $0, in: table) }
            guard Set(chosen).count == chosen.count else {
                throw StoreError(
                    .invalidArgument, "One source is named twice: \(names.joined(separator: ", "))."
                )
            }
            let current = table.order(try SourceTable.settings(db, type: type.code)).ranking
            let ranking = chosen + current.filter { !chosen.contains($0) }
            try SampleStore.store(ranking, of: type, table, db)
        }
    }

    /// Writes down the whole order of a type.
    static func store(
        _ ranking: [Int32], of type: SampleType, _ table: SourceTable, _ db: Database
    ) throws {
        for (rank, index) in ranking.enumerated() {
            try db.execute(
                sql: "INSERT INTO source_setting (type, source, rank) VALUES (?, ?, ?) "
                    + "ON CONFLICT (type, source) DO UPDATE SET rank = excluded.rank",
                arguments: [type.code, table.entries[Int(index)].id, rank])
        }
    }

    /// Whether a source takes part in statistics of a type.
    public enum Participation: Sendable { case included, excluded }

    /// Leaves a source out of statistics of a type, or takes it back in; the choice outlasts imports.
    ///
    /// - Throws: ``StoreError`` if the name fits no source, or several.
    public func set(_ participation: Participation, of name: String, in type: SampleType) throws {
        try write { db in
            try SampleStore.register(type, db)
            let table = try SourceTable(db)
            let index = try SampleStore.source(named: name, in: table)
            try SampleStore.store(participation, of: table.entries[Int(index)].id, in: type, db)
        }
    }

    /// Writes down a person's choice about one source.
    static func store(
        _ participation: Participation, of source: Int64, in type: SampleType, _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO source_setting (type, source, excluded, reason) "
                + "VALUES (?, ?, ?, ?) ON CONFLICT (type, source) "
                + "DO UPDATE SET excluded = excluded.excluded, reason = excluded.reason",
            arguments: [type.code, source, participation == .excluded, chosenReason])
    }

    /// Forgets every choice of order for a type; a source of day totals is set aside again.
    public func resetSources(of type: SampleType) throws {
        try write { db in
            try db.execute(sql: "DELETE FROM source_setting WHERE type = ?", arguments: [type.code])
            try SampleStore.setDayTotalsAside(types: [type], db)
        }
    }

    /// Gives an imported source its true bundle identifier, which later imports keep.
    ///
    /// The identifier also says where the source stands by default: `com.apple.Health` is the Health
    /// app, `com.apple.health.…` a device of Apple's, told by its hardware, and any other an app.
    ///
    /// - Throws: ``StoreError`` if the name is unknown or ambiguous, or the identifier is taken.
    public func identify(_ name: String, as bundleIdentifier: String) throws {
        guard !bundleIdentifier.isEmpty, !bundleIdentifier.contains(where: \.isWhitespace) else {
            throw StoreError(
                .invalidArgument,
                "“\(bundleIdentifier)” is no identifier; write one without spaces, like com.example.app."
            )
        }
        try write { db in
            let table = try SourceTable(db)
            let index = try SampleStore.source(named: name, in: table)
            let holder = table.entries.indices.first {
                $0 != Int(index) && table.entries[$0].source.bundleIdentifier == bundleIdentifier
            }
            if let holder {
                throw StoreError(
                    .invalidArgument,
                    "“\(table.entries[holder].source.name)” already has the identifier "
                        + "\(bundleIdentifier).")
            }
            let entry = table.entries[Int(index)]
            let kind = try SampleStore.kind(of: entry, as: bundleIdentifier, db)
            try db.execute(
                sql: "UPDATE source SET bundle_identifier = ?, derivation = 'given', kind = ? "
                    + "WHERE id = ?",
                arguments: [bundleIdentifier, kind.rawValue, entry.id])
        }
    }

    private static func kind(
        of entry: SourceTable.Entry, as bundleIdentifier: String, _ db: Database
    ) throws -> SourceTable.Kind {
        if bundleIdentifier == "com.apple.Health" { return .health }
        guard bundleIdentifier.hasPrefix("com.apple.health.") else { return .other }
        let hardware = try String.readAll(
            db,
            sql: """
                SELECT hardware FROM sample JOIN origin ON origin.id = sample.origin
                JOIN device ON device.id = origin.device
                WHERE origin.source = ? AND hardware IS NOT NULL
                GROUP BY hardware ORDER BY count(*) DESC, hardware
                """, arguments: [entry.id])
        return hardware.lazy.compactMap { SourceEvidence.kind(ofHardware: $0) }.first ?? entry.kind
    }

    /// The index of the source that a name, an earlier name or a bundle identifier means.
    ///
    /// - Throws: ``StoreError`` of code `unknownSource` or `ambiguousSource`, naming the choices.
    static func source(named name: String, in table: SourceTable) throws -> Int32 {
        let folded = StoredText.folded(name)
        var fitting = table.entries.indices.filter { index in
            table.entries[index].source.bundleIdentifier == name
                || StoredText.folded(table.entries[index].source.name) == folded
                || table.entries[index].id == table.idByAlias[folded]
        }
        if fitting.isEmpty {
            // A keyboard has ', phones write ’.
            let typed = StoredText.typed(folded)
            fitting = table.entries.indices.filter {
                StoredText.typed(StoredText.folded(table.entries[$0].source.name)) == typed
            }
        }
        if fitting.count == 1 { return Int32(fitting[0]) }
        if fitting.isEmpty {
            let known = table.entries.prefix(12).map { "“\($0.source.name)”" }
            let more = table.entries.count > known.count ? " and more (openhealth sources)" : ""
            throw StoreError(
                .unknownSource,
                known.isEmpty
                    ? "No source is called “\(name)”: the store has none yet."
                    : "No source is called “\(name)”. There are "
                        + known.joined(separator: ", ") + more + ".")
        }
        let identifiers = fitting.map { table.entries[$0].source.bundleIdentifier }
        throw StoreError(
            .ambiguousSource,
            "“\(name)” names several sources; say which by its identifier: "
                + identifiers.joined(separator: ", "))
    }

    /// Sees to it that settings of a type have a row to refer to.
    static func register(_ type: SampleType, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO type (code, identifier, kind) VALUES (?, ?, ?)",
            arguments: [type.code, type.identifier, type.kind.rawValue])
    }

    /// Excludes sources whose samples of a cumulative type are mostly half a day or longer, where
    /// nobody has chosen otherwise (Semantics §1.11). Only what archives brought counts.
    static func setDayTotalsAside(types: [SampleType], _ db: Database) throws {
        for type in types where type.aggregation == .cumulative {
            try db.execute(
                sql: """
                    INSERT INTO source_setting (type, source, excluded, reason)
                    SELECT ?1, source, 1, ?2 FROM (
                        SELECT origin.source AS source,
                               sum(end_time - start_time >= ?4 AND end_time < ?3) AS long,
                               count(*) AS samples
                        FROM sample JOIN origin ON origin.id = sample.origin
                        WHERE sample.type = ?1 AND sample.uuid IS NULL AND origin.source IS NOT NULL
                        GROUP BY origin.source)
                    WHERE long * 2 > samples
                    ON CONFLICT (type, source) DO UPDATE
                        SET excluded = 1, reason = excluded.reason
                        WHERE source_setting.excluded IS NULL
                    """,
                arguments: [
                    type.code, dayTotalsReason, Sample.undeterminedEnd, dayTotalLength,
                ])
        }
    }
}
