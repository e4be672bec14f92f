public import Foundation
import HealthCalendar
import HealthEngine

/// The result of ``Mirror/verify(_:over:against:)``: the differences between a mirror and the
/// health store, and damage of the file and the photos.
///
/// ```swift
/// let report = try await mirror.verify([TrackedType(HKQuantityType(.bodyMass))], against: store)
/// if !report.isClean { try await mirror.repair(report, against: store) }
/// ```
/// The report contains counts, types, days and the digests of photos, but no health values.
public struct VerificationReport: Sendable {
    /// A UTC day on which the entries of one type differ from the store's samples.
    public struct Day: Hashable, Sendable {
        /// The identifier of the type that differs on the day.
        public let type: String
        /// The start of the UTC day.
        public let day: Date
        /// The number of the mirror's synced entries of the type that start on the day, within the
        /// compared span.
        public let entries: Int
        /// The number of the store's samples of the type that start on the day, within the compared
        /// span.
        public let samples: Int
    }

    /// The days on which mirror and store differ, sorted by type and day.
    public internal(set) var days: [Day] = []
    /// The number of compared UTC days, summed over the types. A day is counted for a type only if
    /// at least one of the mirror's entries in the state ``MirrorEntry/State/synced``, or of the
    /// store's samples, starts on it within the compared span.
    public internal(set) var daysCompared = 0
    /// The number of the mirror's synced entries that were compared, summed over the types.
    public internal(set) var entriesCompared = 0
    /// The errors of types that could not be read to their end from the store, by type identifier.
    /// Earlier days of such a type may have been compared and reported.
    public internal(set) var failures: [String: HKError] = [:]
    /// The findings of SQLite's integrity check of the mirror's file; empty if the file is intact.
    public internal(set) var damage: [String] = []
    /// The digests of photos of attachments, attached or not, whose file is missing or cannot be
    /// opened.
    public internal(set) var missingPhotos: [String] = []
    /// The digests of photos of attachments, attached or not, whose file has other content or
    /// cannot be read to its end.
    public internal(set) var damagedPhotos: [String] = []

    /// Whether no days differ, all types could be read to their end, and neither the file nor a
    /// photo is damaged or missing.
    public var isClean: Bool {
        days.isEmpty && failures.isEmpty && damage.isEmpty && missingPhotos.isEmpty
            && damagedPhotos.isEmpty
    }

    let tracked: [TrackedType]
}

/// The numbers of changes that ``Mirror/repair(_:against:)`` made to the mirror.
public struct RepairReport: Hashable, Sendable {
    /// The number of entries added, for samples that had no entry.
    public var added = 0
    /// The number of entries that were overwritten with the store's values: those that differed,
    /// and those that had been marked as ``MirrorEntry/State/notVisible``, even with equal values.
    public var changed = 0
    /// The number of synced entries that the store does not show. They are kept, and now marked as
    /// not visible.
    public var hidden = 0
}

/// An order-independent digest of a day's entries or samples: their count and the sums of their
/// hashes.
struct MirrorDayDigest: Hashable {
    private(set) var count = 0
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func add(_ fields: MirrorComparedFields) {
        count += 1
        let (first, second) = fields.digest
        low &+= first
        high &+= second
    }
}

/// The compared fields of an entry or a sample: UUID, times, value, unit and source.
struct MirrorComparedFields {
    let uuid: UUID
    let start: Double
    let end: Double
    let content: MirrorEntry.Content
    let source: String
    let bundle: String

    init(_ entry: MirrorEntry) {
        uuid = entry.id
        start = entry.start.timeIntervalSinceReferenceDate
        end = entry.end.timeIntervalSinceReferenceDate
        content = entry.content
        source = entry.sourceName
        bundle = entry.bundleIdentifier
    }

    init(_ sample: HKSample, units: inout EntryUnits) {
        uuid = sample.uuid
        start = sample.startDate.timeIntervalSinceReferenceDate
        end = sample.endDate.timeIntervalSinceReferenceDate
        content = EntryFields(sample, units: &units, keys: []).content
        source = sample.sourceRevision.source.name
        bundle = sample.sourceRevision.source.bundleIdentifier
    }

    /// The number of the UTC day on which the entry or sample starts.
    var day: Int { UTCDay.number(containing: start) }

    /// Two 64-bit hashes of all fields: FNV-1a, and a similar hash with other constants.
    var digest: (UInt64, UInt64) {
        var hash = (first: FNV1a(), second: UInt64(0x9ae1_6a3b_2f90_404f))
        func mix(_ byte: UInt8) {
            hash.first.add(byte)
            hash.second = (hash.second ^ UInt64(byte)) &* 0x9e37_79b9_7f4a_7c15
            hash.second ^= hash.second >> 29
        }
        func mix(_ word: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                mix(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        // SQLite stores neither negative zero nor the payloads of NaN.
        func mix(_ number: Double) {
            mix(number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern)
        }
        func mix(_ text: String) {
            for byte in text.utf8 { mix(byte) }
            mix(UInt8.max)
        }
        withUnsafeBytes(of: uuid.uuid) { for byte in $0 { mix(byte) } }
        mix(start)
        mix(end)
        switch content {
        case .none: mix(UInt64(0))
        case .quantity(let value, let unit):
            mix(UInt64(1))
            mix(value)
            mix(unit)
        case .category(let value):
            mix(UInt64(2))
            mix(UInt64(bitPattern: Int64(value)))
        case .workout(let activity):
            mix(UInt64(3))
            mix(UInt64(activity))
        }
        mix(source)
        mix(bundle)
        return (hash.first.value, hash.second)
    }
}
