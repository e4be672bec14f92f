import HealthEngine

/// The data about an export that is known before its first sample.
public struct SnapshotDescription: Sendable {
    /// The name of the file, without its folder.
    public var file: String
    /// The size of the XML file in bytes.
    public var bytes: Int64
    /// When the iPhone created the export, in seconds since the reference date; nil if the file
    /// doesn't say.
    public var exportDate: Double?
    /// The offset from UTC in the export's dates, in seconds.
    public var exportOffset: Int?
    /// The language and region of the iPhone, such as "en_FR".
    public var locale: String?
    /// When the import runs, in seconds since the reference date.
    public var importedAt: Double
    /// What identifies the content of the file, to recognize it without reading it again; nil if
    /// only reading all of it would tell.
    package var digest: String?

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
    /// All elements were read.
    case complete
    /// At least one element was lost by truncation or damage.
    case damaged
}

/// The result of an import.
public struct SnapshotOutcome: Sendable, Hashable {
    /// Which changes an import may make (Semantics §14.3).
    public enum Kind: String, Sendable {
        /// Complete, and the first export or later than all earlier ones (not earlier than damaged
        /// ones): adds, changes and removes samples.
        case snapshot
        /// Complete, but not a snapshot: only adds samples that are neither stored nor deleted, and
        /// points to stored routes without any.
        case addition
        /// Damaged: only adds the same as an addition.
        case partial
    }

    /// The counts of one kind of element: read = new + unchanged + changed + repeated +
    /// quarantined.
    public struct Tally: Sendable, Hashable {
        /// Elements that became new samples.
        public var new = 0
        /// Elements whose sample was stored before, or that an addition or partial import didn't
        /// apply.
        public var unchanged = 0
        /// Elements that changed a stored sample.
        public var changed = 0
        /// Elements that repeat another object of this file, or are a lower version of one.
        public var repeated = 0
        /// Invalid elements, which are kept as text.
        public var quarantined = 0
        /// The sum of the other counts: all elements of the kind that were read.
        public var read: Int { new + unchanged + changed + repeated + quarantined }
        /// Creates a tally of zeros.
        package init() {}
    }

    /// The number of surplus equal records of a type and a source. Each of them is a sample.
    public struct EqualRecords: Sendable, Hashable {
        /// The type identifier.
        public var type: String
        /// The name of the source.
        public var source: String
        /// The number of records beyond the first of each group.
        public var count: Int
    }

    /// A source that appears under a new name.
    public struct Renaming: Sendable, Hashable {
        /// The old name.
        public var from: String
        /// The new name.
        public var to: String
    }

    /// A source that was excluded for a type because it writes day totals (Semantics §1.11).
    public struct DayTotals: Sendable, Hashable {
        /// The type identifier.
        public var type: String
        /// The name of the source.
        public var source: String
        /// The bundle identifier of the source.
        public var bundleIdentifier: String
    }

    /// Which changes the import could make.
    public var kind: Kind = .snapshot
    /// The counts of Record elements, including nested ones, of Audiogram and VisionPrescription
    /// elements, of electrocardiograms, which are files, and of clinical records that are samples.
    public var records = Tally()
    /// The counts of Correlation elements.
    public var correlations = Tally()
    /// The counts of Workout elements.
    public var workouts = Tally()
    /// The counts of ActivitySummary elements.
    public var activitySummaries = Tally()
    /// The number of samples of earlier imports that this export no longer contains.
    public var vanished = 0
    /// The number of samples replaced by a higher version with the same sync identifier.
    public var replaced = 0
    /// The number of records that differ from a stored sample or belong to a deleted one, and of
    /// samples with other members, which an addition or partial import left as they were.
    public var notApplied = 0
    /// The number of samples of this file that are in the store, by type identifier.
    public var types: [String: Int] = [:]
    /// Equal records, by type and source.
    public var equalRecords: [EqualRecords] = []
    /// Sources that appear under a new name.
    public var renamed: [Renaming] = []
    /// Sources of day totals that this import excluded.
    public var dayTotals: [DayTotals] = []

    /// Creates an outcome of zeros.
    package init() {}

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
