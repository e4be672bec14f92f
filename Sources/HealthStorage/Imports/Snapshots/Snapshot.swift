import HealthEngine

/// What an import says of its file before the first sample.
public struct SnapshotDescription: Sendable {
    /// The file's name, without its folder.
    public var file: String
    public var bytes: Int64
    /// When the phone made the export, in reference seconds; nil if the file doesn't say.
    public var exportDate: Double?
    /// The export's printed offset from UTC, in seconds.
    public var exportOffset: Int?
    /// "en_FR".
    public var locale: String?
    /// When the import runs, in reference seconds.
    public var importedAt: Double

    public init(
        file: String, bytes: Int64, exportDate: Double? = nil, exportOffset: Int? = nil,
        locale: String? = nil, importedAt: Double
    ) {
        self.file = file
        self.bytes = bytes
        self.exportDate = exportDate
        self.exportOffset = exportOffset
        self.locale = locale
        self.importedAt = importedAt
    }
}

/// Whether every element of a file was read.
public enum SnapshotCompleteness: Sendable, Hashable {
    case whole
    /// At least one element was lost to truncation or resynchronisation.
    case damaged
}

/// What became of the elements of an import.
public struct SnapshotOutcome: Sendable, Hashable {
    /// How far an import may go (one export in time is the truth, another only adds).
    public enum Kind: String, Sendable {
        /// Complete and later than all before it: adds, changes and removes.
        case snapshot
        /// Complete, but not later than all before it: only adds what was never seen.
        case addition
        /// Damaged: only adds what was never seen.
        case partial
    }

    /// read = new + unchanged + changed + repeated + quarantined, always.
    public struct Tally: Sendable, Hashable {
        public var new = 0
        public var unchanged = 0
        public var changed = 0
        /// An element that shows again an object already read from this file.
        public var repeated = 0
        public var quarantined = 0
        /// All elements of the kind, whatever became of them.
        public var read: Int { new + unchanged + changed + repeated + quarantined }
        public init() {}
    }

    /// Equal records that each count, by type and source.
    public struct Equals: Sendable, Hashable {
        public var type: String
        public var source: String
        public var count: Int
    }

    /// One source that appears under a new name.
    public struct Renaming: Sendable, Hashable {
        public var from: String
        public var to: String
    }

    /// A source that was set aside for a type because it writes whole days.
    public struct DayTotals: Sendable, Hashable {
        public var type: String
        public var source: String
        public var bundleIdentifier: String
    }

    public var kind: Kind = .snapshot
    /// Record elements, wherever they stand.
    public var records = Tally()
    public var correlations = Tally()
    public var workouts = Tally()
    public var activitySummaries = Tally()
    /// Samples of earlier imports that this one no longer holds.
    public var vanished = 0
    /// Samples in whose place this one has a higher version under the same sync identifier.
    public var replaced = 0
    /// Differences and returns that an addition or partial import saw and left alone.
    public var notApplied = 0
    /// Live samples of this file, by type identifier.
    public var types: [String: Int] = [:]
    public var equals: [Equals] = []
    public var renamed: [Renaming] = []
    public var dayTotals: [DayTotals] = []

    public init() {}

    subscript(kind: SampleType.Kind) -> Tally {
        get {
            switch kind {
            case .correlation: correlations
            case .workout: workouts
            case .activitySummary: activitySummaries
            case .quantity, .category, .other: records
            }
        }
        set {
            switch kind {
            case .correlation: correlations = newValue
            case .workout: workouts = newValue
            case .activitySummary: activitySummaries = newValue
            case .quantity, .category, .other: records = newValue
            }
        }
    }
}
