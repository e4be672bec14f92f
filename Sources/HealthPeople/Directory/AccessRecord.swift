import HealthEngine
import HealthStorage

/// One line of the log of accesses: who read or wrote which data of a person, and when. It contains
/// no value of the data.
package struct AccessRecord: Hashable, Sendable {
    package enum Action: String, Hashable, Sendable { case read, write }

    /// Whose data; empty for an operator's call that concerns no person.
    package var person: String
    /// In reference seconds.
    package var at: Double
    /// The public identifier of the token, or "operator".
    package var actor: String
    package var action: Action
    /// The resource, with the category of data.
    package var subject: String
    /// The days that were asked for, as text; nil for no limit.
    package var days: String?
    /// The address of the client; nil for a command.
    package var origin: String?
    /// The HTTP status of the answer.
    package var result: Int

    package init(
        person: String, at: Double, actor: String, action: Action, subject: String,
        days: String? = nil, origin: String? = nil, result: Int
    ) {
        self.person = person
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.days = days
        self.origin = origin
        self.result = result
    }

    /// The longest list of types in a line, in characters.
    private static let maximumTypes = 400

    /// Adds the types and days, in UTC, of what was written.
    mutating func add(_ data: ChangedData) {
        if !data.types.isEmpty {
            subject += String((" " + data.types.joined(separator: " ")).prefix(Self.maximumTypes))
        }
        guard let times = data.times else { return }
        func day(_ time: Double) -> String {
            let days = Int(clamping: (time / 86_400).rounded(.down))
            return CivilDate(dayNumber: CivilDate(2001, 1, 1).dayNumber + days).description
        }
        days = "from=\(day(times.lowerBound)) to=\(day(times.upperBound))"
    }

    func insert(_ connection: any SQLConnection) throws {
        _ = try connection.execute(
            "INSERT INTO access (\(AccessRecord.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            values)
    }

    /// The rows that a transaction needs to write it. A row of nobody is visible only to those who
    /// see all.
    fileprivate var scope: RowScope { person.isEmpty ? .everybody : .person(person) }

    static let columns = "person, at, actor, action, subject, days, origin, result"

    fileprivate var values: [SQLValue] {
        [
            .text(person), .real(at), .text(actor), .text(action.rawValue), .text(subject),
            days.map(SQLValue.text) ?? .null, origin.map(SQLValue.text) ?? .null,
            .integer(Int64(result)),
        ]
    }

    fileprivate init(_ row: SQLRow) throws {
        self.init(
            person: try row.text(0), at: try row.double(1), actor: try row.text(2),
            action: Action(rawValue: try row.text(3)) ?? .read, subject: try row.text(4),
            days: try row.optionalText(5), origin: try row.optionalText(6),
            result: try row.int(7))
    }
}

extension ChangeLog {
    /// Adds a line to the log of accesses of a person.
    ///
    /// - Throws: ``PeopleError/unknownPerson`` for a person who isn't here;
    ///   ``PeopleError/suspended`` while the person is being moved; ``SQLError``.
    func record(_ access: AccessRecord) async throws {
        try await database.transaction(.readWrite) { [dialect] connection in
            try dialect.limit(connection, to: access.scope)
            // A move waits for it, and copies the line.
            let added = try connection.execute(
                "INSERT INTO access (\(AccessRecord.columns)) "
                    + "SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM person_head "
                    + "WHERE person = $1 AND frozen = 0" + dialect.sharedLock, access.values)
            if added.affectedRows == 1 { return }
            let known = try connection.execute(
                "SELECT 1 FROM person_head WHERE person = $1", [.text(access.person)])
            throw known.rows.isEmpty ? PeopleError.unknownPerson : PeopleError.suspended
        }
    }

    /// Adds a line to the log of accesses of nobody: of an operator, or of an unknown person.
    func recordOfNobody(_ access: AccessRecord) async throws {
        try await database.transaction(.readWrite) { [dialect] connection in
            try dialect.limit(connection, to: access.scope)
            try access.insert(connection)
        }
    }

    /// Returns the accesses to a person's data, the newest first.
    func accesses(to person: String, limit: Int) throws -> [AccessRecord] {
        try transaction(.readOnly, of: person) { connection in
            try connection.execute(
                "SELECT person, at, actor, action, subject, days, origin, result FROM access "
                    + "WHERE person = $1 ORDER BY id DESC LIMIT $2",
                [.text(person), .integer(Int64(limit))]
            ).rows.map(AccessRecord.init)
        }
    }
}

/// The last request of a device in one format, for lists.
package struct DeviceContact: Hashable, Sendable {
    package var device: String
    /// The format.
    package var dialect: String
    /// The number of requests.
    package var requests: Int
    /// When the last one arrived, in reference seconds.
    package var contactedAt: Double
    /// The HTTP status of its answer.
    package var status: Int
    /// Why it was refused, without a value; nil if it was stored.
    package var problem: String?
    /// The latest end of all samples that arrived, in reference seconds; nil for none.
    package var lastSampleEnd: Double?

    package init(
        device: String, dialect: String, requests: Int = 1, contactedAt: Double, status: Int,
        problem: String? = nil, lastSampleEnd: Double? = nil
    ) {
        self.device = device
        self.dialect = dialect
        self.requests = requests
        self.contactedAt = contactedAt
        self.status = status
        self.problem = problem
        self.lastSampleEnd = lastSampleEnd
    }

    func insert(of person: String, _ connection: any SQLConnection) throws {
        _ = try connection.execute(
            """
            INSERT INTO contact (person, device, dialect, requests, contacted_at, status, problem,
                last_sample_end)
            VALUES ($1, $2, $3, 1, $4, $5, $6, $7)
            ON CONFLICT (person, device, dialect) DO UPDATE SET
                requests = contact.requests + 1,
                contacted_at = CASE WHEN excluded.contacted_at > contact.contacted_at
                    THEN excluded.contacted_at ELSE contact.contacted_at END,
                status = excluded.status, problem = excluded.problem,
                last_sample_end = CASE
                    WHEN excluded.last_sample_end IS NULL THEN contact.last_sample_end
                    WHEN contact.last_sample_end > excluded.last_sample_end
                    THEN contact.last_sample_end ELSE excluded.last_sample_end END
            """,
            [
                .text(person), .text(device), .text(dialect), .real(contactedAt),
                .integer(Int64(status)), problem.map(SQLValue.text) ?? .null,
                lastSampleEnd.map(SQLValue.real) ?? .null,
            ])
    }
}
