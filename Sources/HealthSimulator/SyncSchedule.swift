/// What happens to an app and its health store, event by event, as a value.
///
/// ```swift
/// let schedule = SyncSchedule(seed: 4711)      // the same on every machine
/// let text = try JSONEncoder().encode(schedule)
/// ```
/// Samples go by number, so that an event that is left out takes nothing from the others but what was
/// done to its own samples. Playing one is ``ScheduledWorld``'s part where the health store is
/// concerned, and the part of whoever runs the app where the app is.
public struct SyncSchedule: Hashable, Sendable, Codable {
    /// What it was made from.
    public var seed: UInt64
    /// Under which circumstances.
    public var settings: Settings
    /// What happens, in order.
    public var events: [SyncEvent]

    /// A schedule written by hand.
    public init(seed: UInt64 = 0, settings: Settings = Settings(), events: [SyncEvent]) {
        self.seed = seed
        self.settings = settings
        self.events = events
    }

    /// Circumstances that stay the same from beginning to end.
    public struct Settings: Hashable, Sendable, Codable {
        /// What the app tracks, from its first launch on.
        public var types: [ScheduledType]
        /// How many samples it reads at a time.
        public var pageSize: Int
        /// Whether a page's limit counts deletions (Semantics §6.4).
        public var limit: Limit
        /// Whether the app is told of changes, or asks only when an event says so.
        public var attention: Attention

        /// Few samples at a time, and no observer.
        public init(
            types: [ScheduledType] = [.bodyMass], pageSize: Int = 3, limit: Limit = .samples,
            attention: Attention = .onDemand
        ) {
            self.types = types
            self.pageSize = pageSize
            self.limit = limit
            self.attention = attention
        }

        /// What a page's limit counts.
        public enum Limit: String, Hashable, Sendable, Codable {
            case samples, samplesAndDeletions
        }

        /// When the app looks for changes.
        public enum Attention: String, Hashable, Sendable, Codable {
            /// Only when an event of the schedule says so.
            case onDemand
            /// Also when its observer is told.
            case observing
        }
    }
}

/// One event of a ``SyncSchedule``.
public enum SyncEvent: Hashable, Sendable, Codable {
    /// It happens now.
    case happens(SyncFault)
    /// It happens in the midst of the app's work: when a step is next reached for the *n*th time.
    case strikes(SyncFault, at: SyncMoment)
    /// The app does something, and is done when the next event comes.
    case app(AppAction)
}

/// A moment between two steps of the app's work.
public struct SyncMoment: Hashable, Sendable, Codable {
    /// The step that was just reached.
    public var step: Step
    /// For the how manyth time, from 1.
    public var occurrence: Int

    /// The moment after a step.
    public init(_ step: Step, occurrence: Int = 1) {
        self.step = step
        self.occurrence = occurrence
    }

    /// The steps of an app's work that a crash may come after.
    public enum Step: String, Hashable, Sendable, Codable, CaseIterable {
        case woken, anchorTaken, pageRead, handlersDone, positionStored, completionCalled
        case transactionBegun, rowsWritten, positionWritten, transactionCommitted
        case intentJournalled, sampleSaved, sampleReadBack, sampleDeleted, entryAcknowledged
        case windowRead, windowCompared, windowSettled
    }
}

/// What the app does by itself or because the person wants it.
public struct AppAction: Hashable, Sendable, Codable {
    /// What it does.
    public var kind: Kind
    /// Which of its entries it concerns, by number.
    public var number: Int
    /// Which type it concerns.
    public var type: ScheduledType

    /// Something an app does.
    public init(_ kind: Kind, number: Int = 0, of type: ScheduledType = .bodyMass) {
        self.kind = kind
        self.number = number
        self.type = type
    }

    /// What an app does.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Reads what changed.
        case sync
        /// Saves a weight.
        case log
        /// Corrects a weight that it saved.
        case edit
        /// Removes a weight that it saved.
        case remove
        /// Hangs a note on a sample that it has seen.
        case attach
        /// Settles what a crash cut off.
        case recover
        /// Compares itself with the health store.
        case reconcile
        /// Ends, and is opened again.
        case relaunch
        /// Reads a type no more.
        case untrack
        /// Reads it again.
        case track
    }
}
