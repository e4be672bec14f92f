package import Foundation
package import HealthDashboard
package import HealthEngine

/// The contents of a store and its imports.
package struct DataPage: Page, Hashable {
    /// The address of the page.
    package static let path = "/data"
    /// The title of the page.
    package static let title = "Data"

    /// An import of an export.
    package struct Import: Codable, Sendable, Hashable {
        /// The outcome for one kind of element. `read` is the sum of the other counts.
        package struct Tally: Codable, Sendable, Hashable {
            /// The kind: "records", "workouts", "correlations" or "activity summaries".
            package var kind: String
            /// The number of elements read.
            package var read: Int
            /// The number of elements that were new to the store.
            package var new: Int
            /// The number of elements whose sample was already in the store, or whose differences
            /// the import didn't apply.
            package var unchanged: Int
            /// The number of elements that changed a stored sample.
            package var changed: Int
            /// The number of elements that repeat an earlier one of the file.
            package var repeated: Int
            /// The number of invalid elements, which are kept as text.
            package var quarantined: Int

            package init(
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
        package var file: String
        /// When the export was created; nil if the file doesn't say.
        package var exportDate: Date?
        /// When the import ran.
        package var importedAt: Date
        /// The kind: "snapshot" (complete and newer than earlier ones), "addition" (complete, not
        /// newer) or "partial" (damaged).
        package var kind: String
        /// A sentence that explains the kind.
        package var kindText: String
        /// The size of the export's XML file in bytes.
        package var bytes: Int64
        /// That size as text, such as "1.2 GB".
        package var sizeText: String
        /// The outcomes for the kinds of elements that occur in the file: records, workouts,
        /// correlations, activity summaries.
        package var tallies: [Tally]
        /// The number of samples that the import removed, because the export no longer contains
        /// them.
        package var vanished: Int

        package init(
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

    /// A type with samples in the store.
    package struct TypeRow: Codable, Sendable, Hashable {
        /// The short name, such as "stepCount".
        package var name: String
        /// The display name, such as "steps".
        package var words: String
        /// The unit of its statistics; nil for sleep and other types without a unit.
        package var unit: String?
        /// The number of samples.
        package var samples: Int
        /// The day on which the earliest sample starts.
        package var first: CivilDate
        /// The day of the latest end of a sample.
        package var last: CivilDate
        /// The address of its page, such as "/type/stepCount".
        package var link: String

        package init(
            name: String, words: String, unit: String?, samples: Int, first: CivilDate,
            last: CivilDate, link: String
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

    /// A source with samples in the store.
    package struct SourceRow: Codable, Sendable, Hashable {
        /// The name of the source.
        package var name: String
        /// The bundle identifier of the source.
        package var bundleIdentifier: String
        /// The rank among these sources in the default order, which is that of types without an
        /// order of their own. Rank 1 has the highest priority.
        package var rank: Int
        /// The number of samples that the source wrote.
        package var samples: Int
        /// The day on which the earliest sample starts.
        package var first: CivilDate
        /// The day of the latest end of a sample.
        package var last: CivilDate
        /// The types whose statistics exclude the source.
        package var excludedFrom: [Exclusion]

        package init(
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

    /// A type whose statistics exclude a source.
    package struct Exclusion: Codable, Sendable, Hashable {
        /// The short name of the type, such as "stepCount".
        package var type: String
        /// The display name of the type, such as "steps".
        package var words: String
        /// The reason: "it writes daily totals" or "you excluded it".
        package var reason: String

        package init(type: String, words: String, reason: String) {
            self.type = type
            self.words = words
            self.reason = reason
        }
    }

    /// The permissions of a program that uses the store.
    package struct Grant: Codable, Sendable, Hashable {
        /// The program's identifier: a bundle identifier or, on Linux, the name of the executable.
        package var program: String
        /// The display names of the types it may read, sorted.
        package var reads: [String]
        /// The display names of the types it may save, sorted.
        package var saves: [String]
        /// The display names of the types that it may not read or not save, sorted.
        package var denied: [String]

        package init(program: String, reads: [String], saves: [String], denied: [String]) {
            self.program = program
            self.reads = reads
            self.saves = saves
            self.denied = denied
        }
    }

    /// When the page's data was read, and whether it is current.
    package var freshness: Freshness
    /// The IANA time zone that determines when days begin, such as "Europe/Berlin".
    package var timeZone: String
    /// How the time zone was determined, such as "as specified" or "the time zone of most records".
    package var timeZoneReason: String
    /// The summary in one sentence.
    package var sentence: String
    /// The imports, newest first.
    package var imports: [Import]
    /// The types, by descending number of samples.
    package var types: [TypeRow]
    /// The sources, by rank.
    package var sources: [SourceRow]
    /// The programs with a stored decision on permissions, sorted by identifier.
    package var grants: [Grant]
    /// The number of samples in the store.
    package var samples: Int
    /// The size in bytes of the store's file with SQLite's write-ahead log and shared memory.
    package var bytes: Int64
    /// The size as text, such as "1.2 GB".
    package var sizeText: String
    /// The name of the store's file, without its folder.
    package var file: String

    package init(
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
