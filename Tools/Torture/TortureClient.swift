import Foundation
import HealthSync
import OpenHealthKit

/// An app that synchronizes with HealthKit, as driven by the tests.
///
/// A value represents one process. Persistent state is in files or in the given destinations.
/// ``MirrorClient`` is the real implementation; tests use faulty ones.
protocol SyncClient: Sendable {
    /// Starts observing.
    func start() async
    /// Reads all changes that the health store has for the app.
    func sync() async throws
    /// Saves a weight.
    func log(_ weight: ClientWeight) async throws -> ClientResult
    /// Edits a weight that it saved.
    func edit(_ id: UUID, to weight: ClientWeight) async throws -> ClientResult
    /// Removes a weight that it saved.
    func remove(_ id: UUID) async throws -> ClientResult
    /// Attaches a note to an entry.
    func attach(_ note: String, to id: UUID) async throws -> ClientResult
    /// Completes writes that a crash interrupted.
    func recover() async throws
    /// Reconciles everything with the health store.
    func reconcile() async throws
    func track(_ type: ScheduledType) async
    func untrack(_ type: ScheduledType) async
    /// Returns the entries that it would show.
    func entries() async throws -> [ClientEntry]
    /// Returns all notes.
    func notes() async throws -> [ClientNote]
    /// Damages its stored positions synchronously, as another process could.
    func losePositions(_ loss: PositionLoss) throws
    /// Stops before the value is released.
    func end() async
}

/// The environment of a client's process.
struct ClientEnvironment: Sendable {
    let store: HKHealthStore
    /// The folder for its files.
    let folder: URL
    let types: [ScheduledType]
    let pageSize: Int
    let now: @Sendable () -> Date
    let probe: SyncProbe
    /// A transactional destination, which outlives the process like a file.
    let ledger: TransactionalRecorder
    /// A destination without transactions.
    let recorder: TortureRecorder
}

/// A function that starts a process of a client.
typealias ClientLaunch = @Sendable (ClientEnvironment) async throws -> any SyncClient

/// A weight to save.
struct ClientWeight: Hashable, Sendable {
    var date: Date
    var kilograms: Double
}

/// The outcome of a request.
enum ClientResult: Hashable, Sendable {
    case acknowledged
    /// Nothing was done, and an error was reported.
    case refused
    /// The write is pending and will be completed later.
    case unsettled
}

/// A sample as a client shows it.
struct ClientEntry: Hashable, Sendable {
    var id: UUID
    var type: ScheduledType
    var start: Date
    var end: Date
    /// The value in kilograms, counts or counts per minute, or a category's raw value.
    var value: Double
    var bundleIdentifier: String
    /// Whether the client considers it to be in the health store.
    var isSynced: Bool
}

/// A note attached to a sample.
struct ClientNote: Hashable, Sendable {
    var text: String
    /// The sample it is attached to, or was last attached to.
    var entry: UUID
    var isAttached: Bool
}

/// How stored positions are damaged.
enum PositionLoss: Sendable {
    case forgotten
    /// Replaced by those of another store.
    case foreign
}

/// The simulated process was killed.
struct ProcessKilled: Error {}
