import Foundation
import HealthDashboard
import HealthServer
import HealthStorage
import Synchronization

#if Server
    /// Creates the servers of the stores that pages show, with the options of the command. While
    /// the owner's store is open, it sends notices of its changes.
    final class StoreOpening: Sendable {
        /// The persons whose stores the pages offer.
        enum Persons: Sendable { case owner, all }

        /// The limits on clients.
        let limits: HealthServer.Limits
        /// The path of the store for which the command was started.
        private let owner: String
        private let timeZone: TimeZone?
        private let stepGoal: Double?
        private let commandOptions: String
        /// Sends the notices; nil while the owner's store isn't open.
        private let sending = Mutex<Task<Void, Never>?>(nil)

        /// - Parameters:
        ///   - owner: The path of the store for which the command was started.
        ///   - timeZone: The time zone of `--time-zone`; nil for that of each store.
        ///   - stepGoal: The goal of steps a day; nil for none.
        ///   - commandOptions: The options that select the owner's store in suggested commands.
        ///   - limits: The limits on clients.
        init(
            owner: String, timeZone: TimeZone?, stepGoal: Double?, commandOptions: String,
            limits: HealthServer.Limits
        ) {
            self.owner = owner
            self.timeZone = timeZone
            self.stepGoal = stepGoal
            self.commandOptions = commandOptions
            self.limits = limits
        }

        /// What the served stores depend on.
        func surroundings(persons: Persons) -> ServedStores.Surroundings {
            ServedStores.Surroundings(
                open: { [self] in try server(of: $0, $1) },
                others: { [owner] in persons == .all ? FolderPersons.list(beside: owner) : [] },
                sample: SimulatedStore(beside: owner, timeZone: timeZone).data,
                undone: { SidecarFiles.removePageCache(of: $0) })
        }

        /// Ends the notices.
        func end() { sending.withLock { $0 }?.cancel() }

        private func server(
            of person: StorePerson, _ shown: PageAudience.Shown
        ) throws -> HealthServer {
            let path = person.path
            let api = try StoreAPI(storeAt: path, timeZone: timeZone, stepGoal: stepGoal)
            let server = try HealthServer(
                storeAt: path, timeZone: timeZone,
                cache: URL(fileURLWithPath: SidecarFiles.path(path, "pages.cache")),
                weightNotes: URL(fileURLWithPath: SidecarFiles.path(path, WeightDiary.file)),
                stepGoal: stepGoal,
                audience: .owner(commandOptions: options(for: person, shown), shown: shown),
                limits: limits, api: api.api)
            if path == owner { sendNotices(of: server, api) }
            return server
        }

        private func options(for person: StorePerson, _ shown: PageAudience.Shown) -> String {
            if person.path == owner { return commandOptions }
            guard shown != .sampleData, let name = person.name else {
                return " --store " + ShellWord.quoted(person.path)
            }
            return commandOptions + " --as " + ShellWord.quoted(name)
        }

        private func sendNotices(of server: HealthServer, _ api: StoreAPI) {
            let hooks = HookSending(besideStore: owner, api)
            sending.withLock { sending in
                sending?.cancel()
                sending = Task { await hooks.run(after: server.changeWakeUps()) }
            }
        }
    }

    extension HookSending {
        /// Creates the sender of a store's notices. A hook that is switched off is reported.
        fileprivate init(besideStore path: String, _ api: StoreAPI) {
            self.init(
                besideStore: path,
                Surroundings(
                    head: { try api.head() },
                    switchedOff: { hook in
                        Message.write(
                            "The hook \(hook.identifier) was switched off after three days "
                                + "of failures: \(hook.failure?.reason ?? "unknown"). To use "
                                + "the address again, remove the hook and add a new one.")
                    }))
        }
    }

    /// The persons with a store in a folder.
    enum FolderPersons {
        /// The maximum number of persons in the list.
        private static let maximum = 100

        /// Returns the persons whose stores were created with `--as` beside a store, by name.
        ///
        /// - Parameter store: The path of the store without a name.
        static func list(beside store: String) -> [StorePerson] {
            let slash = store.lastIndex(of: "/").map(store.index(after:)) ?? store.startIndex
            let (folder, file) = (String(store[..<slash]), store[slash...])
            let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
            let stem = String(file[..<(dot ?? file.endIndex)]) + "-"
            let ending = String(file[(dot ?? file.endIndex)...])
            // Without an ending, every file of a person would look like a store of another one.
            guard !ending.isEmpty else { return [] }
            let names =
                (try? FileManager.default.contentsOfDirectory(
                    atPath: folder.isEmpty ? "." : folder)) ?? []
            let persons = names.sorted().compactMap { file -> StorePerson? in
                guard file.hasPrefix(stem), file.hasSuffix(ending) else { return nil }
                let name = file.dropFirst(stem.count).dropLast(ending.count)
                // "health-Anna.watch.sqlite" is no store, and its name has a dot.
                guard !name.isEmpty, FileUse.isStore(folder + file) else { return nil }
                return StorePerson(name: String(name), path: folder + file)
            }
            return Array(persons.prefix(maximum))
        }
    }
#endif
