public import Foundation

/// Where a mirror and the health store tell different things.
///
/// ```swift
/// let report = try await mirror.verify([TrackedType(HKQuantityType(.bodyMass))], against: store)
/// if !report.isClean { try await mirror.repair(report, against: store) }
/// ```
/// Holds counts, types and days, and no health value.
public struct VerificationReport: Sendable {
    /// A UTC day of one type whose entries aren't the store's samples.
    public struct Day: Hashable, Sendable {
        /// The type's identifier.
        public let type: String
        /// The day's first instant.
        public let day: Date
        /// How many synced entries start in it.
        public let entries: Int
        /// How many samples of the store do.
        public let samples: Int
    }

    /// The days that differ, by type and then by day.
    public internal(set) var days: [Day] = []
    /// How many days of a type were compared because one side or both hold something in them.
    public internal(set) var daysCompared = 0
    /// How many synced entries were compared.
    public internal(set) var entriesCompared = 0
    /// Types that the store won't show, with its reasons; they aren't compared.
    public internal(set) var failures: [String: HKError] = [:]
    /// What SQLite finds wrong with the file; empty if it is sound.
    public internal(set) var damage: [String] = []
    /// Digests of attached photos whose file is missing.
    public internal(set) var missingPhotos: [String] = []
    /// Digests of attached photos whose file holds other bytes.
    public internal(set) var damagedPhotos: [String] = []

    /// Whether nothing is wrong.
    public var isClean: Bool {
        days.isEmpty && failures.isEmpty && damage.isEmpty && missingPhotos.isEmpty
            && damagedPhotos.isEmpty
    }

    let tracked: [TrackedType]
}

/// What a repair did.
public struct RepairReport: Hashable, Sendable {
    /// Samples that the mirror lacked.
    public var added = 0
    /// Entries that now hold the store's values.
    public var changed = 0
    /// Entries that the store doesn't show: kept, and marked as not visible.
    public var hidden = 0
}

/// A digest of any number of samples in any order: count and sums of each one's digest.
struct MirrorDayDigest: Hashable {
    private(set) var count = 0
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func add(_ facts: MirrorComparedFacts) {
        count += 1
        let (first, second) = facts.digest
        low &+= first
        high &+= second
    }
}

/// What must be equal on both sides: identity, times, value, unit and source.
struct MirrorComparedFacts {
    let uuid: UUID
    let start: Double
    let end: Double
    let content: Entry.Content
    let source: String
    let bundle: String

    init(_ entry: Entry) {
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
        content = EntryFacts(sample, units: &units, keys: []).content
        source = sample.sourceRevision.source.name
        bundle = sample.sourceRevision.source.bundleIdentifier
    }

    /// The days since 2001-01-01 UTC of its start; the ends of time for what no day can hold.
    var day: Int { Self.day(start) }

    static func day(_ seconds: Double) -> Int {
        let day = (seconds / 86_400).rounded(.down)
        return day.isNaN ? 0 : Int(exactly: day) ?? (day < 0 ? .min : .max)
    }

    /// FNV-1a over all fields, from two different beginnings.
    var digest: (UInt64, UInt64) {
        var hash = (first: UInt64(0xcbf2_9ce4_8422_2325), second: UInt64(0x9ae1_6a3b_2f90_404f))
        func mix(_ byte: UInt8) {
            hash.first = (hash.first ^ UInt64(byte)) &* 0x100_0000_01b3
            hash.second = (hash.second ^ UInt64(byte)) &* 0x9e37_79b9_7f4a_7c15
            hash.second ^= hash.second >> 29
        }
        func mix(_ word: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                mix(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        // SQLite keeps no negative zero and one kind of what is no number.
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
        return hash
    }
}
