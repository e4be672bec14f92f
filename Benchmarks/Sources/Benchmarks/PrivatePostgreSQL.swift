import Foundation

/// A PostgreSQL server in a temporary folder, which ends when the value is released. Its settings are
/// PostgreSQL's own: commits are flushed to the disk.
final class PrivatePostgreSQL {
    private let programs: String
    private let folder: String
    private let process = Process()

    /// Creates a server with a database and a role that is no superuser, and starts it.
    ///
    /// - Throws: ``Failure`` if PostgreSQL isn't installed or doesn't start.
    init() throws {
        programs = try Self.installedPrograms()
        folder = FileManager.default.temporaryDirectory.path + "/openhealth-bench-pg-\(getpid())"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if getuid() == 0 { _ = try Program("chown", "postgres", folder).succeed() }
        _ = try command(
            "initdb", "-D", "\(folder)/data", "-U", "postgres", "--auth=trust", "-E", "UTF8",
            "--locale=C", "-N"
        ).succeed()
        try start()
        try execute("CREATE ROLE openhealth LOGIN NOSUPERUSER NOBYPASSRLS", in: "postgres")
        try execute("CREATE DATABASE health OWNER openhealth", in: "postgres")
    }

    deinit {
        _ = try? command("pg_ctl", "-D", "\(folder)/data", "-m", "fast", "stop").run()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Returns whether the server can be started on this machine.
    static var isInstalled: Bool { (try? installedPrograms()) != nil }

    var address: String {
        "postgresql://openhealth@\(folder.replacingOccurrences(of: "/", with: "%2F"))/health"
    }

    /// Returns the size of the database in bytes.
    func bytes() throws -> Double {
        try execute("CHECKPOINT", in: "health")
        let text = try execute("SELECT pg_database_size('health')", in: "health")
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan
    }

    /// Returns the bytes of payloads in a table.
    func payloadBytes(in table: String) throws -> Double {
        let text = try execute(
            "SELECT coalesce(sum(length(payload)), 0) FROM \(table)", in: "health")
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan
    }

    @discardableResult
    private func execute(_ statement: String, in database: String) throws -> String {
        let run = try command(
            "psql", "-X", "-q", "-A", "-t", "-h", folder, "-U", "postgres", "-d", database, "-c",
            statement
        ).succeed()
        return String(decoding: run.output, as: UTF8.self)
    }

    private func start() throws {
        let server = command(
            "postgres", "-D", "\(folder)/data", "-c", "listen_addresses=", "-c",
            "unix_socket_directories=\(folder)")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [server.path] + server.arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<300 {
            if try command("pg_isready", "-q", "-h", folder).run().status == 0 { return }
            usleep(100_000)
        }
        throw Failure("PostgreSQL didn't start.")
    }

    /// A program of PostgreSQL, as another user where this one is root: the server refuses root.
    private func command(_ name: String, _ arguments: String...) -> Program {
        let path = "\(programs)/\(name)"
        guard getuid() == 0 else {
            var program = Program(path)
            program.arguments = arguments
            return program
        }
        var program = Program("runuser", "-u", "postgres", "--", path)
        program.arguments += arguments
        return program
    }

    private static func installedPrograms() throws(Failure) -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let newest = versions.sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }
        for folder in newest.map({ "\(root)/\($0)/bin" })
        where FileManager.default.isExecutableFile(atPath: folder + "/postgres") {
            return folder
        }
        throw Failure("PostgreSQL's server isn't installed. Run: make setup-all")
    }
}
