import Foundation
import HealthPeople

/// A PostgreSQL server of its own in a temporary folder, for tests and demos.
///
/// ```swift
/// let server = try PrivatePostgreSQL()
/// let connection = try PostgreSQLConnection.open(server.address)
/// server.stop(.kill)
/// try server.start()
/// ```
/// It listens on a socket in the folder and on 127.0.0.1, trusts every user except `locked`, and
/// writes to the disk as a real server does (`fsync = on`). It ends with this process, also if that
/// is killed, and with the last reference; then the folder is removed.
final class PrivatePostgreSQL {
    /// The server isn't installed, or didn't start; with the end of its log.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How to stop a server. The raw value is the signal.
    enum Stop: String {
        /// Ends all sessions and writes a checkpoint.
        case fast = "INT"
        /// Ends without a checkpoint, as after a crash.
        case immediate = "QUIT"
        /// Kills all processes of the server at once, with SIGKILL.
        case kill = "KILL"
    }

    /// The folder with the programs of the server; nil if none is installed.
    static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let debian = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { root + "/\($0)/bin" }
        return (debian + ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"]).first { folder in
            ["initdb", "postgres"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: folder + "/" + $0)
            }
        }
    }()

    /// The user of all databases. Another user, `locked`, needs a password over TCP.
    static let user = "openhealth"

    let port: Int
    private let folder: String
    private var settings: [String]
    private var process: ChildProcess?

    /// Creates a database cluster and starts its server.
    ///
    /// - Parameter settings: Settings such as "max_connections=8".
    /// - Throws: ``Failure``; an error of the file system.
    init(_ settings: [String] = []) throws {
        self.settings = settings
        folder =
            FileManager.default.temporaryDirectory.path + "/pq-"
            + UUID().uuidString.prefix(8).lowercased()
        port = try TCPProxy.freePort()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        if let owner = Self.owner { _ = chown(folder, owner.pw_uid, owner.pw_gid) }
        try run(
            "initdb",
            [
                "-D", data, "-U", Self.user, "--auth=trust", "-E", "UTF8", "-N",
                "--locale=C",
            ])
        let rules = "host all locked 127.0.0.1/32 scram-sha-256\n"
        let file = URL(fileURLWithPath: data + "/pg_hba.conf")
        // Written in place, so that it keeps its owner.
        let handle = try FileHandle(forUpdating: file)
        let trust = try handle.readToEnd() ?? Data()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(rules.utf8) + trust)
        try handle.close()
        try start()
    }

    deinit { end() }

    /// Stops the server and removes its folder.
    func end() {
        stop(.immediate)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var data: String { folder + "/data" }
    private var log: String { folder + "/log" }

    /// The address of the socket.
    var address: PostgreSQLAddress {
        get throws {
            let host = folder.replacingOccurrences(of: "/", with: "%2F")
            return try PostgreSQLAddress("postgresql://\(Self.user)@\(host):\(port)/postgres")
        }
    }

    /// Returns an address over TCP, without TLS.
    ///
    /// - Parameters:
    ///   - port: The port of the server, or of a proxy before it.
    ///   - options: Options such as "connect_timeout=1".
    func address(port: Int? = nil, _ options: String...) throws -> PostgreSQLAddress {
        let options = (["sslmode=disable", "gssencmode=disable"] + options).joined(separator: "&")
        return try PostgreSQLAddress(
            "postgresql://\(Self.user)@127.0.0.1:\(port ?? self.port)/postgres?\(options)")
    }
}

// MARK: - Starting and stopping

extension PrivatePostgreSQL {
    /// Starts the server and waits until it accepts connections.
    func start() throws {
        guard process == nil, let programs = Self.programs else {
            throw Failure(description: "No PostgreSQL server is installed, or it is running.")
        }
        // The shell reads the name of a signal; the end of its input ends the server too.
        let script = """
            cd /
            "$0" "$@" </dev/null >>"\(log)" 2>&1 & server=$!
            read signal || signal=QUIT
            if [ "$signal" = KILL ]; then
                kill -STOP $server
                kill -KILL $(cat /proc/$server/task/$server/children 2>/dev/null) $server
            else
                kill -$signal $server
            fi
            wait $server
            """
        let all = [
            "port=\(port)", "unix_socket_directories=\(folder)", "listen_addresses=127.0.0.1",
            "fsync=on", "ssl=off", "shared_buffers=16MB", "log_statement=none",
        ]
        let server =
            [programs + "/postgres", "-D", data] + (all + settings).flatMap { ["-c", $0] }
        process = try ChildProcess(Self.user(["/bin/sh", "-c", script] + server))
        for _ in 0..<600 {
            if (try? PostgreSQLConnection.open(address)) != nil { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        stop(.immediate)
        let log = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw Failure(description: "PostgreSQL didn't start: " + log.suffix(1000))
    }

    /// Stops the server and waits until it has ended.
    func stop(_ stop: Stop) {
        process?.end(stop.rawValue)
        process = nil
    }

    /// Restarts the server with a new self-signed certificate. It needs `openssl`.
    func enableTLS() throws {
        stop(.fast)
        let key = ["-keyout", data + "/server.key", "-out", data + "/server.crt"]
        let words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a"]
        guard try ChildProcess(Self.user(words + key)).end() == 0 else {
            throw Failure(description: "openssl failed.")
        }
        settings.append("ssl=on")
        try start()
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        guard let programs = Self.programs else {
            throw Failure(description: "No PostgreSQL server is installed.")
        }
        let words = Self.user([programs + "/" + program] + arguments)
        let status = try ChildProcess(words).end()
        guard status == 0 else { throw Failure(description: "\(program) failed: \(status)") }
    }

    /// The user of the server if this process is root's, which PostgreSQL refuses.
    private static var owner: passwd? {
        guard geteuid() == 0 else { return nil }
        return (getpwnam("postgres") ?? getpwnam("nobody"))?.pointee
    }

    /// Returns a command line that runs as the user of the server.
    private static func user(_ words: [String]) -> [String] {
        (owner.map { ["runuser", "-u", String(cString: $0.pw_name), "--"] } ?? []) + words
    }
}
