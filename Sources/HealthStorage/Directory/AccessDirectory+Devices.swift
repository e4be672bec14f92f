import Foundation
import GRDB

/// A phone or another program that may send data.
package struct ReceivingDevice: Hashable, Sendable {
    /// The last request of a device in one format.
    package struct Contact: Hashable, Sendable {
        /// The format.
        package var dialect: String
        /// The number of requests.
        package var requests: Int
        /// When the last request arrived, in reference seconds.
        package var contactedAt: Double
        /// The HTTP status of its answer.
        package var status: Int
        /// What became of its records. It has no values.
        package var outcome: ContactOutcome
        /// The latest end of all samples that arrived, in reference seconds; nil for none.
        package var lastSampleEnd: Double?

        package init(
            dialect: String, requests: Int = 1, contactedAt: Double, status: Int,
            outcome: ContactOutcome, lastSampleEnd: Double? = nil
        ) {
            self.dialect = dialect
            self.requests = requests
            self.contactedAt = contactedAt
            self.status = status
            self.outcome = outcome
            self.lastSampleEnd = lastSampleEnd
        }
    }

    package var name: String
    /// When the device was added, in reference seconds.
    package var createdAt: Double
    /// When its token was revoked, in reference seconds; nil if it is valid.
    package var revokedAt: Double?
    /// Its last request in each format, the latest first.
    package var contacts: [Contact] = []

    package init(
        name: String, createdAt: Double, revokedAt: Double? = nil, contacts: [Contact] = []
    ) {
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.contacts = contacts
    }

    /// When it last sent a request; nil if it never did.
    package var lastContact: Double? { contacts.map(\.contactedAt).max() }
    /// The latest end of its samples; nil for none.
    package var lastSampleEnd: Double? { contacts.compactMap(\.lastSampleEnd).max() }
}

/// What became of the records of a request: a summary of its receipt for lists.
package struct ContactOutcome: Hashable, Sendable, Codable {
    /// The identifier of the receipt; nil if nothing was stored.
    package var receipt: String?
    /// The number of records with each result, by the names of the receipt.
    package var counts: [String: Int] = [:]
    /// Why the request was refused, without a value; nil if it was stored.
    package var problem: String?

    package init(receipt: String? = nil, counts: [String: Int] = [:], problem: String? = nil) {
        self.receipt = receipt
        self.counts = counts
        self.problem = problem
    }
}

extension AccessDirectory {
    /// Adds a device. A revoked device of the name gets a new token, and keeps its name as it was
    /// written first: samples are stored with it.
    ///
    /// - Parameters:
    ///   - name: The device's name, unique apart from case.
    ///   - now: The current time, in reference seconds.
    /// - Returns: The token. Its secret isn't stored, so it can't be shown again.
    /// - Throws: ``AccessError/invalidName``, ``AccessError/nameTaken(_:)``; ``StoreError`` if the
    ///   file can't be written.
    package func addDevice(_ name: String, at now: Double) throws -> AccessToken {
        let name = try AccessError.checked(name)
        let token = AccessToken(.device)
        try writeDurably { db in
            let known = try CheckedRow.readOne(
                db, sql: "SELECT name, revoked_at FROM device WHERE folded = ?",
                arguments: [AccessDirectory.folded(name)])
            if let known, try known["revoked_at"] as Double? == nil {
                throw AccessError.nameTaken(try known["name"])
            }
            try db.execute(
                sql: """
                    INSERT INTO device (name, folded, identifier, digest, created_at)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (folded) DO UPDATE SET
                        identifier = excluded.identifier, digest = excluded.digest,
                        created_at = excluded.created_at, revoked_at = NULL
                    """,
                arguments: [
                    name, AccessDirectory.folded(name), token.identifier, Data(token.digest), now,
                ])
        }
        return token
    }

    /// Returns the device with a token.
    ///
    /// - Parameter text: The token as it was sent.
    /// - Returns: The device, without its contacts; nil for an unknown or revoked token.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func device(forToken text: String) throws -> ReceivingDevice? {
        guard let token = AccessToken(text) else { return nil }
        return try read { db in
            let row = try CheckedRow.readOne(
                db,
                sql: "SELECT name, digest, created_at FROM device "
                    + "WHERE identifier = ? AND revoked_at IS NULL",
                arguments: [token.identifier])
            guard let row, token.matches(try row["digest"] as Data) else { return nil }
            return ReceivingDevice(name: try row["name"], createdAt: try row["created_at"])
        }
    }

    /// Returns all devices by name, with the revoked ones.
    ///
    /// - Returns: The devices with their contacts.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func devices() throws -> [ReceivingDevice] {
        try read { db in
            let contacts = try AccessDirectory.contacts(db)
            let rows = try CheckedRow.readAll(
                db, sql: "SELECT id, name, created_at, revoked_at FROM device ORDER BY folded")
            return try rows.map { row in
                ReceivingDevice(
                    name: try row["name"], createdAt: try row["created_at"],
                    revokedAt: try row["revoked_at"], contacts: contacts[try row["id"]] ?? [])
            }
        }
    }

    /// Revokes the token of a device. What it sent stays.
    ///
    /// - Parameters:
    ///   - name: The device's name, in any case.
    ///   - now: The current time, in reference seconds.
    /// - Throws: ``AccessError/unknownDevice(_:)`` also for a revoked one; ``StoreError`` if the
    ///   file can't be written.
    package func removeDevice(_ name: String, at now: Double) throws {
        try writeDurably { db in
            try db.execute(
                sql: "UPDATE device SET revoked_at = ?, digest = zeroblob(0) "
                    + "WHERE folded = ? AND revoked_at IS NULL",
                arguments: [now, AccessDirectory.folded(name)])
            if db.changesCount == 0 { throw AccessError.unknownDevice(name) }
        }
    }

    /// Records a device's request.
    ///
    /// - Parameters:
    ///   - name: The device's name.
    ///   - contact: The request. Its number of requests is ignored: one is added.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func note(_ contact: ReceivingDevice.Contact, of name: String) throws {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO contact (device, dialect, requests, contacted_at, status, outcome,
                        last_sample_end)
                    SELECT id, ?2, 1, ?3, ?4, ?5, ?6 FROM device WHERE folded = ?1
                    ON CONFLICT (device, dialect) DO UPDATE SET requests = requests + 1,
                        contacted_at = max(contacted_at, excluded.contacted_at),
                        status = excluded.status, outcome = excluded.outcome,
                        last_sample_end = CASE
                            WHEN excluded.last_sample_end IS NULL THEN last_sample_end
                            ELSE max(ifnull(last_sample_end, excluded.last_sample_end),
                                excluded.last_sample_end) END
                    """,
                arguments: [
                    AccessDirectory.folded(name), contact.dialect, contact.contactedAt,
                    contact.status, try StoredText.encoded(contact.outcome), contact.lastSampleEnd,
                ])
        }
    }

    private static func contacts(_ db: Database) throws -> [Int64: [ReceivingDevice.Contact]] {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT device, dialect, requests, contacted_at, status, outcome, last_sample_end
                FROM contact ORDER BY contacted_at DESC, dialect
                """)
        var contacts: [Int64: [ReceivingDevice.Contact]] = [:]
        for row in rows {
            let outcome: String = try row["outcome"]
            let decoded = try? JSONDecoder().decode(ContactOutcome.self, from: Data(outcome.utf8))
            contacts[try row["device"], default: []].append(
                ReceivingDevice.Contact(
                    dialect: try row["dialect"], requests: try row["requests"],
                    contactedAt: try row["contacted_at"], status: try row["status"],
                    outcome: decoded ?? ContactOutcome(),
                    lastSampleEnd: try row["last_sample_end"]))
        }
        return contacts
    }

    /// Returns a name in the form in which names are compared.
    package static func folded(_ name: String) -> String {
        name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            .precomposedStringWithCanonicalMapping
    }
}
