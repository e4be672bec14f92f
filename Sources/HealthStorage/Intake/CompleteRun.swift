import GRDB
import HealthEngine

/// Compares the exported samples of a type with a complete run of a device, and removes those that
/// the device no longer has (Semantics §15.6).
///
/// A removed sample is a row of `removed` with the reason `vanished` and without an import. An undo
/// of the import that brought it forgets it, and
/// ``SampleStore/restoreTakenOver(from:)`` restores it.
struct CompleteRun {
    /// The greatest share of exported samples that a run can remove, in percent.
    private static let maximumPercent = 2

    private struct Window {
        var source: Int64
        var from: Double
        var to: Double
    }

    private let db: Database
    private let route: Int64
    private let moment: Double
    private let nextSequence: () -> Int64

    /// - Parameters:
    ///   - db: The connection, in a transaction.
    ///   - route: The device with the format that it sends.
    ///   - moment: When the request arrived, in reference seconds.
    ///   - nextSequence: Returns the next sequence number.
    init(
        _ db: Database, route: Int64, at moment: Double, nextSequence: @escaping () -> Int64
    ) {
        self.db = db
        self.route = route
        self.moment = moment
        self.nextSequence = nextSequence
    }

    /// Takes over a type, separately for each source of which the device has sent samples.
    ///
    /// - Returns: What was compared; nil without exported samples.
    /// - Complexity: O(n log n) for n stored samples of the type.
    func take(_ completion: IntakeCompletion) throws -> IntakeReceipt.Completion? {
        guard let type = Catalogue.type(code: completion.type) else { return nil }
        if let part = completion.part, try !hasArrived(part) { return nil }
        var result = IntakeReceipt.Completion(type: type.identifier)
        let isWhole = try !hasUnstoredRecords(of: type)
        for window in try windows(completion) {
            let matched = try matchedCount(type, window)
            let unmatched = try unmatched(type, window)
            result.exported += matched + unmatched.count
            let isFew =
                unmatched.count * 100
                <= (matched + unmatched.count) * CompleteRun.maximumPercent
            guard isWhole, isFew else {
                result.unmatched += unmatched.count
                continue
            }
            for sequence in unmatched { try remove(sequence) }
            result.takenOver += unmatched.count
        }
        return result.exported > 0 ? result : nil
    }

    // MARK: - What was sent

    /// The samples with HealthKit's UUID of the type ?1 that came on the route ?2. What has derived
    /// UUIDs begins with 8 in its third group.
    private static let sent = """
        SELECT origin.source, sample.start_time, twin.uuid IS NOT NULL AS is_matched
        FROM sample JOIN origin ON origin.id = sample.origin
        LEFT JOIN twin ON twin.uuid = sample.uuid
        JOIN origin sent ON sent.id = ifnull(json_extract(twin.received, '$.origin'), origin.id)
        WHERE sample.type = ?1 AND sent.route = ?2 AND sample.uuid IS NOT NULL
            AND substr(hex(sample.uuid), 13, 1) <> '8'
        """

    /// Returns the time to compare for each source.
    ///
    /// The borders of a stated time are left out by a second, because exports print whole seconds.
    private func windows(_ completion: IntakeCompletion) throws -> [Window] {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT source, name, bundle_identifier, min(start_time) AS first,
                    max(start_time) AS last
                FROM (\(CompleteRun.sent)) JOIN source ON source.id = source
                GROUP BY source ORDER BY source
                """, arguments: [completion.type, route])
        return try rows.compactMap { row in
            if let wanted = completion.bundleIdentifier {
                guard try wanted == row["bundle_identifier"] else { return nil }
            } else if let wanted = completion.sourceName {
                guard try StoredText.folded(wanted) == StoredText.folded(row["name"]) else {
                    return nil
                }
            }
            return Window(
                source: try row["source"],
                from: try completion.from.map { $0 + 1 } ?? row["first"],
                to: try completion.to.map { min($0, moment) - 1 } ?? row["last"])
        }
    }

    private func matchedCount(_ type: SampleType, _ window: Window) throws -> Int {
        try Int.readOne(
            db,
            sql: "SELECT count(*) FROM (\(CompleteRun.sent)) WHERE is_matched AND source = ?3 "
                + "AND start_time BETWEEN ?4 AND ?5",
            arguments: [type.code, route, window.source, window.from, window.to]) ?? 0
    }

    /// Returns whether the device has sent records of the type that aren't stored as samples. An
    /// exported sample can be one of them. An invalid record without a type can be of any.
    private func hasUnstoredRecords(of type: SampleType) throws -> Bool {
        try Int.readOne(
            db,
            sql: """
                SELECT 1 FROM receipt JOIN received_record ON receipt = receipt.id
                WHERE receipt.route = ?1 AND ifnull(
                    CASE WHEN json_valid(json) THEN json_extract(json, '$.type') END,
                    iif(reason = 'unknown', NULL, ?2)) = ?2
                LIMIT 1
                """, arguments: [route, type.identifier]) != nil
    }

    // MARK: - What an export has

    /// Returns the exported samples without a UUID, by sequence number. Members follow the sample
    /// that they belong to, and a sample with members that an app or a device saved stays.
    private func unmatched(_ type: SampleType, _ window: Window) throws -> [Int64] {
        try Int64.readAll(
            db,
            sql: """
                SELECT sample.sequence FROM sample JOIN origin ON origin.id = sample.origin
                WHERE sample.type = ? AND origin.source = ? AND sample.uuid IS NULL
                    AND start_time BETWEEN ? AND ?
                    AND NOT EXISTS (SELECT 1 FROM membership WHERE child = sample.sequence)
                    AND NOT EXISTS (
                        SELECT 1 FROM membership JOIN sample member ON member.sequence = child
                        WHERE parent = sample.sequence AND member.uuid IS NOT NULL)
                ORDER BY sample.sequence
                """, arguments: [type.code, window.source, window.from, window.to])
    }

    /// Removes an exported sample and its members.
    private func remove(_ sequence: Int64) throws {
        let members = try Int64.readAll(
            db,
            sql: """
                SELECT child FROM membership WHERE parent = ?1 AND NOT EXISTS (
                    SELECT 1 FROM membership other
                    WHERE other.child = membership.child AND other.parent <> ?1)
                ORDER BY child
                """, arguments: [sequence])
        for row in [sequence] + members {
            try TwinResolution.move(
                row, toRemovedBy: nil, reason: "vanished", tombstone: nextSequence(), db)
        }
    }

    // MARK: - Parts

    /// The maximum number of requests of a run.
    private static let maximumParts = 10_000

    /// Notes a part, and returns whether all parts of its run have arrived. Only the newest run of a
    /// series is remembered, as a position of the route.
    private func hasArrived(_ part: IntakeCompletion.Part) throws -> Bool {
        guard (1...CompleteRun.maximumParts).contains(part.count),
            (0..<part.count).contains(part.index)
        else { return false }
        if part.count == 1 { return true }
        let stream = "parts/" + part.series
        let name = "\(part.count)/\(part.run)/"
        let known = try IntakeCursorTable(db).cursor(route: route, stream: stream) ?? ""
        let parts = known.hasPrefix(name) ? known.dropFirst(name.count).split(separator: ",") : []
        let arrived = Set(parts.compactMap { Int($0) }).union([part.index])
        let text = name + arrived.sorted().map(String.init).joined(separator: ",")
        try IntakeCursorTable(db).advance(
            to: IntakeCursor(stream: stream, from: nil, to: text), route: route)
        return arrived.count == part.count
    }
}
