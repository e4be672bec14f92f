import Foundation

/// Where the data of a server of many people is: a folder, or PostgreSQL.
package struct PeopleLocation: Sendable {
    enum Place: Sendable {
        case folder(String)
        case postgreSQL(PostgreSQLAddress)
    }

    let place: Place
    /// The database of keys; nil for the same database, or for a file in the folder.
    let keys: PostgreSQLAddress?

    /// Reads a location.
    ///
    /// - Parameters:
    ///   - text: The path of a folder, or an address such as "postgresql://health@db1/health".
    ///   - keys: The address of the database of keys; nil for the same one.
    /// - Throws: ``PeopleError/invalidAddress``; ``SQLError`` for an invalid address of PostgreSQL.
    package init(_ text: String, keys: String? = nil) throws {
        guard !text.isEmpty else { throw PeopleError.invalidAddress }
        self.keys = try keys.map { try PostgreSQLAddress($0) }
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
            place = .postgreSQL(try PostgreSQLAddress(text))
        } else if text.contains("://") {
            throw PeopleError.invalidAddress
        } else {
            place = .folder(text)
        }
    }

    /// The folder; nil for PostgreSQL.
    package var folder: String? {
        if case .folder(let folder) = place { return folder }
        return nil
    }

    /// Whether people were there before. A database isn't asked: its address can't be misspelt without
    /// an error.
    package var exists: Bool {
        folder.map { FileManager.default.fileExists(atPath: $0 + "/people.sqlite") } ?? true
    }

    /// Opens the database of logs, and creates a missing folder. Its tables may be missing.
    ///
    /// - Throws: ``PeopleError/fileFailed(_:)``, ``SQLError``.
    func openLog(
        _ settings: PostgreSQLSettings
    ) throws -> (database: any SQLDatabase, dialect: SQLDialect) {
        switch place {
        case .postgreSQL(let address): return (PostgreSQLDatabase(address, settings), .postgreSQL)
        case .folder(let folder):
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch { throw PeopleError.fileFailed(folder) }
            return (try SQLiteDatabase(at: folder + "/people.sqlite"), .sqlite)
        }
    }

    /// Whether the address has a password.
    var hasPassword: Bool {
        guard case .postgreSQL(let address) = place else { return false }
        return address.options["password"] != nil || address.options["sslpassword"] != nil
    }

    /// The file of the operator's key for PostgreSQL, if none is given.
    package static var defaultKeyFile: String {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder =
            (environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config")
            + "/openhealth"
        // A failure is reported when the file can't be created.
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        return folder + "/operator.key"
    }
}
