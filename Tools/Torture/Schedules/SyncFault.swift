import Foundation
import HealthEngine
import HealthSimulator
import OpenHealthKit

/// An event that affects an app which synchronizes with HealthKit.
///
/// ```swift
/// // The Watch delivers three readings that are at least eleven hours old.
/// SyncFault(.lateBatch, of: .heartRate, by: .watch, number: 7, count: 3)
/// ```
/// The event may occur between two steps of the app's work: see ``SyncEvent``.
struct SyncFault: Hashable, Sendable, Codable {
    var kind: Kind
    /// The type of the new samples, or the type whose permission changes.
    var type: ScheduledType
    /// The writer of the new samples. Imports and events without new samples ignore it.
    var writer: ScheduledWriter
    /// The number of the sample that the event changes or deletes, or of the first new sample.
    /// Further new samples have the following numbers.
    var number: Int
    /// How many new samples the event creates. Events that create none ignore it.
    var count: Int

    /// Creates an event, by default for one weight of ``ScheduledWriter/other``.
    init(
        _ kind: Kind, of type: ScheduledType = .bodyMass, by writer: ScheduledWriter = .other,
        number: Int = 0, count: Int = 1
    ) {
        self.kind = kind
        self.type = type
        self.writer = writer
        self.number = number
        self.count = count
    }

    enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// New samples are saved together.
        case save
        /// A higher version replaces a sample. A sample without a sync identifier stays unchanged.
        case edit
        /// A sample is deleted: by its writer or, if the app wrote it, by the person.
        case deletion
        /// New samples are saved that are at least eleven hours old.
        case lateBatch
        /// A stored or deleted sample is saved again under its UUID.
        case duplicateUUID
        /// The same version of a sample is saved again.
        case equalVersion
        /// A lower version of a sample is saved.
        case lowerVersion
        /// The person revokes the app's permission to save.
        case shareRevoked
        /// The person revokes the app's permission to read.
        case readRevoked
        /// The person limits the app's permission to read to samples from two days ago on.
        case limitedHistory
        /// The device locks.
        case lock
        /// The health store's disk is full until `diskFreed`.
        case healthDiskFull
        /// The disk of the app's own file is full until two actions have ended.
        case mirrorDiskFull
        /// The clock is set forward by ten days.
        case clockForward
        /// The clock is set back by ten days.
        case clockBack
        /// The time zone changes.
        case travel
        /// The app's positions (cursors) are deleted.
        case anchorLost
        /// The anchors in the app's positions are replaced by one of another store.
        case anchorForeign
        /// Eight days pass, and the health store purges tombstones of seven days and older.
        case tombstonesPurged
        /// The health store purges all tombstones.
        case tombstonesPurgedEarly
        /// A newer export without samples is imported, so that the imported samples are removed.
        case importUndone
        /// The app's files are moved to a phone without data.
        case emptyPhone
        /// New samples are saved one by one instead of together.
        case observerStorm
        /// The health store stops notifying observers.
        case observerSilence
        /// The task of the app's work in progress is cancelled.
        case taskCancelled
        /// The app's process is killed.
        case processKilled
        // Events that end or prepare faults.
        case shareGranted
        case readGranted
        case unlock
        case diskFreed
        /// An export with samples is imported.
        case imported

        /// Whether the event only ends or prepares a fault.
        var isRepair: Bool {
            switch self {
            case .shareGranted, .readGranted, .unlock, .diskFreed, .imported: true
            default: false
            }
        }

        /// Whether the event affects the app's process or files. All others affect the phone: its
        /// health store, permissions, lock, disk, clock or time zone.
        var affectsApp: Bool {
            switch self {
            case .mirrorDiskFull, .anchorLost, .anchorForeign, .emptyPhone, .taskCancelled,
                .processKilled:
                true
            default: false
            }
        }

        /// Whether the event changes which samples the app may see, but no sample.
        var changesReadAccess: Bool {
            switch self {
            case .shareRevoked, .readRevoked, .limitedHistory, .shareGranted, .readGranted: true
            default: false
            }
        }
    }
}

/// A type of sample in a ``SyncSchedule``.
enum ScheduledType: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// The only type that the app itself writes.
    case bodyMass
    case stepCount, heartRate, sleepAnalysis
}

/// The writers of samples in a ``SyncSchedule``.
enum ScheduledWriter: String, Hashable, Sendable, Codable, CaseIterable,
    CodingKeyRepresentable
{
    /// The app under test.
    case app
    case phone, watch, other
}

extension ScheduledType {
    var sampleType: HKSampleType {
        switch self {
        case .bodyMass: HKQuantityType(.bodyMass)
        case .stepCount: HKQuantityType(.stepCount)
        case .heartRate: HKQuantityType(.heartRate)
        case .sleepAnalysis: HKCategoryType(.sleepAnalysis)
        }
    }

    /// Creates the type with an identifier; nil for a type that no schedule uses.
    init?(identifier: String) {
        guard let type = Self.allCases.first(where: { $0.sampleType.identifier == identifier })
        else { return nil }
        self = type
    }

    /// The duration of each sample of the type in seconds.
    var duration: TimeInterval {
        switch self {
        case .bodyMass, .heartRate: 0
        case .stepCount: 60
        case .sleepAnalysis: 1800
        }
    }

    /// The unit of the type's values; nil for a category.
    var unit: HKUnit? {
        switch self {
        case .bodyMass: .gramUnit(with: .kilo)
        case .stepCount: .count()
        case .heartRate: .count().unitDivided(by: .minute())
        case .sleepAnalysis: nil
        }
    }

    /// Returns the value of a version of a sample in ``unit``, or the raw value of a category.
    /// Consecutive versions have different values.
    func value(number: Int, version: Int) -> Double {
        switch self {
        case .bodyMass: 60 + Double(number % 50) + Double(version) / 8
        case .stepCount: Double(100 + number * 16 + version)
        case .heartRate: Double(60 + number % 50) + Double(version) / 4
        case .sleepAnalysis: Double((number + version) % 6)
        }
    }
}

extension ScheduledWriter {
    /// The app identity of the writer, which determines the source of its samples.
    var identity: AppIdentity {
        switch self {
        case .app: AppIdentity("com.example.diary", name: "Diary", version: "1.0")
        case .phone: .phone(named: "Phone")
        case .watch: .watch(named: "Watch")
        case .other: AppIdentity("com.example.scale", name: "Scale", version: "2.1")
        }
    }
}
