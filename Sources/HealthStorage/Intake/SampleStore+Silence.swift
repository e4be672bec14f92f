import GRDB
package import HealthCalendar
import HealthEngine

extension SampleStore {
    /// Returns the devices that were in contact daily and haven't been for more than two days.
    ///
    /// Daily means: in the seven days that end with the last contact, on all days but one since the
    /// first contact, and on three days or more. Devices that a person removed aren't left out: the
    /// directory of devices is another file.
    ///
    /// - Parameter now: The current time, in reference seconds. Later contacts are ignored.
    /// - Returns: The devices, by name.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(receipts).
    package func silentDevices(now: Double) throws -> [SilentDevice] {
        try read { db in try IntakeActivity(db).silentDevices(now: now) }
    }

    /// Returns all data that phones sent regularly and now don't send, or send only in part.
    ///
    /// - Parameters:
    ///   - now: The current time, in reference seconds.
    ///   - calendar: The calendar of the days that totals should fill.
    /// - Returns: The findings: devices first, then types, then totals; each by device.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(receipts + samples and totals of the last 60 days).
    package func silences(now: Double, in calendar: CalendarBuckets) throws -> [IntakeSilence] {
        let types = try presentTypes().filter { $0.kind == .quantity || $0.kind == .category }
        let summed = try typesWithReceivedTotals()
        return try read { db in
            let activity = IntakeActivity(db)
            let contacts = try activity.contacts(until: now)
            if contacts.isEmpty { return [] }
            let devices = IntakeActivity.silentDevices(contacts, now: now)
            let lastContacts = contacts.compactMapValues(\.last).filter { device, _ in
                !devices.contains { $0.name == device }
            }
            let all = types + summed.filter { !types.contains($0) }
            return devices.map(IntakeSilence.device)
                + (try activity.missingTypes(among: all, lastContacts, now: now))
                + (try activity.partialTotals(among: summed, lastContacts, calendar, now: now))
        }
    }
}

/// Reads when devices were in contact, and on which days they had data.
private struct IntakeActivity {
    private static let day = 86_400.0
    /// The time without contact after which a device is silent, and without data after which a type
    /// is missing.
    private static let silence = 2 * day

    private let db: Database

    init(_ db: Database) { self.db = db }

    // MARK: - Devices

    /// Returns the contacts of each device in order, at most one an hour.
    func contacts(until now: Double) throws -> [String: [Double]] {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT device, max(received_at) AS moment
                FROM receipt JOIN intake_route ON intake_route.id = receipt.route
                WHERE received_at <= ?
                GROUP BY device, CAST(received_at / 3600 AS INTEGER) ORDER BY moment
                """, arguments: [now])
        return try rows.reduce(into: [:]) { contacts, row in
            let (device, moment): (String, Double) = (try row["device"], try row["moment"])
            contacts[device, default: []].append(moment)
        }
    }

    func silentDevices(now: Double) throws -> [SilentDevice] {
        IntakeActivity.silentDevices(try contacts(until: now), now: now)
    }

    static func silentDevices(_ contacts: [String: [Double]], now: Double) -> [SilentDevice] {
        contacts.compactMap { device, moments -> SilentDevice? in
            guard let last = moments.last, now - last > silence else { return nil }
            // Days counted back from the last contact.
            let days = Set(moments.map { ((last - $0) / day).rounded(.down) }.filter { $0 < 7 })
            let span = (days.max() ?? 0) + 1
            guard days.count >= 3, Double(days.count) >= span - 1 else { return nil }
            return SilentDevice(name: device, since: last)
        }.sorted { $0.name < $1.name }
    }

    // MARK: - Types

    /// The time that is searched for data of a type.
    private static let searched = 60 * day
    /// The number of days with data from which a type counts as sent regularly.
    private static let regularDays = 5

    /// The newest data of a type from a device; the name is empty for imports and apps.
    private struct Data {
        var last: Double
        var days: Int
    }

    func missingTypes(
        among types: [SampleType], _ lastContacts: [String: Double], now: Double
    ) throws -> [IntakeSilence] {
        var missing: [String: (types: [SampleType], since: Double)] = [:]
        for type in types {
            let data = try data(of: type, from: now - IntakeActivity.searched, to: now)
            for (device, own) in data {
                guard let contact = lastContacts[device], own.days >= IntakeActivity.regularDays,
                    contact - own.last > IntakeActivity.silence,
                    data.contains(where: {
                        $0.key != device && $0.value.last - own.last > IntakeActivity.silence
                    })
                else { continue }
                let known = missing[device]
                missing[device] = (
                    (known?.types ?? []) + [type], max(known?.since ?? own.last, own.last)
                )
            }
        }
        return missing.sorted { $0.key < $1.key }.map {
            .types($0.value.types, device: $0.key, since: $0.value.since)
        }
    }

    private func data(of type: SampleType, from: Double, to: Double) throws -> [String: Data] {
        let queries = [
            """
            SELECT ifnull(intake_route.device, '') AS sender, max(start_time) AS last,
                count(DISTINCT CAST(start_time / 86400 AS INTEGER)) AS days
            FROM sample JOIN origin ON origin.id = sample.origin
            LEFT JOIN intake_route ON intake_route.id = origin.route
            WHERE sample.type = ? AND start_time >= ? AND start_time <= ? GROUP BY sender
            """,
            """
            SELECT intake_route.device AS sender, max(start_time) AS last,
                count(DISTINCT CAST(start_time / 86400 AS INTEGER)) AS days
            FROM external_total JOIN intake_route ON intake_route.id = route
            WHERE type = ? AND start_time >= ? AND start_time <= ? GROUP BY sender
            """,
        ]
        var data: [String: Data] = [:]
        for sql in queries {
            for row in try CheckedRow.readAll(db, sql: sql, arguments: [type.code, from, to]) {
                let sender: String = try row["sender"]
                let known = data[sender]
                data[sender] = Data(
                    last: max(known?.last ?? -.infinity, try row["last"]),
                    days: max(known?.days ?? 0, try row["days"]))
            }
        }
        return data
    }

    // MARK: - Totals

    /// The number of past days whose totals are examined.
    private static let examinedDays = 7.0

    func partialTotals(
        among types: [SampleType], _ lastContacts: [String: Double], _ calendar: CalendarBuckets,
        now: Double
    ) throws -> [IntakeSilence] {
        // A day's totals have until 24 hours after its end.
        let end = calendar.start(of: .day, at: now - IntakeActivity.day)
        let start = end - IntakeActivity.examinedDays * IntakeActivity.day
        guard let edges = try? calendar.edges(from: start, to: end, by: .day) else { return [] }
        var partial: [String: (types: [SampleType], days: Int)] = [:]
        for type in types {
            for (device, days) in try partialDays(of: type, edges) {
                guard let contact = lastContacts[device], contact > end, days >= 2 else { continue }
                let known = partial[device]
                partial[device] = ((known?.types ?? []) + [type], max(known?.days ?? 0, days))
            }
        }
        return partial.sorted { $0.key < $1.key }.map {
            .partialTotals($0.value.types, device: $0.key, days: $0.value.days)
        }
    }

    /// Returns the number of days whose totals from a device all arrived before the end of the day,
    /// by device; only for devices for which these are at least half of the days with totals.
    private func partialDays(of type: SampleType, _ edges: [Double]) throws -> [String: Int] {
        guard let first = edges.first, let last = edges.last,
            let unit = type.displayUnit ?? type.canonicalUnit
        else { return [:] }
        let intervals = try ExternalTotals(db).intervals(
            of: type.code, from: first, to: last, in: unit)
        var days: [String: (partial: Int, all: Int)] = [:]
        for (start, end) in zip(edges, edges.dropFirst()) {
            var received: [String: Double] = [:]
            for interval in intervals where interval.start >= start && interval.start < end {
                received[interval.device] = max(
                    received[interval.device] ?? -.infinity, interval.receivedAt)
            }
            for (device, moment) in received {
                let known = days[device] ?? (0, 0)
                days[device] = (known.partial + (moment < end ? 1 : 0), known.all + 1)
            }
        }
        return days.filter { $0.value.partial * 2 >= $0.value.all }.mapValues(\.partial)
    }
}
