import Foundation
import GRDB
public import HealthEngine

/// A source with its rank for one type, or over all types.
public struct SourceSummary: Hashable, Sendable {
    /// The name of the source.
    public var name: String
    /// The bundle identifier, derived from the name if the source was imported and not identified.
    public var bundleIdentifier: String
    /// The rank from 1, which is the highest priority, among the sources with visible samples,
    /// including excluded ones.
    public var rank: Int
    /// Whether the source is excluded from statistics of the type; false in a summary over all
    /// types.
    public var isExcluded: Bool
    /// The reason of the exclusion: "day totals" if the importer excluded it, "chosen" if a person
    /// did; nil for an included source.
    public var exclusionReason: String?
    /// The number of visible samples.
    public var samples: Int
    /// The earliest start, in seconds since the reference date.
    public var first: Double
    /// The latest end, in seconds since the reference date. An undetermined end counts as the
    /// start.
    public var last: Double
}

extension SampleStore {
    /// The reason that the importer records when it excludes a source of day totals
    /// (Semantics §1.11).
    package static let dayTotalsReason = "day totals"

    /// The reason of an exclusion that a person chose.
    static let chosenReason = "chosen"

    /// The duration in seconds from which a cumulative sample counts as a day total: 12 hours.
    static let dayTotalLength: Double = 43_200

    /// Returns the sources with samples of a type, or of any type, in order of rank.
    ///
    /// - Parameters:
    ///   - type: The type; nil for all types, in the default order.
    ///   - visibility: What the caller may read. Counts, times and ranks cover only visible
    ///     samples.
    /// - Returns: One summary for each source with visible samples.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(samples of the type), or O(samples) for all types.
    public func sources(
        of type: SampleType?, visibility: Visibility = .everything
    ) throws -> [SourceSummary] {
        try read { db in try SampleStore.sources(of: type, visibility, db) }
    }

    /// Returns the bundle identifiers of all sources in the current order of a type, highest
    /// priority first, and of the excluded ones.
    ///
    /// - Complexity: O(n log n) in the number of sources.
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

    /// Returns the bundle identifier of the source with a name, a former name or a bundle
    /// identifier.
    ///
    /// - Throws: ``StoreError`` of code `unknownSource` or `ambiguousSource`, with the candidates.
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
        let condition: SQL =
            type.map { "sample.type = \($0.code) AND \(visibility[$0.code].condition)" }
            ?? visibility.condition
        let request: SQLRequest<Row> = """
            SELECT origin.source AS source, count(*) AS samples, min(start_time) AS first,
                   max(CASE WHEN end_time < \(Sample.undeterminedEnd)
                       THEN end_time ELSE start_time END) AS last
            FROM sample JOIN origin ON origin.id = sample.origin
            WHERE origin.source IS NOT NULL AND \(condition)
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

    /// Returns all exclusions: the type, the source and the reason.
    ///
    /// - Parameter visibility: What the caller may read. Sources that it hides are left out.
    /// - Returns: The exclusions, sorted by type identifier.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(types × sources).
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

    /// Moves the named sources to the front of a type's order. The others follow in their current
    /// order.
    ///
    /// A source that is added later is inserted according to the default order.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - names: Names or bundle identifiers, highest priority first.
    /// - Throws: ``StoreError`` if no source or several have a name, a source is named twice, or
    ///   the file can't be written.
    public func setOrder(of type: SampleType, to names: [String]) throws {
        try write { db in
            try SampleStore.register(type, db)
            let table = try SourceTable(db)
            let listed = try names.map { try SampleStore.source(named: $0, in: table) }
            guard Set(listed).count == listed.count else {
                throw StoreError(.repeatedSource(names))
            }
            let current = table.order(try SourceTable.settings(db, type: type.code)).ranking
            let ranking = listed + current.filter { !listed.contains($0) }
            try SampleStore.store(ranking, of: type, table, db)
        }
    }

    /// Stores the complete order of a type.
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

    /// Whether a source is included in statistics of a type.
    public enum Participation: Sendable { case included, excluded }

    /// Includes a source in statistics of a type, or excludes it. Imports don't change this choice.
    ///
    /// - Parameters:
    ///   - participation: Whether the source is included.
    ///   - name: The name, a former name or the bundle identifier of the source.
    ///   - type: The type.
    /// - Throws: ``StoreError`` if no source or several have the name, or the file can't be
    ///   written.
    public func set(_ participation: Participation, of name: String, in type: SampleType) throws {
        try write { db in
            try SampleStore.register(type, db)
            let table = try SourceTable(db)
            let index = try SampleStore.source(named: name, in: table)
            try SampleStore.store(participation, of: table.entries[Int(index)].id, in: type, db)
        }
    }

    /// Stores a person's choice about one source.
    static func store(
        _ participation: Participation, of source: Int64, in type: SampleType, _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO source_setting (type, source, excluded, reason) "
                + "VALUES (?, ?, ?, ?) ON CONFLICT (type, source) "
                + "DO UPDATE SET excluded = excluded.excluded, reason = excluded.reason",
            arguments: [type.code, source, participation == .excluded, chosenReason])
    }

    /// Removes the order of a type and all choices of included and excluded sources. Sources of day
    /// totals are excluded again.
    ///
    /// - Parameter type: The type.
    /// - Throws: ``StoreError`` if the file can't be written.
    public func resetSources(of type: SampleType) throws {
        try write { db in
            try db.execute(sql: "DELETE FROM source_setting WHERE type = ?", arguments: [type.code])
            try SampleStore.excludeDayTotals(types: [type], db)
        }
    }

    /// Sets the bundle identifier of a source. Later imports keep it.
    ///
    /// The identifier determines the source's kind, and so its default rank. `com.apple.Health` is
    /// the Health app. `com.apple.health.…` is an Apple device, whose kind follows from its
    /// hardware; without known hardware, the kind doesn't change. Any other identifier is an app.
    ///
    /// - Parameters:
    ///   - name: The name, a former name or the current bundle identifier of the source.
    ///   - bundleIdentifier: The new bundle identifier, without spaces.
    /// - Throws: ``StoreError`` if no source or several have the name, the identifier is malformed
    ///   or belongs to another source, or the file can't be written.
    public func identify(_ name: String, as bundleIdentifier: String) throws {
        guard !bundleIdentifier.isEmpty, !bundleIdentifier.contains(where: \.isWhitespace) else {
            throw StoreError(.invalidBundleIdentifier(bundleIdentifier))
        }
        try write { try SampleStore.identify(name, as: bundleIdentifier, $0) }
    }

    /// Sets the bundle identifier of a source, which is well-formed.
    static func identify(_ name: String, as bundleIdentifier: String, _ db: Database) throws {
        let table = try SourceTable(db)
        let index = try SampleStore.source(named: name, in: table)
        let owner = table.entries.indices.first {
            $0 != Int(index) && table.entries[$0].source.bundleIdentifier == bundleIdentifier
        }
        if let owner {
            throw StoreError(
                .bundleIdentifierTaken(
                    bundleIdentifier, by: table.entries[owner].source.name))
        }
        let entry = table.entries[Int(index)]
        let kind = try SampleStore.kind(of: entry, as: bundleIdentifier, db)
        try db.execute(
            sql: "UPDATE source SET bundle_identifier = ?, derivation = 'given', kind = ? "
                + "WHERE id = ?",
            arguments: [bundleIdentifier, kind.rawValue, entry.id])
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

    /// Returns the index of the source with a name, a former name or a bundle identifier.
    ///
    /// - Throws: ``StoreError`` of code `unknownSource` or `ambiguousSource`, with the candidates.
    static func source(named name: String, in table: SourceTable) throws -> Int32 {
        let folded = StoredText.folded(name)
        var fitting = table.entries.indices.filter { index in
            table.entries[index].source.bundleIdentifier == name
                || StoredText.folded(table.entries[index].source.name) == folded
                || table.entries[index].id == table.idByAlias[folded]
        }
        if fitting.isEmpty {
            // Names from phones have a typographic apostrophe (’), while people type a straight
            // one.
            let typed = StoredText.typed(folded)
            fitting = table.entries.indices.filter {
                StoredText.typed(StoredText.folded(table.entries[$0].source.name)) == typed
            }
        }
        if fitting.count == 1 { return Int32(fitting[0]) }
        if fitting.isEmpty {
            throw StoreError(
                .unknownSource(
                    name, known: table.entries.prefix(12).map(\.source.name),
                    count: table.entries.count))
        }
        let identifiers = fitting.map { table.entries[$0].source.bundleIdentifier }
        throw StoreError(.ambiguousSource(name, identifiers: identifiers))
    }

    /// Inserts the type's row if it is missing, because settings and samples refer to it.
    static func register(_ type: SampleType, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO type (code, identifier, kind) VALUES (?, ?, ?)",
            arguments: [type.code, type.identifier, type.kind.rawValue])
    }

    /// Excludes the sources of day totals: sources of which more than half of the imported and
    /// received samples of a cumulative type last 12 hours or longer. A person's choice is kept
    /// (Semantics §1.11).
    ///
    /// - Parameter minimum: The number of such samples from which a source is excluded.
    static func excludeDayTotals(
        types: [SampleType], minimum: Int = 1, _ db: Database
    ) throws {
        for type in types where type.aggregation == .cumulative {
            try db.execute(
                sql: """
                    INSERT INTO source_setting (type, source, excluded, reason)
                    SELECT ?1, source, 1, ?2 FROM (
                        SELECT origin.source AS source,
                               sum(end_time - start_time >= ?4 AND end_time < ?3) AS long,
                               count(*) AS samples
                        FROM sample JOIN origin ON origin.id = sample.origin
                        WHERE sample.type = ?1 AND origin.source IS NOT NULL
                            AND (sample.uuid IS NULL OR origin.route IS NOT NULL)
                        GROUP BY origin.source)
                    WHERE long * 2 > samples AND long >= ?5
                    ON CONFLICT (type, source) DO UPDATE
                        SET excluded = 1, reason = excluded.reason
                        WHERE source_setting.excluded IS NULL
                    """,
                arguments: [
                    type.code, dayTotalsReason, Sample.undeterminedEnd, dayTotalLength, minimum,
                ])
        }
    }
}
