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
/// It may occur between two steps of the app's work: see ``SyncEvent``.
struct SyncFault: Hashable, Sendable, Codable {
    var kind: Kind
    /// The type of its samples, or whose permission it changes.
    var type: ScheduledType
    /// The writer that causes it.
    var writer: ScheduledWriter
    /// The first sample that it creates or changes. Further ones have the following numbers.
    var number: Int
    /// The number of samples that it creates, if its kind creates new ones.
    var count: Int

    /// Creates an event, by default for weights.
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
        /// New samples.
        case save
        /// A higher version replaces a sample.
        case edit
        /// A sample is deleted by its writer; the app's own by the person.
        case deletion
        /// New samples that are at least eleven hours old.
        case lateBatch
        /// A stored or deleted UUID is saved again.
        case duplicateUUID
        /// The same version of a sample is saved again.
        case equalVersion
        /// A lower version of a sample is saved.
        case lowerVersion
        /// The person revokes the app's permission to save.
        case shareRevoked
        /// The person revokes the app's permission to read.
        case readRevoked
        /// The person limits the app's read permission to samples of the last two days and later.
        case limitedHistory
        /// The device locks.
        case lock
        /// The health store's disk is full.
        case healthDiskFull
        /// The disk of the app's own file is full.
        case mirrorDiskFull
        /// The clock is set forward by ten days.
        case clockForward
        /// The clock is set back by ten days.
        case clockBack
        /// The time zone changes.
        case travel
        /// The app's positions (cursors) are deleted.
        case anchorLost
        /// The app's positions are replaced by those of another store.
        case anchorForeign
        /// Eight days pass, and the health store purges tombstones older than seven.
        case tombstonesPurged
        /// The health store purges all tombstones.
        case tombstonesPurgedEarly
        /// A newer export lacks the samples of an earlier one.
        case importUndone
        /// The app's files are moved to a phone without data.
        case emptyPhone
        /// New samples, saved one by one.
        case observerStorm
        /// The health store stops notifying observers.
        case observerSilence
        /// The work is cancelled.
        case taskCancelled
        /// The process is killed.
        case processKilled
        // Ends of faults, and preparations.
        case shareGranted
        case readGranted
        case unlock
        case diskFreed
        /// An export with samples is imported.
        case imported

        /// Whether it ends or prepares a fault.
        var isRepair: Bool {
            switch self {
            case .shareGranted, .readGranted, .unlock, .diskFreed, .imported: true
            default: false
            }
        }

        /// Whether it affects the app's process or files. All others affect the phone: its health
        /// store, permissions, lock, disk, clock or time zone.
        var isOfTheApp: Bool {
            switch self {
            case .mirrorDiskFull, .anchorLost, .anchorForeign, .emptyPhone, .taskCancelled,
                .processKilled:
                true
            default: false
            }
        }

        /// Whether it normally saves new samples or versions.
        var makesSamples: Bool {
            switch self {
            case .save, .edit, .lateBatch, .imported, .observerStorm: true
            default: false
            }
        }

        /// Whether the samples visible to the app change although no sample does.
        var changesSight: Bool {
            switch self {
            case .shareRevoked, .readRevoked, .limitedHistory, .shareGranted, .readGranted: true
            default: false
            }
        }
    }
}

/// A type of sample in a ``SyncSchedule``.
enum ScheduledType: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// The type that the app itself writes.
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

    /// The duration of a sample in seconds.
    var duration: TimeInterval {
        switch self {
        case .bodyMass, .heartRate: 0
        case .stepCount: 60
        case .sleepAnalysis: 1800
        }
    }

    /// The unit of its values; nil for a category.
    var unit: HKUnit? {
        switch self {
        case .bodyMass: .gramUnit(with: .kilo)
        case .stepCount: .count()
        case .heartRate: .count().unitDivided(by: .minute())
        case .sleepAnalysis: nil
        }
    }

    /// Returns the value of a version of a sample in ``unit``. Consecutive versions have different
    /// values.
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
