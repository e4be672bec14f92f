/// Something that happens to an app that keeps itself in step with HealthKit.
///
/// ```swift
/// // The watch comes home with three readings that are eleven hours old.
/// SyncFault(.lateBatch, of: .heartRate, by: .watch, number: 7, count: 3)
/// ```
/// Whatever it is, it may happen between two steps of the app's work: see ``SyncEvent``.
public struct SyncFault: Hashable, Sendable, Codable {
    /// What happens.
    public var kind: Kind
    /// The type it concerns.
    public var type: ScheduledType
    /// Who does it.
    public var writer: ScheduledWriter
    /// The sample that it makes, or that it changes; further ones follow in number.
    public var number: Int
    /// How many samples it makes.
    public var count: Int

    /// Something that happens, to weights unless said otherwise.
    public init(
        _ kind: Kind, of type: ScheduledType = .bodyMass, by writer: ScheduledWriter = .other,
        number: Int = 0, count: Int = 1
    ) {
        self.kind = kind
        self.type = type
        self.writer = writer
        self.number = number
        self.count = count
    }

    /// What can happen.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// New samples.
        case save
        /// A higher version of a sample takes its place.
        case edit
        /// A sample is deleted by whoever saved it; of the app's own, by the person.
        case deletion
        /// New samples that are eleven hours old.
        case lateBatch
        /// A UUID that is stored is saved again, or one that was deleted.
        case duplicateUUID
        /// A sample's version is saved again.
        case equalVersion
        /// A version lower than the sample's is saved.
        case lowerVersion
        /// The person takes back what the app may save.
        case shareRevoked
        /// The person takes back what the app may read.
        case readRevoked
        /// The person lets the app read two days only.
        case limitedHistory
        /// The device locks.
        case lock
        /// The health store can't write.
        case healthDiskFull
        /// The app's own file can't be written.
        case mirrorDiskFull
        /// The clock is put on by ten days.
        case clockForward
        /// The clock is put back by ten days.
        case clockBack
        /// The person is in another zone from now on.
        case travel
        /// The app's positions are gone.
        case anchorLost
        /// The app's positions are another store's.
        case anchorForeign
        /// Eight days pass; the health store forgets the deletions that are older than seven.
        case tombstonesPurged
        /// The health store forgets all deletions.
        case tombstonesPurgedEarly
        /// A newer export no longer holds what an earlier one brought.
        case importUndone
        /// The app's files are moved to a phone without data.
        case emptyPhone
        /// Many changes, one by one.
        case observerStorm
        /// The health store tells nobody of changes.
        case observerSilence
        /// The work is cancelled.
        case taskCancelled
        /// The process dies.
        case processKilled
        // What ends a fault.
        case shareGranted
        case readGranted
        case unlock
        case diskFreed
        /// An export brings samples.
        case imported

        /// Whether it ends a fault, or prepares one.
        public var isRepair: Bool {
            switch self {
            case .shareGranted, .readGranted, .unlock, .diskFreed, .imported: true
            default: false
            }
        }

        /// Whether it happens to the app's process or files; all else happens to the health store.
        public var isOfTheApp: Bool {
            switch self {
            case .mirrorDiskFull, .anchorLost, .anchorForeign, .emptyPhone, .taskCancelled,
                .processKilled:
                true
            default: false
            }
        }

        /// Whether it makes samples.
        public var makesSamples: Bool {
            switch self {
            case .save, .edit, .lateBatch, .imported, .observerStorm: true
            default: false
            }
        }

        /// Whether what the app may see changes without a change of any sample.
        public var changesSight: Bool {
            switch self {
            case .shareRevoked, .readRevoked, .limitedHistory, .shareGranted, .readGranted: true
            default: false
            }
        }
    }
}

/// A type of sample in a ``SyncSchedule``.
public enum ScheduledType: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable
{
    /// The one that the app itself writes.
    case bodyMass
    case stepCount, heartRate, sleepAnalysis
}

/// Who saves samples in a ``SyncSchedule``.
public enum ScheduledWriter: String, Hashable, Sendable, Codable, CaseIterable,
    CodingKeyRepresentable
{
    /// The app that keeps itself in step.
    case app
    case phone, watch, other
}
