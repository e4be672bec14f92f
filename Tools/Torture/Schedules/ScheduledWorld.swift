import Dispatch
import Foundation
import HealthStorage
import OpenHealthKit
import Synchronization

/// The environment of an app in a ``SyncSchedule``: its phone with a health store, and the devices
/// and the person that change the store. It also records the expected state.
///
/// ```swift
/// let world = try ScheduledWorld(folder: folder, settings: schedule.settings, beginning: date)
/// try world.play(SyncFault(.save, of: .stepCount, by: .phone, number: 1, count: 3))
/// world.store       // the app's handle: it sees three samples
/// ```
/// Calls are synchronous, so that an event can occur between two steps of the app's work on any
/// thread. Thread-safe.
final class ScheduledWorld: Sendable {
    /// The clock of the phone and of the app.
    let clock: ScheduledClock
    let folder: String
    let settings: SyncSchedule.Settings
    // A lock that serializes all events.
    let lock = NSRecursiveLock()
    let state: Mutex<State>

    struct State: Sendable {
        var phones: [ScheduledPhone] = []
        /// The records of the samples by number, including deleted ones.
        var records: [Int: ScheduledRecord] = [:]
        /// The number of events played so far.
        var moment = 0
        /// The samples of the newest imported export by number; empty on a new phone.
        var imported: [Int: ScheduledRecord] = [:]
        var exports = 0
        /// The last sequence number of the phone's store after each event, with
        /// ``ScheduledClock/elapsed`` at that time. Used to purge tombstones by age.
        var marks: [(elapsed: TimeInterval, sequence: Int64)] = []
        /// The event number of the latest deletion of each sample.
        var deletions: [Int: Int] = [:]
        /// The event number of the latest purge of tombstones.
        var purged: Int?
        /// The value of each sample at its latest deletion, without deletions by imports.
        var deletedValues: [Int: Double] = [:]
        var zone = "Europe/Berlin"
        var isDiskFull = false
    }

    /// Creates a world with one phone, on which the app has all permissions that it requests.
    ///
    /// - Parameters:
    ///   - folder: An existing folder for the phones' health stores.
    ///   - settings: The settings of the schedule, with the types that the app requests.
    ///   - beginning: The initial time of the clock.
    /// - Throws: `HKError` or `StoreError` if the health store can't be created.
    init(
        folder: String, settings: SyncSchedule.Settings, beginning: Date
    ) throws {
        self.folder = folder
        self.settings = settings
        clock = ScheduledClock(beginning)
        state = Mutex(State())
        try replacePhone()
    }

    /// The app's handle of the health store on the current phone.
    var store: HKHealthStore { phone.app }

    var phone: ScheduledPhone {
        state.withLock { state in state.phones[state.phones.count - 1] }
    }

    /// The number of phones that the app has been on.
    var phones: Int { state.withLock { $0.phones.count } }

    /// Moves the app to a phone without data, on which it has all permissions that it requests.
    ///
    /// - Throws: `HKError` or `StoreError` if the health store can't be created.
    func replacePhone() throws {
        lock.lock()
        defer { lock.unlock() }
        let number = state.withLock { $0.phones.count }
        let phone = try ScheduledPhone(
            path: folder + "/health\(number).sqlite", settings: settings, clock: clock)
        state.withLock { state in
            for known in state.records.keys { state.records[known]?.isLive = false }
            state.imported = [:]
            state.marks = []
            state.phones.append(phone)
        }
    }

    /// Frees the disk of the health store, unlocks the device and resumes notifying observers.
    /// Changes of permissions, clock and time zone stay.
    func endFaults() {
        lock.lock()
        defer { lock.unlock() }
        state.withLock { $0.isDiskFull = false }
        phone.app.isFull = false
        phone.app.protectedData.unlock()
        phone.app.backgroundDelivery.resume()
    }

    /// Grants the app permission to read every type and to save weights on the current phone.
    ///
    /// - Throws: `HKError` if the store can't be written.
    func allowEverything() throws {
        for type in ScheduledType.allCases { try phone.allow(type) }
    }
}

/// The recorded state of one sample of a schedule. For a weight of the app, only its type, writer,
/// start and first phone are recorded.
struct ScheduledRecord: Sendable {
    var type: ScheduledType
    var writer: ScheduledWriter
    var start: Double
    var version = 1
    var isLive = true
    /// The index of the phone on which it was saved, in ``ScheduledWorld/State/phones``.
    var phone: Int
    /// The latest version, for saving it again. Nil for samples of the app under test and for
    /// imported samples.
    var object: HKSample?
    /// Whether ``object`` has a sync identifier, so that an edit replaces the earlier version.
    var isSynced: Bool { object?.metadata?[HKMetadataKeySyncIdentifier] != nil }
}

/// A phone with a health store.
struct ScheduledPhone: Sendable {
    let path: String
    /// The app's handle of the store.
    let app: ScheduledStore
    /// The handles of the other writers.
    let handles: [ScheduledWriter: HKHealthStore]
    /// A separate connection to the store's file. Device locks and permissions don't affect it.
    let file: SampleStore

    init(path: String, settings: SyncSchedule.Settings, clock: ScheduledClock) throws {
        self.path = path
        var configuration = HealthStoreConfiguration(clock: clock)
        configuration.tombstoneLimit =
            settings.limit == .samples ? .samplesOnly : .samplesAndDeletions
        let app = try ScheduledStore(
            path: path, identity: ScheduledWriter.app.identity, configuration: configuration)
        self.app = app
        let others = ScheduledWriter.allCases.filter { $0 != .app }
        handles = Dictionary(
            uniqueKeysWithValues: others.map { ($0, app.withIdentity($0.identity)) })
        file = try SampleStore(at: path, access: .writing)
        for type in settings.types {
            try allow(type)
            for handle in handles.values {
                try handle.setAuthorization(.granted, for: [type.sampleType])
            }
        }
    }

    /// Grants the app permission to read a type, and to save it if it is body mass.
    func allow(_ type: ScheduledType) throws {
        try app.setAuthorization(
            type == .bodyMass ? .granted : .readOnly, for: [type.sampleType])
    }
}

/// A clock that can be set forward and back, like that of a phone.
///
/// Work scheduled for a time in the future never runs, because the schedule determines all events.
final class ScheduledClock: HealthStoreClock {
    private let state: Mutex<(now: Date, elapsed: TimeInterval)>

    init(_ now: Date) { state = Mutex((now, 0)) }

    /// The displayed time.
    var now: Date { state.withLock { $0.now } }

    /// The seconds that have passed since the clock was created. Setting the clock has no effect.
    var elapsed: TimeInterval { state.withLock { $0.elapsed } }

    /// Lets an interval in seconds pass: advances the displayed time and ``elapsed``.
    func advance(by interval: TimeInterval) {
        state.withLock {
            $0.now += interval
            $0.elapsed += interval
        }
    }

    /// Sets the displayed time forward by an interval in seconds, or back if it is negative.
    /// ``elapsed`` stays.
    func jump(by interval: TimeInterval) { state.withLock { $0.now += interval } }

    /// Runs work on a background queue if `date` is not in the future. Otherwise, the work never
    /// runs.
    func schedule(
        at date: Date, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        if date <= now { DispatchQueue.global(qos: .utility).async(execute: work) }
        return ScheduledWork {}
    }
}

/// A handle of a health store that fails to save and delete objects while a simulated disk is full.
/// `@unchecked Sendable` like its superclass; the added state has its own lock.
final class ScheduledStore: HKHealthStore, @unchecked Sendable {
    private let full = Mutex(false)

    /// Whether the simulated disk is full.
    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    private static let failure = HKError(
        .errorDatabaseInaccessible, "The disk is full; nothing was saved.")

    override func save(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    override func save(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        isFull ? completion(false, Self.failure) : super.save(objects, withCompletion: completion)
    }

    override func save(_ object: HKObject) async throws { try await save([object]) }

    override func save(_ objects: [HKObject]) async throws {
        if isFull { throw Self.failure }
        try await super.save(objects)
    }

    override func delete(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    override func delete(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        isFull
            ? completion(false, Self.failure) : super.delete(objects, withCompletion: completion)
    }

    override func delete(_ object: HKObject) async throws { try await delete([object]) }

    override func delete(_ objects: [HKObject]) async throws {
        if isFull { throw Self.failure }
        try await super.delete(objects)
    }
}
