/// A device of a person with its last request in one format.
package struct PersonContact: Hashable, Sendable {
    package var person: String
    /// The device's name.
    package var device: String
    /// nil for a device that has sent nothing yet.
    package var last: DeviceContact?
}

extension People {
    /// Returns the devices of people who aren't erased, with the last request of each in each format.
    ///
    /// - Parameter person: Whose devices; nil for those of all people.
    /// - Returns: The devices by person, name and format. Revoked ones are in it if they have sent
    ///   data.
    /// - Throws: ``PeopleError/unknownPerson``, ``SQLError``.
    package func contacts(of person: String?) throws -> [PersonContact] {
        try directory.transaction(.readOnly, person.map(RowScope.person) ?? .everybody) {
            connection in
            if let person {
                let known = try connection.execute(
                    "SELECT 1 FROM person WHERE person = $1 AND erased_at IS NULL", [.text(person)])
                if known.rows.isEmpty { throw PeopleError.unknownPerson }
            }
            return try connection.execute(
                PersonContact.query + (person == nil ? "" : "WHERE d.person = $1 ")
                    + "ORDER BY d.person, d.device, d.dialect",
                person.map { [.text($0)] } ?? []
            ).rows.map(PersonContact.init)
        }
    }
}

extension PersonContact {
    fileprivate static let query = """
        SELECT d.person, d.device, d.dialect, d.requests, d.contacted_at, d.status, d.problem,
            d.last_sample_end
        FROM (
            SELECT person, device, dialect, requests, contacted_at, status, problem, last_sample_end
            FROM contact
            UNION ALL
            SELECT t.person, t.name, '', NULL, NULL, NULL, NULL, NULL
            FROM person_token t JOIN person p ON p.person = t.person
            WHERE t.kind = 'device' AND t.revoked_at IS NULL AND p.erased_at IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM contact c WHERE c.person = t.person AND c.device = t.name)
        ) d

        """

    fileprivate init(_ row: SQLRow) throws {
        self.init(person: try row.text(0), device: try row.text(1))
        guard let requests = try row.optionalInt(3) else { return }
        last = DeviceContact(
            device: device, dialect: try row.text(2), requests: requests,
            contactedAt: try row.double(4), status: try row.int(5),
            problem: try row.optionalText(6), lastSampleEnd: try row.optionalDouble(7))
    }
}
