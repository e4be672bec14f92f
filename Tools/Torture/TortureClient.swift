import Foundation
import HealthSync
import OpenHealthKit

/// An app that synchronizes with HealthKit, as driven by the tests.
///
/// A client represents one process of the app. State that outlives the process is in files or in
/// the destinations of ``ClientEnvironment``. ``MirrorClient`` uses HealthSync; tests also use
/// faulty implementations.
protocol SyncClient: Sendable {
    /// Starts observing changes of the health store.
    func start() async
    /// Reads all changes that the health store has for the app.
    func sync() async throws
    /// Saves a weight.
    func log(_ weight: ClientWeight) async throws -> ClientResult
    /// Replaces a weight that the app saved.
    func edit(_ id: UUID, to weight: ClientWeight) async throws -> ClientResult
    /// Removes a weight that the app saved.
    func remove(_ id: UUID) async throws -> ClientResult
    /// Attaches a note to an entry.
    func attach(_ note: String, to id: UUID) async throws -> ClientResult
    /// Completes writes that a crash interrupted.
    func recover() async throws
    /// Compares all entries of the tracked types with the health store and corrects differences.
    func reconcile() async throws
    func track(_ type: ScheduledType) async
    func untrack(_ type: ScheduledType) async
    /// Returns the entries that the app currently shows to the person.
    func entries() async throws -> [ClientEntry]
    /// Returns all notes.
    func notes() async throws -> [ClientNote]
    /// Damages the app's stored positions, as another process could. Synchronous, because a probe
    /// calls it between two steps.
    func losePositions(_ loss: PositionLoss) throws
    /// Stops observing. Called before the client is released.
    func end() async
}

/// The environment of a client's process.
struct ClientEnvironment: Sendable {
    let store: HKHealthStore
    /// The folder for the files of the client.
    let folder: URL
    let types: [ScheduledType]
    let pageSize: Int
    let now: @Sendable () -> Date
    let probe: SyncProbe
    /// A transactional destination. Like a file, it outlives a simulated process.
    let ledger: TransactionalRecorder
    /// A destination without transactions, which outlives a simulated process too.
    let recorder: TortureRecorder
}

/// A function that starts a client, which represents a new process.
typealias ClientLaunch = @Sendable (ClientEnvironment) async throws -> any SyncClient

/// A weight to save.
struct ClientWeight: Hashable, Sendable {
    var date: Date
    var kilograms: Double
}

/// The outcome of a request.
enum ClientResult: Hashable, Sendable {
    case acknowledged
    /// An error was reported, and nothing was saved, removed or attached.
    case refused
    /// The write is pending, and ``SyncClient/recover()`` will complete it.
    case pending
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
    /// Whether the client considers the sample to be in the health store.
    var isSynced: Bool
}

/// A note that the app stores for a sample.
struct ClientNote: Hashable, Sendable {
    var text: String
    /// The ID of the entry that the note is, or was last, attached to.
    var entry: UUID
    var isAttached: Bool
}

/// How stored positions are damaged.
enum PositionLoss: Sendable {
    case forgotten
    /// Their anchors are replaced by one of another store.
    case foreign
}

/// The error that ends a simulated process: it was killed, or the app moved to another phone.
struct ProcessKilled: Error {}
