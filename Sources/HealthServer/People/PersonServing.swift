#if People
    import Foundation
    package import HealthPeople
    package import HealthStorage
    import Hummingbird
    import Synchronization

    /// What a node keeps of an open person: a server of the person's store, which doesn't listen.
    package struct PersonServing: Sendable {
        let server: HealthServer
        let responder: RouterResponder<PageRequestContext>

        /// - Parameters:
        ///   - server: The server of the person's store.
        ///   - report: Receives its events.
        package init(
            _ server: HealthServer, _ report: @escaping @Sendable (HealthServer.Notice) -> Void
        ) {
            self.server = server
            responder = server.personResponder(report)
        }
    }

    /// The people of a server, as it needs them to answer requests.
    package final class PeopleSite: Sendable {
        package let places: PeoplePlaces
        package let cache: StoreCache<PersonServing>
        package let metrics = PeopleMetrics()
        private let bodyPath: String
        private let ending = Mutex(false)

        /// Whether the server is ending: it answers requests, but a proxy should send no more.
        var isEnding: Bool { ending.withLock { $0 } }

        /// Reports from now on that the server is ending.
        package func beginEnding() { ending.withLock { $0 = true } }

        /// Opens a folder for the stores of this node.
        ///
        /// - Parameters:
        ///   - places: The people.
        ///   - folder: The folder.
        ///   - serving: Creates the server of a person's store, from its path. What the pages write
        ///     must go through the given function.
        /// - Throws: `PeopleError`.
        package init(
            _ places: PeoplePlaces, cacheFolder folder: String,
            serving:
                @escaping @Sendable (
                    _ path: String, _ person: String, _ places: PeoplePlaces,
                    _ writing: @escaping StoreWriting
                ) throws -> PersonServing
        ) throws {
            self.places = places
            bodyPath = folder + "/body"
            let changes = PersonChanges()
            let limit = OpenFileLimit.stores
            cache = try StoreCache(
                places, folder: folder, limit: limit,
                companion: { path, person in
                    try serving(path, person, places) { body in
                        try await changes.change(person, body)
                    }
                }, end: { $0.server.end() })
            changes.connect(cache)
        }

        /// Takes what devices send.
        package func receiver(limits: Receiver.Limits = .people) -> Receiver {
            Receiver(
                destination: PeopleDestination(
                    places: places, cache: cache, bodyPath: bodyPath, metrics: metrics),
                limits: limits)
        }

        /// Ends the event streams of all pages, and closes the stores.
        package func close() async { await cache.close() }

        /// Keeps open stores up to date, and removes the files of erased people, until the task is
        /// cancelled.
        package func keepUp() async {
            var round = 0
            while !Task.isCancelled {
                await cache.refresh()
                if round.isMultiple(of: 30) { await cache.removeErased() }
                round += 1
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// What pages change in people's stores. The cache creates the pages, so it is set afterwards.
    private final class PersonChanges: Sendable {
        private struct Target { weak var cache: StoreCache<PersonServing>? }
        private let target = Mutex(Target())

        func connect(_ cache: StoreCache<PersonServing>) { target.withLock { $0.cache = cache } }

        func change(
            _ person: String, _ body: @escaping @Sendable (SampleStore) throws -> Void
        ) async throws {
            guard let cache = target.withLock({ $0.cache }) else { throw PeopleError.notConfirmed }
            let now = Date.now.timeIntervalSinceReferenceDate
            let access = AccessRecord(
                person: person, at: now, actor: "page", action: .write, subject: "page",
                result: 303)
            try await cache.change(person, PersonChange(access: access)) { store in
                try body(store)
                return ChangeOutcome(())
            }
        }
    }

    extension PeoplePlaces {
        /// Returns the read token with a text, if it is one of a person.
        package func readToken(_ text: String, of person: String) async throws -> ReadToken? {
            guard let bearer = try await bearer(ofToken: text, .reading),
                bearer.token.person == person
            else { return nil }
            return ReadToken(bearer.token)
        }
    }

    extension ReadToken {
        init(_ token: PersonToken) {
            self.init(
                identifier: token.identifier, name: token.name, scope: token.scope,
                createdAt: token.createdAt)
        }
    }
#endif
