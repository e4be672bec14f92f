import CPostgreSQL

/// The address of a PostgreSQL database, with the options of its connections.
///
/// ```swift
/// let address = try PostgreSQLAddress("postgresql://health:secret@db1,db2:5433/health")
/// address.description     // "postgresql://health@db1,db2:5433/health", without the password
/// ```
/// Options that the text doesn't contain have the defaults of libpq, including its environment
/// variables and password file, except those in ``defaults``.
package struct PostgreSQLAddress: Hashable, Sendable {
    /// The options that differ from those of libpq. The connection must be to a server that accepts
    /// writes, and a peer that is gone is noticed within seconds.
    static let defaults = [
        "application_name": "openhealth", "connect_timeout": "5", "keepalives": "1",
        "keepalives_count": "3", "keepalives_idle": "30", "keepalives_interval": "10",
        "target_session_attrs": "read-write", "tcp_user_timeout": "15000",
    ]

    /// The options of libpq by keyword.
    let options: [String: String]

    /// Parses an address.
    ///
    /// - Parameter text: `postgresql://user:password@host:port/database?option=value`. It may list
    ///   several hosts, separated by commas, which are tried in their order. A path of a socket's
    ///   folder is a host whose slashes are written `%2F`.
    /// - Throws: ``SQLError`` with the code ``SQLError/Code/invalidAddress``, which doesn't quote
    ///   the text; with ``SQLError/Code/libraryMissing`` if libpq isn't installed. So code that
    ///   has an address may call libpq.
    package init(_ text: String) throws(SQLError) {
        let schemes = ["postgresql://", "postgres://"]
        guard let scheme = schemes.first(where: text.hasPrefix), !text.utf8.contains(0) else {
            throw Self.invalid("It doesn't begin with postgresql://.")
        }
        // libpq would take the rest of such a password for the name of a database.
        let path = text.dropFirst(scheme.count).drop { $0 != "/" }.prefix { $0 != "?" }
        guard !path.contains("@") else {
            throw Self.invalid("Write / and @ in a password as %2F and %40.")
        }
        guard ohk_libpq_isLoaded() else { throw SQLError(.libraryMissing) }
        guard let parsed = Self.parse(text) else {
            throw Self.invalid("It isn't a connection URI of libpq.")
        }
        var options = parsed.merging(Self.defaults) { given, _ in given }
        options["client_encoding"] = "UTF8"
        self.options = options
        try check()
    }

    private static func parse(_ text: String) -> [String: String]? {
        var message: UnsafeMutablePointer<CChar>?
        guard let first = PQconninfoParse(text, &message) else {
            // It can quote a part of the password.
            PQfreemem(message)
            return nil
        }
        defer { PQconninfoFree(first) }
        var options: [String: String] = [:]
        var next = first
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val {
                options[String(cString: keyword)] = String(cString: value)
            }
            next += 1
        }
        return options
    }

    private static func invalid(_ detail: String) -> SQLError {
        SQLError(.invalidAddress, detail: detail)
    }

    private func check() throws(SQLError) {
        let ports = list("port")
        // A password with a slash makes libpq take its beginning for a port.
        guard ports.allSatisfy({ $0.isEmpty || UInt16($0) ?? 0 > 0 }) else {
            throw Self.invalid("A port isn't a number from 1 to 65535.")
        }
        let names = max(list("host").count, list("hostaddr").count)
        guard ports.count <= 1 || ports.count == names,
            list("host").isEmpty || list("hostaddr").isEmpty
                || list("host").count == list("hostaddr").count
        else { throw Self.invalid("It has more or fewer ports than hosts.") }
        guard options["target_session_attrs"] != "prefer-standby", options["replication"] == nil
        else { throw Self.invalid("An option isn't supported.") }
    }

    private func list(_ option: String) -> [String] {
        guard let value = options[option], !value.isEmpty else { return [] }
        return value.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }
}

// MARK: - Hosts

extension PostgreSQLAddress {
    /// The options for each host, in the order of the attempts.
    ///
    /// libpq can try several hosts itself, but without waiting for a deadline of each only in a
    /// call that blocks and hides the SQLSTATE.
    var hosts: [[String: String]] {
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(names.count, addresses.count)
        guard count > 1 else { return [options] }
        return (0..<count).map { index in
            var host = options
            host["host"] = names.isEmpty ? nil : names[index]
            host["hostaddr"] = addresses.isEmpty ? nil : addresses[index]
            host["port"] = ports.isEmpty ? nil : ports[ports.count == 1 ? 0 : index]
            return host
        }
    }

    /// The time for an attempt to connect to one host: 1 to 60 seconds.
    var connectTimeout: Duration {
        let seconds = options["connect_timeout"].flatMap { Int($0) } ?? 5
        return .seconds(seconds < 1 ? 60 : min(seconds, 60))
    }
}

// MARK: - Description

extension PostgreSQLAddress: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The address without the password and without options.
    package var description: String {
        let user = options["user"].map { Self.escaped($0) + "@" } ?? ""
        let hosts = hosts.map { host in
            let name = Self.escaped(host["host"] ?? host["hostaddr"] ?? "")
            let port = host["port"].map { $0.isEmpty ? "" : ":" + $0 } ?? ""
            return (name.contains(":") ? "[\(name)]" : name) + port
        }
        let database = options["dbname"].map { "/" + Self.escaped($0) } ?? ""
        return "postgresql://" + user + hosts.joined(separator: ",") + database
    }

    package var debugDescription: String { description }

    /// Without the options, so that `dump` doesn't print the password.
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-._~:".unicodeScalars.contains(scalar))
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(scalar) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
