import Dispatch
import Foundation
package import HealthStorage
import Synchronization

/// One node's copies of people's stores. They are built from the log, and can be removed at any
/// time.
///
/// ```swift
/// let cache = try StoreCache(places, folder: "/var/cache/openhealth") { path in
///     try Pages(storeAt: path)
/// }
/// let pages = try await cache.companion(of: bearer.token.person, at: bearer.head)
/// ```
/// At most ``limit`` stores are open. The one that wasn't used for the longest time is closed.
package final class StoreCache<Companion: Sendable>: Sendable {
    /// What the cache keeps of an open person.
    private final class Member: Sendable {
        let store: PersonStore
        let state = Mutex(State())

        struct State {
            /// The number of calls that use the store now.
            var users = 0
            var lastUse = ContinuousClock.now
            /// What the caller built for a file, with the file.
            var companion: (opened: PersonStore.Opened, value: Companion)?
            /// The revocations when the companion was built, as far as they are known.
            var revocations: Int?
        }

        init(_ store: PersonStore) { self.store = store }
    }

    private let places: PeoplePlaces
    private let folder: String
    private let limit: Int
    private let makeCompanion: @Sendable (_ path: String, _ person: String) throws -> Companion
    private let endCompanion: @Sendable (Companion) -> Void
    private let lock: CacheLock
    private let target = DispatchQueue(
        label: "org.openhealthkit.people", qos: .userInitiated, attributes: .concurrent)
    private let members = Mutex<[String: Member]>([:])
    /// The people whose stores are being copied, or wait for it.
    private let copying = Mutex<Set<String>>([])
    private let copies = OneAtATime()

    /// Opens a folder for this process alone.
    ///
    /// Stores of an earlier run are used again, unless the computer was restarted: their writes
    /// aren't flushed to the disk.
    ///
    /// - Parameters:
    ///   - places: The people.
    ///   - folder: The folder, which is created if necessary.
    ///   - limit: The maximum number of open stores.
    ///   - companion: Creates what a caller needs for a store's file, such as its pages. It is kept
    ///     as long as the store is open.
    ///   - end: Ends what a companion does by itself, such as streams. Called when the store is
    ///     closed, replaced or erased, or when a token of the person was revoked.
    /// - Throws: ``PeopleError/cacheInUse(_:)``, ``PeopleError/cacheFailed(_:)``.
    package init(
        _ places: PeoplePlaces, folder: String, limit: Int = 256,
        companion: @escaping @Sendable (_ path: String, _ person: String) throws -> Companion,
        end: @escaping @Sendable (Companion) -> Void = { _ in }
    ) throws {
        self.places = places
        self.folder = folder
        self.limit = max(limit, 1)
        makeCompanion = companion
        endCompanion = end
        lock = try CacheLock(folder)
        try CacheLock.discardAfterRestart(folder)
    }

    /// Whether stores can be built and bodies received: the folder is this process's, and its disk
    /// isn't full.
    package var isUsable: Bool { lock.isHeld && FreeSpace.isLeft(at: folder) }

    /// The number of open stores.
    package var count: Int { members.withLock { $0.count } }

    // MARK: - Reading

    /// Returns the companion of a person's store, which has at least the state of a head.
    ///
    /// - Throws: ``PeopleError``, ``SQLError``, `StoreError`, and errors of the companion's creation.
    package func companion(of person: String, at head: LogHead?) async throws -> Companion {
        try await using(person) { [self] member in
            if let companion = companion(of: member, at: head) { return companion }
            return try await member.store.run { [self] in
                let opened = try member.store.catchUp()
                return try companion(of: member, opened)
            }
        }
    }

    /// Runs `body` with a person's store at the end of the log. It must only read.
    package func reading<Value: Sendable>(
        _ person: String, _ body: @escaping @Sendable (SampleStore) throws -> Value
    ) async throws -> Value {
        try await using(person) { member in
            try await member.store.run { try body(try member.store.catchUp().store) }
        }
    }

    /// Returns the companion that is there, if its file has at least the state of a head.
    private func companion(of member: Member, at head: LogHead?) -> Companion? {
        guard let head, let opened = member.store.opened,
            let known = member.state.withLock({ $0.companion }), known.opened === opened
        else { return nil }
        // A file that is ahead is compared with the log: after a failover without a synchronous
        // standby, the log can end before an entry that this node wrote.
        return opened.head == head ? known.value : nil
    }

    private func companion(
        of member: Member, _ opened: PersonStore.Opened
    ) throws -> Companion {
        if let known = member.state.withLock({ $0.companion }), known.opened === opened {
            return known.value
        }
        let made = try makeCompanion(opened.path, member.store.person)
        replaceCompanion(of: member, by: (opened, made))
        return made
    }

    private func replaceCompanion(
        of member: Member, by companion: (opened: PersonStore.Opened, value: Companion)?
    ) {
        let old = member.state.withLock { state in
            defer { (state.companion, state.revocations) = (companion, nil) }
            return state.companion
        }
        if let old { endCompanion(old.value) }
    }

    // MARK: - Changing

    /// Changes a person's store. When this returns, the log has the change.
    ///
    /// - Parameters:
    ///   - change: What the log is to know of the change.
    ///   - body: Changes the store, and can be called more than once: each time on a state without
    ///     the changes of the calls before.
    /// - Throws: ``PeopleError/notConfirmed``, other ``PeopleError``, ``SQLError``, `StoreError` and
    ///   errors of `body`. Then nothing is changed, except after `notConfirmed`.
    package func change<Value: Sendable>(
        _ person: String, _ change: PersonChange,
        _ body: @escaping @Sendable (SampleStore) throws -> ChangeOutcome<Value>
    ) async throws -> Value {
        try await using(person) { member in
            let value = try await member.store.run {
                try member.store.change(
                    change, at: Date.now.timeIntervalSinceReferenceDate, body)
            }
            if member.store.isSnapshotDue { Task { await self.addSnapshot(of: person) } }
            return value
        }
    }

    /// Writes a copy of a store to the log, one at a time.
    private func addSnapshot(of person: String) async {
        guard copying.withLock({ $0.insert(person).inserted }) else { return }
        defer { copying.withLock { _ = $0.remove(person) } }
        _ = try? await using(person) { [copies] member in
            try await copies.run { try await member.store.run { member.store.addSnapshot() } }
        }
    }

    /// Checks the file of a person's store after an error that it may have caused, and discards it if
    /// it is damaged. The next call builds it again.
    package func checkFile(of person: String) async {
        _ = try? await using(person) { member in
            try await member.store.run {
                guard let opened = member.store.opened else { return }
                if (try? opened.store.isReadable()) != true { member.store.discard() }
            }
        }
    }

    /// Returns the receipt of a device's request; nil for a new request.
    package func receipt(
        of person: String, _ request: PersonChange.Request
    ) async throws -> LogReceipt? {
        try await using(person) { member in
            try await member.store.run {
                try member.store.people.log.receipt(
                    of: person, device: request.device, key: request.key)
            }
        }
    }

    // MARK: - Open stores

    private func using<Value: Sendable>(
        _ person: String, _ body: @escaping @Sendable (Member) async throws -> Value
    ) async throws -> Value {
        try await places.with(peopleOf: person) { [self] people in
            let member = member(of: person, people)
            defer { member.state.withLock { $0.users -= 1 } }
            return try await body(member)
        }
    }

    private func member(of person: String, _ people: People) -> Member {
        members.withLock { members in
            let member =
                members[person]
                ?? Member(PersonStore(person, people, folder: "\(folder)/\(person)", target))
            if member.store.people !== people { member.store.people = people }
            members[person] = member
            member.state.withLock { state in
                state.users += 1
                state.lastUse = .now
            }
            closeUnused(&members)
            return member
        }
    }

    /// Closes stores above the limit. Those in use stay.
    private func closeUnused(_ members: inout [String: Member]) {
        while members.count > limit {
            let unused = members.compactMap { person, member in
                let (users, use) = member.state.withLock { ($0.users, $0.lastUse) }
                return users == 0 ? (person, use) : nil
            }
            guard let oldest = unused.min(by: { $0.1 < $1.1 })?.0 else { return }
            if let member = members.removeValue(forKey: oldest) {
                replaceCompanion(of: member, by: nil)
            }
        }
    }

    /// Removes the stores of erased people, ends open pages after a token was revoked, and brings
    /// open stores to the end of the log. Call it every second or so: other nodes do all that, too.
    package func refresh() async {
        lock.renewIfRemoved()
        let open = members.withLock { $0 }
        let people = Array(open.keys)
        guard let states = try? await places.run({ try $0.states(of: people) }) else { return }
        for (person, member) in open where states.unknown.contains(person) {
            await remove(person, member)
        }
        await withTaskGroup { group in
            for (person, member) in open {
                guard let state = states.known[person] else { continue }
                noteRevocations(state.revocations, member)
                guard let opened = member.store.opened, opened.head != state.head else { continue }
                group.addTask { _ = try? await self.reading(person) { _ in } }
            }
        }
    }

    private func remove(_ person: String, _ member: Member) async {
        members.withLock { $0[person] = nil }
        replaceCompanion(of: member, by: nil)
        _ = try? await member.store.run { member.store.removeEverything() }
    }

    private func noteRevocations(_ count: Int, _ member: Member) {
        let hasChanged = member.state.withLock { state in
            defer { state.revocations = count }
            return state.companion != nil && state.revocations.map { $0 != count } == true
        }
        if hasChanged { replaceCompanion(of: member, by: nil) }
    }

    /// Removes the files and the keys of erased people whose stores aren't open. Call it every half
    /// minute.
    package func removeErased() async {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.utf8.count == 32 && HexadecimalText.bytes($0) != nil }
        let known = Array(Set(files).union(places.keys.knownPeople))
        for start in stride(from: 0, to: known.count, by: 500) {
            let some = Array(known[start..<min(start + 500, known.count)])
            guard let states = try? await places.run({ try $0.states(of: some) }) else { return }
            for person in states.unknown {
                places.keys.forget(person)
                if let member = members.withLock({ $0[person] }) {
                    await remove(person, member)
                } else {
                    // What can't be removed now is found by the next call.
                    try? FileManager.default.removeItem(atPath: "\(folder)/\(person)")
                }
            }
        }
    }

    /// Closes all stores. Calls that run now are completed first.
    package func close() async {
        let open = members.withLock { members in
            defer { members = [:] }
            return members
        }
        for (_, member) in open {
            replaceCompanion(of: member, by: nil)
            _ = try? await member.store.run { member.store.setOpened(nil) }
        }
    }
}

/// Runs one body at a time; others wait.
private actor OneAtATime {
    private var last: Task<Void, Never>?

    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let before = last
        let task = Task {
            await before?.value
            try? await body()
        }
        last = task
        await task.value
    }
}

/// The lock of a folder with stores: two processes would write to the same files.
final class CacheLock: Sendable {
    private let folder: String
    /// The descriptor of the locked file.
    private let descriptor: Mutex<Int32>

    init(_ folder: String) throws(PeopleError) {
        self.folder = folder
        descriptor = Mutex(try CacheLock.acquire(folder))
    }

    deinit { descriptor.withLock { _ = close($0) } }

    /// Whether the locked file is still in the folder.
    var isHeld: Bool {
        descriptor.withLock { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_nlink > 0
        }
    }

    /// Creates a removed folder again, and locks it. If another process has locked it since, this one
    /// isn't ready any more.
    func renewIfRemoved() {
        if isHeld { return }
        // Tried again with each call.
        guard let renewed = try? CacheLock.acquire(folder) else { return }
        descriptor.withLock { descriptor in
            close(descriptor)
            descriptor = renewed
        }
        try? CacheLock.discardAfterRestart(folder)
    }

    private static func acquire(_ folder: String) throws(PeopleError) -> Int32 {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch { throw .cacheFailed(folder) }
        let descriptor = open(folder + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cacheFailed(folder) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .cacheInUse(folder)
        }
        return descriptor
    }

    /// Removes the stores if the computer was restarted since they were written, or if that isn't
    /// known.
    static func discardAfterRestart(_ folder: String) throws(PeopleError) {
        let path = folder + "/boot"
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let known = try? String(contentsOfFile: path, encoding: .utf8)
        if let boot, boot == known { return }
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where name.utf8.count == 32 && HexadecimalText.bytes(name) != nil {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
            try (boot ?? "").write(toFile: path, atomically: true, encoding: .utf8)
        } catch { throw .cacheFailed(folder) }
    }
}
