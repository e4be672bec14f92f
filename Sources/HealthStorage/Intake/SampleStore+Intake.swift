import Foundation
import GRDB
import HealthEngine

/// A request whose pages a store takes.
package struct IntakeDelivery: Sendable {
    /// The name of the device that sent it.
    package var device: String
    /// The format of the body.
    package var dialect: String
    /// The sender's idempotency key; nil if it sends none.
    package var idempotencyKey: String?
    /// The SHA-256 of the body after decoding its content coding.
    package var bodyDigest: [UInt8]
    /// When the request arrived, in reference seconds.
    package var receivedAt: Double

    package init(
        device: String, dialect: String, idempotencyKey: String? = nil, bodyDigest: [UInt8],
        receivedAt: Double
    ) {
        self.device = device
        self.dialect = dialect
        self.idempotencyKey = idempotencyKey
        self.bodyDigest = bodyDigest
        self.receivedAt = receivedAt
    }
}

/// What a store knows of a request before it reads the body.
package enum IntakeProgress: Hashable, Sendable {
    /// The request is new, or was interrupted: records from this number on are still to be read.
    case pending(IntakeReceipt)
    /// The same request was stored before. Its receipt is the answer.
    case stored(IntakeReceipt)
    /// The idempotency key belongs to another body.
    case keyReused
}

extension SampleStore {
    /// Finds or creates the receipt of a request (Semantics §15.10).
    ///
    /// With an idempotency key, the same key and body give the stored receipt. Without one, only an
    /// interrupted request with the same body is continued: a body that is sent again for another
    /// reason is read again, and its records are duplicates.
    ///
    /// - Parameter delivery: The request.
    /// - Returns: Where to continue.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func beginIntake(_ delivery: IntakeDelivery) throws -> IntakeProgress {
        try write { db in
            let route = try IntakeRoute.number(delivery.device, delivery.dialect, db)
            let table = ReceiptTable(db)
            if let key = delivery.idempotencyKey {
                if let known = try table.receipt(route: route, key: key) {
                    guard known.bodyDigest == delivery.bodyDigest else { return .keyReused }
                    return known.receipt.isComplete
                        ? .stored(known.receipt) : .pending(known.receipt)
                }
            } else if let interrupted = try table.interrupted(
                route: route, bodyDigest: delivery.bodyDigest)
            {
                return .pending(interrupted)
            }
            return .pending(try table.insert(delivery, route: route))
        }
    }

    /// Takes one page of a request, in one transaction with its part of the receipt.
    ///
    /// - Parameters:
    ///   - page: The page. It continues where the receipt ends.
    ///   - delivery: The request.
    ///   - receipt: The receipt so far, from ``beginIntake(_:)`` or the page before.
    /// - Returns: The receipt with the page's records.
    /// - Throws: ``StoreError`` if the file can't be written or another process has continued the
    ///   same receipt; ``IntakeCursorMismatch`` if the page's cursor doesn't follow the stored one.
    ///   Then nothing of the page is stored.
    /// - Complexity: O(m log n) for m records of the page and n stored samples.
    package func take(
        _ page: IntakeBatch, of delivery: IntakeDelivery, _ receipt: IntakeReceipt
    ) throws -> IntakeReceipt {
        try write { db in
            let route = try IntakeRoute.number(delivery.device, delivery.dialect, db)
            let table = ReceiptTable(db)
            guard try table.position(receipt.number) == receipt.received else {
                throw StoreError(.busy(file: (path as NSString).lastPathComponent))
            }
            let writer = try IntakeWriter(db, page, route: route, at: delivery.receivedAt, receipt)
            var next = try writer.run()
            next.firstSequence = receipt.firstSequence ?? writer.firstSequence
            let completions = try SampleStore.complete(
                page, route, at: delivery.receivedAt, db)
            // A request that is continued after an interruption can state the same again.
            next.completions += completions.filter { new in
                !receipt.completions.contains { $0.type == new.type }
            }
            next.lastSequence = try SampleStore.lastSequence(db)
            try table.update(next)
            if let zone = page.timeZone { try adoptHomeZone(zone, db) }
            if let cursor = page.cursor {
                try IntakeCursorTable(db).advance(to: cursor, route: route)
            }
            return next
        }
    }

    /// Takes a sender's time zone as the home zone if there is none. UTC and the Etc zones are
    /// settings of computers, not of people.
    private func adoptHomeZone(_ identifier: String, _ db: Database) throws {
        guard identifier.contains("/"), !identifier.hasPrefix("Etc/"),
            TimeZone(identifier: identifier) != nil,
            try SampleStore.storedValue(.homeZone, db) == nil
        else { return }
        try SampleStore.setHomeZone(HomeZone(identifier: identifier, reason: .device), db)
    }

    /// Returns a sender's position in a stream.
    ///
    /// - Parameters:
    ///   - device: The name of the device.
    ///   - dialect: The format that it uses.
    ///   - stream: The identifier of the sender's stream.
    /// - Returns: The cursor after the last page that is stored; nil for none.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func intakeCursor(
        device: String, dialect: String, stream: String
    ) throws -> String? {
        try read { db in
            let route = try Int64.readOne(
                db, sql: "SELECT id FROM intake_route WHERE device = ? AND dialect = ?",
                arguments: [device, dialect])
            return try route.flatMap {
                try IntakeCursorTable(db).cursor(route: $0, stream: stream)
            }
        }
    }

    /// Marks a request as read to its end, and unifies its sources with those of exports as far as
    /// that is proven now (Semantics §15.4).
    ///
    /// - Parameter receipt: The receipt after the last page.
    /// - Returns: The complete receipt.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func finishIntake(_ receipt: IntakeReceipt) throws -> IntakeReceipt {
        var receipt = receipt
        receipt.isComplete = true
        try write { db in
            try ReceiptTable(db).update(receipt)
            guard let first = receipt.firstSequence,
                let last = receipt.lastSequence, first <= last
            else { return }
            try SampleStore.unifySources(first...last, db)
        }
        return receipt
    }

    /// Compares exports with the complete runs that end with a page. Sources are unified before.
    private static func complete(
        _ page: IntakeBatch, _ route: Int64, at moment: Double, _ db: Database
    ) throws -> [IntakeReceipt.Completion] {
        if page.completions.isEmpty { return [] }
        try unifySources(nil, db)
        let before = try lastSequence(db)
        var last = before
        let run = CompleteRun(db, route: route, at: moment) {
            last += 1
            return last
        }
        let results = try page.completions.compactMap(run.take)
        if last != before { try set(.lastSequence, to: last, db) }
        return results
    }

    /// - Parameter received: The sequence numbers of a request's samples; nil for all samples.
    private static func unifySources(
        _ received: ClosedRange<Int64>?, _ db: Database
    ) throws {
        guard try Int.readOne(db, sql: "SELECT 1 FROM import LIMIT 1") != nil else { return }
        let sources = try SourceUnification(db).run(received)
        if sources.isEmpty { return }
        let before = try lastSequence(db)
        var last = before
        let resolution = try TwinResolution(db, importing: nil) {
            last += 1
            return last
        }
        for window in try TwinCandidates.windows(ofSources: sources, db) {
            try resolution.resolve(window)
        }
        if last != before { try set(.lastSequence, to: last, db) }
    }
}

/// The table of routes: devices with the formats that they send.
enum IntakeRoute {
    /// The formats that can't report deletions, as an SQL list.
    static let dialectsWithoutDeletions = "'open-wearables', 'health-auto-export'"

    /// The format that has everything that HealthKit has.
    static let completeDialect = "changes"

    /// The formats in which samples can come without UUIDs, as an SQL list.
    static let dialectsWithoutUUIDs = "'health-auto-export', 'healthsave'"

    /// Returns a route's number, and inserts the route if it is new.
    static func number(_ device: String, _ dialect: String, _ db: Database) throws -> Int64 {
        if let known = try Int64.readOne(
            db, sql: "SELECT id FROM intake_route WHERE device = ? AND dialect = ?",
            arguments: [device, dialect])
        {
            return known
        }
        try db.executeKept(
            sql: "INSERT INTO intake_route (device, dialect) VALUES (?, ?)",
            arguments: [device, dialect])
        return db.lastInsertedRowID
    }
}

/// The table of receipts.
struct ReceiptTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func receipt(
        route: Int64, key: String
    ) throws -> (receipt: IntakeReceipt, bodyDigest: [UInt8])? {
        let row = try CheckedRow.readAll(
            db, sql: "\(ReceiptTable.columns) WHERE route = ? AND idempotency_key = ?",
            arguments: [route, key]
        ).first
        guard let row else { return nil }
        let digest: Data = try row["body_digest"]
        return (try ReceiptTable.receipt(row), [UInt8](digest))
    }

    /// Returns the newest receipt of a body that was not read to its end.
    func interrupted(route: Int64, bodyDigest: [UInt8]) throws -> IntakeReceipt? {
        try CheckedRow.readAll(
            db,
            sql: "\(ReceiptTable.columns) WHERE route = ? AND body_digest = ? "
                + "AND NOT is_complete ORDER BY id DESC LIMIT 1",
            arguments: [route, Data(bodyDigest)]
        ).first.map(ReceiptTable.receipt)
    }

    /// Returns the receipts of a device that say what complete runs were compared with, oldest first.
    func completing(device: String) throws -> [IntakeReceipt] {
        try CheckedRow.readAll(
            db,
            sql: """
                \(ReceiptTable.columns) WHERE counts LIKE '%"\(StoredCount.completions)"%'
                AND route IN (SELECT id FROM intake_route WHERE device = ? COLLATE NOCASE)
                ORDER BY id
                """, arguments: [device]
        ).map(ReceiptTable.receipt)
    }

    func position(_ number: Int64) throws -> Int? {
        try Int.readOne(db, sql: "SELECT position FROM receipt WHERE id = ?", arguments: [number])
    }

    func insert(_ delivery: IntakeDelivery, route: Int64) throws -> IntakeReceipt {
        try db.executeKept(
            sql: """
                INSERT INTO receipt (route, idempotency_key, body_digest, received_at, position,
                    first_sequence, last_sequence, is_complete, counts, records)
                VALUES (?, ?, ?, ?, 0, 0, 0, 0, '{}', '[]')
                """,
            arguments: [
                route, delivery.idempotencyKey, Data(delivery.bodyDigest), delivery.receivedAt,
            ])
        return IntakeReceipt(number: db.lastInsertedRowID)
    }

    func update(_ receipt: IntakeReceipt) throws {
        var counts = Dictionary(
            uniqueKeysWithValues: receipt.counts.map {
                ($0.key.rawValue, StoredCount.number($0.value))
            })
        if !receipt.completions.isEmpty {
            counts[StoredCount.completions] = .completions(receipt.completions)
        }
        try db.executeKept(
            sql: """
                UPDATE receipt SET position = ?, first_sequence = ifnull(?, first_sequence),
                    last_sequence = ifnull(?, last_sequence), is_complete = ?, counts = ?,
                    records = ? WHERE id = ?
                """,
            arguments: [
                receipt.received, receipt.firstSequence, receipt.lastSequence, receipt.isComplete,
                try StoredText.encoded(counts),
                try StoredText.encoded(receipt.records), receipt.number,
            ])
    }

    private static let columns =
        "SELECT id, body_digest, first_sequence, last_sequence, is_complete, counts, records "
        + "FROM receipt"

    private static func receipt(_ row: CheckedRow) throws -> IntakeReceipt {
        let (counts, records): (String, String) = (try row["counts"], try row["records"])
        let decoder = JSONDecoder()
        guard let named = try? decoder.decode([String: StoredCount].self, from: Data(counts.utf8)),
            let listed = try? decoder.decode(
                [IntakeReceipt.Record].self, from: Data(records.utf8))
        else { throw StoreError.damaged("receipt.counts") }
        var receipt = IntakeReceipt(number: try row["id"])
        for (name, count) in named {
            switch (IntakeReceipt.Result(rawValue: name), count) {
            case (let result?, .number(let count)) where count >= 0 && count < 1 << 53:
                receipt.counts[result] = count
            case (nil, .completions(let completions)) where name == StoredCount.completions:
                receipt.completions = completions
            default: throw StoreError.damaged("receipt.counts")
            }
        }
        receipt.records = listed
        let first: Int64 = try row["first_sequence"]
        receipt.firstSequence = first == 0 ? nil : first
        receipt.lastSequence = first == 0 ? nil : try row["last_sequence"]
        receipt.isComplete = try row["is_complete"]
        return receipt
    }
}

/// A member of the JSON in `receipt.counts`: the number of records with a result, or the list of the
/// completed types.
private enum StoredCount: Codable {
    case number(Int)
    case completions([IntakeReceipt.Completion])

    /// The name of the list.
    static let completions = "completions"

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .completions(try container.decode([IntakeReceipt.Completion].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .completions(let completions): try container.encode(completions)
        }
    }
}
