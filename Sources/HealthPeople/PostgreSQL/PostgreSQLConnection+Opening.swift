import CPostgreSQL

extension PostgreSQLConnection {
    /// Connects to the first host of an address that accepts the connection.
    ///
    /// It blocks the calling thread: for each host at most the address's connect_timeout, and in
    /// addition as long as the system takes to resolve the host's name.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - settings: The limits of statements.
    /// - Returns: The connection.
    /// - Throws: ``SQLError``, for the last host.
    package static func open(
        _ address: PostgreSQLAddress, _ settings: PostgreSQLSettings = PostgreSQLSettings()
    ) throws(SQLError) -> PostgreSQLConnection {
        var failure = SQLError(.unavailable)
        for host in address.hosts {
            do throws(SQLError) {
                let pointer = try connect(host, within: address.connectTimeout)
                return PostgreSQLConnection(pointer, address, settings)
            } catch {
                failure = error
                // Another host would refuse the same password.
                if error.code == .authenticationFailed { throw error }
            }
        }
        throw failure
    }

    private static func connect(
        _ options: [String: String], within timeout: Duration
    ) throws(SQLError) -> OpaquePointer {
        let deadline = ContinuousClock.now + timeout
        guard let pointer = start(options) else { throw SQLError(.unavailable) }
        // Notices can contain values, and libpq would print them.
        PQsetNoticeProcessor(pointer, { _, _ in }, nil)
        // Then libpq's text of the server's error is only its SQLSTATE, in every language.
        PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
        do throws(SQLError) {
            try finish(pointer, until: deadline)
            return pointer
        } catch {
            PQfinish(pointer)
            throw error
        }
    }

    /// Begins an attempt to connect. libpq copies the options.
    private static func start(_ options: [String: String]) -> OpaquePointer? {
        var storage: [UInt8] = []
        var offsets: [(keyword: Int, value: Int)] = []
        for (keyword, value) in options {
            offsets.append((storage.count, storage.count + keyword.utf8.count + 1))
            storage += Array(keyword.utf8) + [0] + Array(value.utf8) + [0]
        }
        return storage.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let keywords = offsets.map { base?.advanced(by: $0.keyword) }
            let values = offsets.map { base?.advanced(by: $0.value) }
            return PQconnectStartParams(keywords + [nil], values + [nil], 0)
        }
    }

    private static func finish(
        _ pointer: OpaquePointer, until deadline: ContinuousClock.Instant
    ) throws(SQLError) {
        let socket = PostgreSQLSocket(connection: pointer)
        // libpq's rule: before the first call of PQconnectPoll, wait as if it had returned this.
        var status = PGRES_POLLING_WRITING
        if PQstatus(pointer) == CONNECTION_BAD { status = PGRES_POLLING_FAILED }
        while true {
            let outcome: PostgreSQLSocket.Outcome
            switch status {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: outcome = socket.wait(for: .readable, until: deadline)
            case PGRES_POLLING_WRITING: outcome = socket.wait(for: .writable, until: deadline)
            default: throw failure(pointer)
            }
            switch outcome {
            case .ready: status = PQconnectPoll(pointer)
            case .slice: continue
            case .deadline:
                throw SQLError(.unavailable, detail: "The server didn't answer in time.")
            case .failed: throw failure(pointer)
            }
        }
    }

    /// Returns the error of an attempt to connect.
    private static func failure(_ pointer: OpaquePointer) -> SQLError {
        let message = PQerrorMessage(pointer).map { String(cString: $0) } ?? ""
        if let state = sqlState(message) {
            let code = PostgreSQLFailure.code(state)
            return SQLError(code == .connectionLost ? .unavailable : code, sqlState: state)
        }
        // The text of libpq, not of the server, for a session that doesn't accept writes.
        let isReadOnly = ["session is read-only", "server is in hot standby mode"]
            .contains { message.contains($0) }
        let text = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return SQLError(isReadOnly ? .readOnly : .unavailable, detail: redacted(text, pointer))
    }

    /// Returns the SQLSTATE at the end of a message such as "… failed: FATAL:  28P01".
    static func sqlState(_ message: String) -> String? {
        let words = message.split(whereSeparator: \.isWhitespace)
        guard let last = words.last, last.utf8.count == 5, words.dropLast().last?.last == ":",
            last.allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) })
        else { return nil }
        return String(last)
    }

    /// Removes the password from a message of libpq, which normally doesn't contain it.
    private static func redacted(_ message: String, _ pointer: OpaquePointer) -> String? {
        let password = PQpass(pointer).map { String(cString: $0) } ?? ""
        guard !message.isEmpty, password.isEmpty || !message.contains(password) else { return nil }
        return message
    }
}
