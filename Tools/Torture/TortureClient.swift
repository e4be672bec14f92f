import Foundation
import HealthSimulator
import HealthSync
import OpenHealthKit

/// An app that keeps itself in step with HealthKit, as the torture drives it.
///
/// One value is one process of it: what is kept lies in files, or in what the surroundings hand over.
/// ``MirrorClient`` is the one that people run; tests hand in wrong ones.
protocol SyncClient: Sendable {
    /// Begins to observe.
    func start() async
    /// Reads what changed, to the end.
    func sync() async throws
    /// Saves a weight.
    func log(_ weight: ClientWeight) async throws -> ClientAnswer
    /// Corrects a weight it saved.
    func edit(_ id: UUID, to weight: ClientWeight) async throws -> ClientAnswer
    /// Removes a weight it saved.
    func remove(_ id: UUID) async throws -> ClientAnswer
    /// Hangs a note on an entry.
    func attach(_ note: String, to id: UUID) async throws -> ClientAnswer
    /// Settles what a crash cut off.
    func recover() async throws
    /// Compares everything with the health store.
    func reconcile() async throws
    func track(_ type: ScheduledType) async
    func untrack(_ type: ScheduledType) async
    /// What it would show the person.
    func entries() async throws -> [ClientEntry]
    /// Every note it keeps.
    func notes() async throws -> [ClientNote]
    /// Spoils its positions from outside, on the calling thread, as another process could.
    func losePositions(_ loss: PositionLoss) throws
    /// Stops, before the value goes.
    func end() async
}

/// What a client finds when its process begins.
struct ClientSurroundings: Sendable {
    let store: HKHealthStore
    /// Where its files lie.
    let folder: URL
    let types: [ScheduledType]
    let pageSize: Int
    let now: @Sendable () -> Date
    let probe: SyncProbe
    /// A destination with transactions, which outlives the process as a file would.
    let ledger: TortureLedger
    /// A destination without.
    let recorder: TortureRecorder
}

/// Begins a process of a client.
typealias ClientLaunch = @Sendable (ClientSurroundings) async throws -> any SyncClient

/// A weight to be saved.
struct ClientWeight: Hashable, Sendable {
    var date: Date
    var kilograms: Double
}

/// How something the person asked for ended.
enum ClientAnswer: Hashable, Sendable {
    case acknowledged
    /// Nothing was done, and the person was told.
    case refused
    /// The person was told that it will be settled later.
    case unsettled
}

/// A sample as a client shows it.
struct ClientEntry: Hashable, Sendable {
    var id: UUID
    var type: ScheduledType
    var start: Date
    var end: Date
    /// In kilograms, counts, counts a minute, or a category's raw value.
    var value: Double
    var bundleIdentifier: String
    /// Whether the client takes it to be in the health store.
    var isSynced: Bool
}

/// A note beside a sample.
struct ClientNote: Hashable, Sendable {
    var text: String
    /// The sample it hangs on; the last one if it is attached to none.
    var entry: UUID
    var isAttached: Bool
}

/// How positions are spoilt.
enum PositionLoss: Sendable {
    case forgotten
    /// Replaced by those of another store.
    case foreign
}

/// The process is gone.
struct ProcessKilled: Error {}
