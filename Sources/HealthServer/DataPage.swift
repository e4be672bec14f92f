public import Foundation
public import HealthDashboard
public import HealthEngine

/// What the store holds and how it came there.
public struct DataPage: Page, Hashable {
    public static let path = "/data"
    public static let title = "Data"

    /// One export that was read.
    public struct Import: Codable, Sendable, Hashable {
        /// What became of the elements of one kind: read is the sum of all others.
        public struct Tally: Codable, Sendable, Hashable {
            /// "records", "workouts", "correlations", "activity summaries".
            public var kind: String
            public var read: Int
            public var new: Int
            public var unchanged: Int
            public var changed: Int
            public var repeated: Int
            public var quarantined: Int

            public init(
                kind: String, read: Int, new: Int, unchanged: Int, changed: Int, repeated: Int,
                quarantined: Int
            ) {
                self.kind = kind
                self.read = read
                self.new = new
                self.unchanged = unchanged
                self.changed = changed
                self.repeated = repeated
                self.quarantined = quarantined
            }
        }

        /// The file's name, without its folder.
        public var file: String
        /// When the phone made it; nil if the file doesn't say.
        public var exportDate: Date?
        public var importedAt: Date
        /// "snapshot", "addition" or "partial".
        public var kind: String
        /// What that means, in words.
        public var kindText: String
        public var bytes: Int64
        public var sizeText: String
        /// Those kinds of which something was read, records first.
        public var tallies: [Tally]
        /// Samples of earlier imports that this one no longer held.
        public var vanished: Int

        public init(
            file: String, exportDate: Date?, importedAt: Date, kind: String, kindText: String,
            bytes: Int64, sizeText: String, tallies: [Tally], vanished: Int
        ) {
            self.file = file
            self.exportDate = exportDate
            self.importedAt = importedAt
            self.kind = kind
            self.kindText = kindText
            self.bytes = bytes
            self.sizeText = sizeText
            self.tallies = tallies
            self.vanished = vanished
        }
    }

    /// One type of sample.
    public struct TypeRow: Codable, Sendable, Hashable {
        /// "stepCount".
        public var name: String
        /// "steps".
        public var words: String
        /// The unit of its statistics; nil where there are none.
        public var unit: String?
        public var samples: Int
        public var first: CivilDate
        public var last: CivilDate
        /// Where it is drawn: "/trends?metric=stepCount"; nil for what has no values.
        public var link: String?

        public init(
            name: String, words: String, unit: String?, samples: Int, first: CivilDate,
            last: CivilDate, link: String?
        ) {
            self.name = name
            self.words = words
            self.unit = unit
            self.samples = samples
            self.first = first
            self.last = last
            self.link = link
        }
    }

    /// One source of samples.
    public struct SourceRow: Codable, Sendable, Hashable {
        public var name: String
        public var bundleIdentifier: String
        /// In the default order over all types.
        public var rank: Int
        /// How many it wrote.
        public var samples: Int
        public var first: CivilDate
        public var last: CivilDate
        /// The words of the types that it does not count for, with the reason.
        public var excludedFrom: [Exclusion]

        public init(
            name: String, bundleIdentifier: String, rank: Int, samples: Int,
            first: CivilDate, last: CivilDate, excludedFrom: [Exclusion] = []
        ) {
            self.name = name
            self.bundleIdentifier = bundleIdentifier
            self.rank = rank
            self.samples = samples
            self.first = first
            self.last = last
            self.excludedFrom = excludedFrom
        }
    }

    /// A type that a source does not count for.
    public struct Exclusion: Codable, Sendable, Hashable {
        /// "stepCount".
        public var type: String
        /// "steps".
        public var words: String
        /// "it writes day totals".
        public var reason: String

        public init(type: String, words: String, reason: String) {
            self.type = type
            self.words = words
            self.reason = reason
        }
    }

    /// What one program may do.
    public struct Grant: Codable, Sendable, Hashable {
        /// Its bundle identifier.
        public var program: String
        /// The words of the types, in order.
        public var reads: [String]
        public var saves: [String]
        /// Types it asked for and was not given.
        public var denied: [String]

        public init(program: String, reads: [String], saves: [String], denied: [String]) {
            self.program = program
            self.reads = reads
            self.saves = saves
            self.denied = denied
        }
    }

    public var freshness: Freshness
    /// Where days begin: "Europe/Berlin".
    public var timeZone: String
    /// How that is known: "you said so", "most records name it".
    public var timeZoneReason: String
    public var sentence: String
    /// The newest first.
    public var imports: [Import]
    /// Those with most samples first.
    public var types: [TypeRow]
    /// In order of rank.
    public var sources: [SourceRow]
    public var grants: [Grant]
    public var samples: Int
    /// The store's file with what SQLite keeps beside it.
    public var bytes: Int64
    public var sizeText: String
    /// The store's file name, without its folder.
    public var file: String

    public init(
        freshness: Freshness, timeZone: String, timeZoneReason: String, sentence: String,
        imports: [Import], types: [TypeRow], sources: [SourceRow], grants: [Grant], samples: Int,
        bytes: Int64, sizeText: String, file: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.timeZoneReason = timeZoneReason
        self.sentence = sentence
        self.imports = imports
        self.types = types
        self.sources = sources
        self.grants = grants
        self.samples = samples
        self.bytes = bytes
        self.sizeText = sizeText
        self.file = file
    }
}
