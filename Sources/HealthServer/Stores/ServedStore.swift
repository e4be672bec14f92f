#if Server
    import HealthStorage
    import Hummingbird
    import Synchronization

    /// A store that a server shows from the moment it exists.
    final class ServedStore: Sendable {
        /// The open store: a server that doesn't listen, and its responder.
        struct Opened: Sendable {
            let server: HealthServer
            let responder: RouterResponder<PageRequestContext>
        }

        let person: StorePerson
        private let open: @Sendable (StorePerson) throws -> HealthServer
        private let report: @Sendable (HealthServer.Notice) -> Void
        private let opened = Mutex<Opened?>(nil)
        /// Held while the store is being opened, which blocks.
        private let opening = Mutex<Void>(())
        private let queue = BlockingWork("opening", .serial)

        /// - Parameters:
        ///   - person: The person and the path of the store, which need not exist.
        ///   - open: Creates the server of the store. It throws `StoreError` with the reason
        ///     `noStore` if there is none.
        ///   - report: Receives the server's events.
        init(
            _ person: StorePerson, open: @escaping @Sendable (StorePerson) throws -> HealthServer,
            _ report: @escaping @Sendable (HealthServer.Notice) -> Void
        ) {
            self.person = person
            self.open = open
            self.report = report
        }

        /// The open store; nil if it doesn't exist or wasn't opened yet.
        var current: Opened? { opened.withLock { $0 } }

        /// Returns the store, and opens it if it exists by now.
        ///
        /// - Returns: nil if there is no store at the path.
        /// - Throws: `StoreError` or `HKError` if it can't be opened.
        func openIfPresent() async throws -> Opened? {
            if let current { return current }
            return try await queue.run { [self] in try openNow() }
        }

        /// Does the same as ``openIfPresent()``, and blocks.
        func openNow() throws -> Opened? {
            try opening.withLock { _ -> Opened? in
                if let current { return current }
                do {
                    let server = try open(person)
                    let new = Opened(server: server, responder: server.personResponder(report))
                    opened.withLock { $0 = new }
                    return new
                } catch let error as StoreError {
                    guard case .noStore = error.reason else { throw error }
                    return nil
                }
            }
        }

        /// Opens the store anew at the next request, for example because its time zone has changed.
        func close() {
            let old = opened.withLock { opened in
                defer { opened = nil }
                return opened
            }
            old?.server.end()
        }
    }
#endif
