#if Server
    import HealthStorage
    import Synchronization

    /// The stores of one folder that a server shows: that of the person for whom it was started,
    /// those of other persons, and that of a simulated one. None of them has to exist when the
    /// server begins. A browser's session chooses which one its pages show.
    package final class ServedStores: Sendable {
        /// What the stores depend on.
        package struct Surroundings: Sendable {
            /// Creates the server of a store, which isn't run. It is called off the cooperative
            /// pool, at most once at a time for each store.
            package var open:
                @Sendable (_ person: StorePerson, _ shown: PageAudience.Shown) throws ->
                    HealthServer
            /// Lists the other persons with a store. It blocks.
            package var others: @Sendable () -> [StorePerson]
            /// A simulated person's data; nil for none.
            package var sample: SampleData?
            /// Called after an undo with the path of the store, to remove what was kept of its data
            /// outside of it.
            package var undone: @Sendable (_ path: String) -> Void
            /// The limits on uploads.
            package var limits = UploadLimits()

            package init(
                open:
                    @escaping @Sendable (_ person: StorePerson, _ shown: PageAudience.Shown) throws
                    -> HealthServer,
                others: @escaping @Sendable () -> [StorePerson] = { [] },
                sample: SampleData? = nil,
                undone: @escaping @Sendable (_ path: String) -> Void = { _ in }
            ) {
                self.open = open
                self.others = others
                self.sample = sample
                self.undone = undone
            }
        }

        private struct State {
            /// The stores that were chosen so far, by path.
            var stores: [String: ServedStore] = [:]
            var imports: [String: PageImports] = [:]
            /// The paths of the stores that sessions have chosen, by form key, the latest last.
            var choices: [(session: String, path: String)] = []
            var report: @Sendable (HealthServer.Notice) -> Void = { _ in }
        }

        /// The maximum number of choices that are kept.
        private static let maximumChoices = 64

        /// The person for whom the server was started.
        package let owner: StorePerson
        let surroundings: Surroundings
        private let state = Mutex(State())
        private let listing = BlockingWork("stores", .concurrent)
        /// For creating and removing sample data.
        private let sampling = BlockingWork("sample", .serial)

        /// Creates the list of stores, and removes the files of uploads that a crash left beside
        /// the owner's.
        ///
        /// - Parameters:
        ///   - owner: The person for whom the server is started.
        ///   - surroundings: What the stores depend on.
        package init(of owner: StorePerson, _ surroundings: Surroundings) {
            self.owner = owner
            self.surroundings = surroundings
            UploadedExport.removeLeftovers(beside: owner.path)
        }

        /// Opens the owner's store. It blocks.
        ///
        /// - Returns: Whether there is one. If not, it is opened as soon as there is.
        /// - Throws: `StoreError` or `HKError` if it can't be opened.
        package func open() throws -> Bool { try own.openNow() != nil }

        /// The owner's store.
        var own: ServedStore { store(of: owner) }

        /// Returns the store that a session's pages show.
        func store(for session: String) -> ServedStore {
            let path = state.withLock { $0.choices.last { $0.session == session }?.path }
            guard let path, let store = state.withLock({ $0.stores[path] }) else { return own }
            return store
        }

        // MARK: - Sample data

        /// Creates the simulated person's store unless it exists, and shows it in a session's
        /// pages.
        ///
        /// - Throws: ``PageError`` if there is no simulation, errors of ``SampleData/create``.
        func showSample(for session: String) async throws {
            guard let sample = surroundings.sample else {
                throw PageError.notFound("This server has no sample data.")
            }
            try await sampling.run {
                if case .nothing = FileKind(sample.path) { try sample.create() }
            }
            choose(StorePerson(name: nil, path: sample.path), for: session)
        }

        /// Removes the simulated person's store.
        ///
        /// - Throws: Errors of ``SampleData/remove``.
        func removeSample() async throws {
            guard let sample = surroundings.sample else { return }
            close(sample.path)
            try await sampling.run { try sample.remove() }
        }

        /// Whether a store is that of the simulated person.
        func isSample(_ store: ServedStore) -> Bool {
            store.person.path == surroundings.sample?.path
        }

        /// Chooses the store that a session's pages show.
        func choose(_ person: StorePerson, for session: String) {
            _ = store(of: person)
            state.withLock { state in
                state.choices.removeAll { $0.session == session }
                state.choices.append((session, person.path))
                if state.choices.count > Self.maximumChoices { state.choices.removeFirst() }
            }
        }

        /// Returns the imports that a session can start: into the store that it shows, or into the
        /// owner's if that is sample data.
        func imports(for session: String) -> PageImports {
            let shown = store(for: session)
            return imports(into: isSample(shown) ? own : shown)
        }

        /// All persons with a store, the owner first.
        func persons() async -> [StorePerson] {
            let others = try? await listing.run { [surroundings] in surroundings.others() }
            return [owner] + (others ?? []).filter { $0.path != owner.path }
        }

        /// Who reads the pages of a session that belong to no store.
        func audience(for session: String) -> PageAudience {
            let opened = store(for: session).current?.server.audience
            return opened ?? .owner(commandOptions: "")
        }

        /// Ends the event streams of all stores, and cancels imports.
        func end() {
            let (stores, imports) = state.withLock {
                (Array($0.stores.values), Array($0.imports.values))
            }
            for each in imports { each.cancel() }
            for store in stores { store.current?.server.end() }
        }

        /// Sets the receiver of the stores' events.
        func connect(_ report: @escaping @Sendable (HealthServer.Notice) -> Void) {
            state.withLock { $0.report = report }
        }

        /// Forgets the store at a path, which is removed.
        private func close(_ path: String) {
            let store = state.withLock { state in
                state.choices.removeAll { $0.path == path }
                return state.stores.removeValue(forKey: path)
            }
            store?.close()
        }

        private func store(of person: StorePerson) -> ServedStore {
            state.withLock { state in
                if let known = state.stores[person.path] { return known }
                let store = ServedStore(
                    person,
                    open: { [surroundings] in
                        try surroundings.open($0, Self.shown($0, surroundings))
                    }, { [weak self] in self?.report($0) })
                state.stores[person.path] = store
                return store
            }
        }

        private static func shown(
            _ person: StorePerson, _ surroundings: Surroundings
        ) -> PageAudience.Shown {
            if person.path == surroundings.sample?.path { return .sampleData }
            let hasOthers = surroundings.others().contains { $0.path != person.path }
            return hasOthers ? .person(named: person.name) : .onlyPerson
        }

        private func imports(into store: ServedStore) -> PageImports {
            let path = store.person.path
            return state.withLock { state in
                if let known = state.imports[path] { return known }
                let imports = PageImports(into: path, limits: surroundings.limits) {
                    [weak self, store] change in await self?.refresh(store, after: change)
                }
                state.imports[path] = imports
                return imports
            }
        }

        /// Opens a store after its first import, or anew if its open pages would keep what has
        /// changed.
        private func refresh(_ store: ServedStore, after change: PageImports.Change) async {
            let path = store.person.path
            _ = try? await listing.run { [surroundings] in
                switch change {
                case .undone:
                    store.close()
                    surroundings.undone(path)
                case .imported:
                    let file = try SampleStore(at: path, access: .reading)
                    // Nothing was written, so an error of close loses nothing.
                    defer { try? file.close() }
                    // The first import sets the time zone of days, which open pages don't read
                    // again.
                    if try file.imports().count < 2 { store.close() }
                }
                _ = try store.openNow()
            }
        }

        private func report(_ notice: HealthServer.Notice) {
            let report = state.withLock { $0.report }
            report(notice)
        }
    }
#endif
