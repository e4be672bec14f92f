/// What an export says before its records.
public struct ExportHeader: Hashable, Sendable {
    /// Language and region of the phone: "en_US".
    public var locale: String
    /// Reference seconds.
    public var exportDate: Double
    /// Seconds east of UTC. Every date of the file is printed with it, whatever the season.
    public var offset: Int
    /// The attributes of `Me` by name. Those Apple always writes are filled up as not set.
    public var characteristics: [String: String]
    /// How much of what the phone or store holds is in the file.
    public var extent: Extent

    /// A part says neither when it was made nor whose it is: an import that knew its date would take
    /// all that is missing for deleted.
    public enum Extent: Hashable, Sendable {
        case everything, part
    }

    public init(
        locale: String, exportDate: Double, offset: Int, characteristics: [String: String] = [:],
        extent: Extent = .everything
    ) {
        self.locale = locale
        self.exportDate = exportDate
        self.offset = offset
        self.characteristics = characteristics
        self.extent = extent
    }
}

/// What an ``ExportWriter`` wrote and what it could not.
public struct ExportTally: Hashable, Sendable {
    /// Elements by name: `["Record": 1_000_000, "Workout": 212]`. `Record` counts also those inside
    /// correlations and workouts.
    public var elements: [String: Int] = [:]
    /// Route files by name, in the order written.
    public var routeFiles: [String] = []
    /// Characters XML cannot hold, written as U+FFFD.
    public var replacedCharacters = 0
    /// Samples left out since their dates or value are no writable numbers, or since they name no
    /// source, origin or metadata of their batch, by type code.
    public var unwritable: [Int32: Int] = [:]
    /// Samples left out since no element is known for their type, by type code.
    public var unknownTypes: [Int32: Int] = [:]
    /// Category values written as a number since the catalogue has no name for them.
    public var unnamedValues = 0
    /// Routes whose points found no place to be written to.
    public var routesWithoutFile = 0
    /// Routes that name a file, and have no points.
    public var routesWithoutPoints = 0
    /// Routes that were samples of their own, written within their workouts.
    public var savedRoutes = 0
    /// Points of routes without a time or a place that a file could say.
    public var routePointsLeftOut = 0
    /// Names that another route file had already.
    public var renamedFiles: [String] = []

    public init() {}
}
