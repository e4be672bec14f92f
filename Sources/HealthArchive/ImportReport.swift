public import HealthStorage

/// All that an import has to say, for a person and for scripts.
public struct ImportReport: Sendable {
    /// A quantity that several sources recorded, with what adding them up would have given.
    public struct Inflation: Sendable, Hashable {
        /// "stepCount".
        public var type: String
        public var unit: String
        public var naive: Double
        public var merged: Double
    }

    /// An element that was wrong by itself, and where it stands.
    public struct QuarantinePlace: Sendable, Hashable {
        /// The byte of the xml at which the element begins.
        public var offset: Int64
        public var element: String
        public var reason: String
    }

    /// The file's name, without its folder.
    public var file: String
    /// "2026-05-30T16:32:18-07:00" as reference seconds and offset; nil if the file doesn't say.
    public var exportDate: Double?
    public var exportOffset: Int?
    public var locale: String?
    /// The size of the xml.
    public var bytes: Int64
    public var seconds: Double
    public var homeZone: HomeZone
    public var outcome: SnapshotOutcome
    /// Elements by name, wherever they stand. Of records, correlations, workouts and days of rings
    /// there are as many as were read, were ``cutShort`` or are ``superseded``.
    public var elements: [String: Int]
    /// Elements by name that the end of the file cut short, and whole records in them: not imported.
    public var cutShort: [String: Int]
    /// Days of rings that a later element of the file says again, which counts instead.
    public var superseded: Int
    public var repairs: [String: Int]
    public var unknownElements: [String: Int]
    public var unknownAttributes: [String: Int]
    public var unknownTypes: [String: Int]
    public var unknownUnits: [String: Int]
    public var unknownValues: [String: Int]
    /// Known elements kept as text until a later version reads them.
    public var untyped: [String: Int]
    /// Why records were quarantined.
    public var quarantineReasons: [String: Int]
    /// Where the first of them stand: up to twenty.
    public var quarantinePlaces: [QuarantinePlace]
    /// Places where an element, its beginning or its end was lost to damage, and the byte of the xml
    /// where the first one is.
    public var lost: Int
    public var firstLoss: Int64?
    /// The byte of the xml where the file broke off; nil if it ended as it should.
    public var truncatedAt: Int64?
    /// The route files that workouts name.
    public var routes: RouteTally
    /// Electrocardiograms, clinical records, attachments and the clinical document.
    public var files: CompanionTally
    /// Files of the export beside its records that this version leaves alone, by folder.
    public var companions: [String: Int]

    // What the store holds afterwards.

    /// The first start and the latest end of all samples, in reference seconds.
    public var period: (first: Double, last: Double)?
    public var sources: [SourceSummary]
    public var inflations: [Inflation]
    /// Why the three above are missing though the import is done; nil where they are there.
    public var contentsFailure: String?

    /// Whether every element of the file was read, and ended where the file says.
    public var isWhole: Bool { lost == 0 && truncatedAt == nil }
}
