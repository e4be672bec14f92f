import HealthCalendar
import HealthEngine
import HealthStorage

/// The permissions of programs in a store.
struct GrantList {
    private typealias Row = (
        app: String, type: String, grant: AuthorizationRow, objects: [ObjectAuthorization]
    )

    private var rows: [Row] = []
    private var app: String?
    private var calendar: CalendarBuckets

    /// Reads the permissions.
    ///
    /// - Parameter app: The identifier of a program; nil for all programs with a stored decision.
    init(_ store: SampleStore, app: String?, _ calendar: CalendarBuckets) throws {
        self.app = app
        self.calendar = calendar
        for client in try store.authorizedClients() where app == nil || client == app {
            let objects = Dictionary(
                grouping: try store.objectAuthorization(of: client), by: \.type)
            let grants = try store.authorization(of: client).map { code, grant in
                (client, GrantedType.name(of: code), grant, objects[code] ?? [])
            }
            rows += grants.sorted { $0.1 < $1.1 }
        }
    }

    func print(_ global: GlobalOptions) throws {
        try global.json ? Output.print(json) : Output.print(text)
    }

    var json: JSONText {
        .object([
            "grants": .array(
                rows.map { row in
                    .object([
                        "app": .string(row.app),
                        "type": .string(row.type),
                        "share": .string(GrantList.label(row.grant.share)),
                        "read": .string(GrantList.label(row.grant.read)),
                        "since": row.grant.earliest.map { .string(calendar.text($0)) },
                        "objects": row.objects.isEmpty
                            ? nil
                            : .array(
                                row.objects.map {
                                    .object([
                                        "uuid": .string("\($0.uuid)"),
                                        "read": .string($0.isGranted ? "allowed" : "denied"),
                                    ])
                                }),
                    ])
                })
        ])
    }

    /// One table for each program.
    var text: String {
        guard !rows.isEmpty else {
            return StoreOptions.completed(
                "No permissions\(app.map { " for \($0)" } ?? "") yet. Add one with: "
                    + "openhealth grants allow \(app ?? "APP") --read stepCount\n")
        }
        return Dictionary(grouping: rows, by: \.app).sorted { $0.key < $1.key }
            .map { app, rows in "Permissions of \(app.printable):\n\n\(table(of: rows))" }
            .joined(separator: "\n")
    }

    private func table(of rows: [Row]) -> String {
        var table = Table([
            .text("type", maximumWidth: 36), .text("share"), .text("read"), .text("since"),
        ])
        for row in rows {
            table.rows.append([
                row.type, GrantList.label(row.grant.share), GrantList.reading(row),
                row.grant.earliest.map(calendar.day) ?? "",
            ])
        }
        return table.text
    }

    /// Returns whether the type can be read, or the number of its objects that can.
    private static func reading(_ row: Row) -> String {
        if row.objects.isEmpty || row.grant.read == .granted { return label(row.grant.read) }
        let count = row.objects.count { $0.isGranted }
        return count == 1 ? "1 object" : "\(count) objects"
    }

    private static func label(_ status: AuthorizationRow.Status) -> String {
        switch status {
        case .notDetermined: "undecided"
        case .denied: "denied"
        case .granted: "allowed"
        }
    }
}

/// The types that `openhealth grants` accepts: sample types and characteristics.
enum GrantedType {
    /// Returns the codes of types by their names. "all" stands for all types of the catalogue,
    /// including characteristics unless for `--share`.
    ///
    /// - Throws: ``UsageError`` for an unknown name, or a characteristic with `--share`.
    static func codes(_ names: [String], _ access: Access, in store: SampleStore) throws -> [Int32]
    {
        try names.flatMap { name -> [Int32] in
            if name == "all" {
                let types = Catalogue.types.map(\.code)
                return access == .share
                    ? types : types + Catalogue.characteristics.map(\.code)
            }
            if let characteristic = Catalogue.characteristic(named: name) {
                guard access == .read else {
                    throw UsageError("\(characteristic.name) is read-only: omit it from --share.")
                }
                return [characteristic.code]
            }
            return [try UsageError.checking { try store.type(named: name) }.code]
        }
    }

    enum Access { case read, share }

    /// Returns the name of a type's code, such as "stepCount", or the code itself if it is unknown.
    static func name(of code: Int32) -> String {
        Catalogue.type(code: code)?.name ?? Catalogue.characteristic(code: code)?.name ?? "\(code)"
    }
}
