public import Foundation
import HealthStorage
public import OpenHealthKit
import Synchronization

/// The world around an app in a ``SyncSchedule``: its phone with a health store, the person, their
/// devices; and what of it all is true.
///
/// ```swift
/// let world = try ScheduledWorld(folder: folder, settings: schedule.settings, beginning: date)
/// try world.play(SyncFault(.save, of: .stepCount, by: .phone, number: 1, count: 3))
/// world.store       // the app's handle: it sees three samples
/// ```
/// Everything happens within the call, so that it may happen between two steps of the app's work, on
/// whatever thread that is. Safe to use from any thread.
public final class ScheduledWorld: Sendable {
    /// The clock of the phone, the app's too.
    public let clock: ScheduledClock
    let folder: String
    let settings: SyncSchedule.Settings
    // Every access comes from `turn`'s holder; what is played waits for the one before it.
    let turn = NSRecursiveLock()
    let state: Mutex<State>

    struct State: Sendable {
        var phones: [ScheduledPhone] = []
        /// What became of the samples, by number.
        var records: [Int: ScheduledRecord] = [:]
        /// How many things have happened.
        var moment = 0
        /// What the newest export holds.
        var imported: [Int: ScheduledRecord] = [:]
        var exports = 0
        /// Where tombstones stood when so much time had passed.
        var marks: [(passed: TimeInterval, sequence: Int64)] = []
        /// The latest deletion of each number, and the latest purge, as numbers of moments.
        var deletions: [Int: Int] = [:]
        var purged: Int?
        /// The value that each number had when it was deleted.
        var deletedValues: [Int: Double] = [:]
        var zone = "Europe/Berlin"
        var isDiskFull = false
    }

    /// A world with one phone, whose person has allowed the app what it asks for.
    ///
    /// - Parameters:
    ///   - folder: Where the phones' health stores lie; it must exist.
    ///   - beginning: What the clock shows at first.
    /// - Throws: `HKError`, if the stores can't be made.
    public init(
        folder: String, settings: SyncSchedule.Settings, beginning: Date
    ) throws {
        self.folder = folder
        self.settings = settings
        clock = ScheduledClock(beginning)
        state = Mutex(State())
        try getPhone()
    }

    /// The app's handle of the health store on its present phone.
    public var store: HKHealthStore { phone.app }

    var phone: ScheduledPhone {
        state.withLock { state in state.phones[state.phones.count - 1] }
    }

    /// How many phones the app has been on.
    public var phones: Int { state.withLock { $0.phones.count } }

    /// Gives the app a phone without data; what it asks for is allowed there too.
    ///
    /// - Throws: `HKError`, if its store can't be made.
    public func getPhone() throws {
        turn.lock()
        defer { turn.unlock() }
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

    /// Ends everything that keeps the app from seeing and writing, but for what the person forbade.
    public func endFaults() {
        turn.lock()
        defer { turn.unlock() }
        state.withLock { $0.isDiskFull = false }
        phone.app.isFull = false
        phone.app.protectedData.unlock()
        phone.app.backgroundDelivery.resume()
    }

    /// Allows the app again what it asked for.
    ///
    /// - Throws: `HKError`, if the store can't be written.
    public func allowEverything() throws {
        for type in ScheduledType.allCases { try phone.allow(type) }
    }
}

/// What became of the samples of one number.
struct ScheduledRecord: Sendable {
    var type: ScheduledType
    var writer: ScheduledWriter
    var start: Double
    var version = 1
    var isLive = true
    /// The phone it is on.
    var phone: Int
    /// The latest version, for saving it again; nil for the app's own and for what was imported.
    var object: HKSample?
    /// Whether an edit of it can be told from the version before.
    var isSynced: Bool { object?.metadata?[HKMetadataKeySyncIdentifier] != nil }
}

/// A phone with a health store.
struct ScheduledPhone: Sendable {
    let path: String
    /// The app's handle.
    let app: ScheduledStore
    /// Every writer's handle.
    let handles: [ScheduledWriter: HKHealthStore]
    /// A connection of its own, which no lock and no permission keeps out.
    let file: SampleStore

    init(path: String, settings: SyncSchedule.Settings, clock: ScheduledClock) throws {
        self.path = path
        var configuration = HealthStoreConfiguration(clock: clock)
        configuration.tombstoneLimit = settings.limit == .samples ? .apart : .withinLimit
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

    /// Allows the app to read a type, and to save weights.
    func allow(_ type: ScheduledType) throws {
        try app.setAuthorization(
            type == .bodyMass ? .granted : .readOnly, for: [type.sampleType])
    }
}
