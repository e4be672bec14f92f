package import Foundation
package import HealthDashboard
package import HealthEngine

/// An explanation of a day's amount: what each source recorded, and what of it counted.
///
/// The contributed amounts of all ``sources`` add up to ``merged``, and together with their
/// duplicates to ``naive``. The same is true of the rounded numbers in the texts.
package struct WhyPage: Page, Hashable {
    /// The address of the page.
    package static let path = "/why"
    /// The title of the page.
    package static let title = "Why this number"

    /// An interval in which a source recorded. Its end equals its start for an instant.
    package struct Span: Codable, Sendable, Hashable {
        /// The start of the interval.
        package var start: Date
        /// The end of the interval.
        package var end: Date

        package init(start: Date, end: Date) {
            self.start = start
            self.end = end
        }
    }

    /// An interval in which a source counted, with its amount. If a source has more than 600 of
    /// them, close ones are joined.
    package struct Counted: Codable, Sendable, Hashable {
        /// The start of the interval.
        package var start: Date
        /// The end of the interval.
        package var end: Date
        /// The amount in the page's unit.
        package var value: Double

        package init(start: Date, end: Date, value: Double) {
            self.start = start
            self.end = end
            self.value = value
        }
    }

    /// A row of the page's chart: an included source with data on the day, even if all of it is
    /// duplicate.
    package struct SourceRow: Codable, Sendable, Hashable {
        /// The name of the source.
        package var source: String
        /// The bundle identifier of the source.
        package var bundleIdentifier: String
        /// The rank among the day's included sources. Rank 1 has the highest priority. The rank
        /// determines the source's colour.
        package var rank: Int
        /// The number of the source's samples that touch the day.
        package var samples: Int
        /// The counted part of its samples, in the page's unit.
        package var contributed: Double
        /// The duplicates: the part that overlaps sources of higher priority, in the page's unit.
        package var duplicate: Double
        /// The contributed amount as text, such as "6,120". These numbers add up to
        /// ``WhyPage/mergedText``.
        package var contributedText: String
        /// The duplicates as text.
        package var duplicateText: String
        /// The whole recorded amount as text.
        package var recordedText: String
        /// The recorded intervals in order, counted or not. Adjacent and overlapping samples are
        /// joined; of more than 600 intervals, close ones are joined too.
        package var recorded: [Span]
        /// The counted intervals in order.
        package var counted: [Counted]
        /// The order that raises the source by one rank, as in ``Proposal/order``; nil at the
        /// top.
        package var raised: [String]?
        /// The order that lowers the source by one rank; nil at the bottom.
        package var lowered: [String]?

        /// The whole recorded amount, in the page's unit.
        package var recordedValue: Double { contributed + duplicate }

        private enum CodingKeys: String, CodingKey {
            case source, bundleIdentifier, rank, samples, contributed
            case duplicate = "setAside"
            case contributedText
            case duplicateText = "setAsideText"
            case recordedText, recorded, counted, raised, lowered
        }

        package init(
            source: String, bundleIdentifier: String, rank: Int, samples: Int, contributed: Double,
            duplicate: Double, contributedText: String, duplicateText: String, recordedText: String,
            recorded: [Span], counted: [Counted], raised: [String]? = nil,
            lowered: [String]? = nil
        ) {
            self.source = source
            self.bundleIdentifier = bundleIdentifier
            self.rank = rank
            self.samples = samples
            self.contributed = contributed
            self.duplicate = duplicate
            self.contributedText = contributedText
            self.duplicateText = duplicateText
            self.recordedText = recordedText
            self.recorded = recorded
            self.counted = counted
            self.raised = raised
            self.lowered = lowered
        }
    }

    /// A source with data on the day that is excluded.
    package struct Excluded: Codable, Sendable, Hashable {
        /// The name of the source.
        package var source: String
        /// The bundle identifier of the source.
        package var bundleIdentifier: String
        /// The number of the source's samples that touch the day.
        package var samples: Int
        /// The recorded amount, in the page's unit.
        package var recorded: Double
        /// The recorded amount as text.
        package var recordedText: String
        /// The reason: "it writes daily totals", "you excluded it" or "excluded in this preview".
        package var reason: String
        /// The command that includes it again, such as "openhealth sources include stepCount
        /// com.example.counter"; nil if it is excluded only in this preview.
        package var command: String?

        package init(
            source: String, bundleIdentifier: String, samples: Int, recorded: Double,
            recordedText: String, reason: String, command: String? = nil
        ) {
            self.source = source
            self.bundleIdentifier = bundleIdentifier
            self.samples = samples
            self.recorded = recorded
            self.recordedText = recordedText
            self.reason = reason
            self.command = command
        }
    }

    /// The effect of a proposal that isn't saved: the page shows the proposal's amounts.
    package struct Preview: Codable, Sendable, Hashable {
        /// The day's amount with the saved source order and exclusions.
        package var saved: Double
        /// The saved amount as text.
        package var savedText: String
        /// The difference of the page's amount from the saved one as text: "+312", "-1,040", "no
        /// change".
        package var differenceText: String
        /// The commands that save the proposal, such as "openhealth sources order stepCount
        /// iPhone Watch".
        package var commands: [String]

        package init(saved: Double, savedText: String, differenceText: String, commands: [String]) {
            self.saved = saved
            self.savedText = savedText
            self.differenceText = differenceText
            self.commands = commands
        }
    }

    /// The result of a calibration: the source order and exclusions that best reproduce the Health
    /// app's amounts.
    package struct CalibrationResult: Codable, Sendable, Hashable {
        /// A day of the calibration.
        package struct Day: Codable, Sendable, Hashable {
            /// The day.
            package var day: CivilDate
            /// The amount that the Health app shows, such as "8,432".
            package var shownText: String
            /// The amount with the saved setting.
            package var currentText: String
            /// The difference of that amount from the Health app's: "fits", "+200".
            package var currentOffText: String
            /// The amount with the best setting.
            package var bestText: String
            /// The difference of that amount from the Health app's: "fits", "+200".
            package var bestOffText: String

            package init(
                day: CivilDate, shownText: String, currentText: String, currentOffText: String,
                bestText: String, bestOffText: String
            ) {
                self.day = day
                self.shownText = shownText
                self.currentText = currentText
                self.currentOffText = currentOffText
                self.bestText = bestText
                self.bestOffText = bestOffText
            }
        }

        /// The result in one sentence.
        package var sentence: String
        /// The days that were compared, in order.
        package var days: [Day]
        /// Caveats, such as other settings that fit as well, one short paragraph each.
        package var notes: [String]
        /// The proposal to preview; nil if the saved setting is the best one.
        package var proposal: Proposal?
        /// The commands that save the setting; empty if there is nothing to change.
        package var commands: [String]

        private enum CodingKeys: String, CodingKey {
            case sentence, days, notes
            case proposal = "arrangement"
            case commands
        }

        package init(
            sentence: String, days: [Day], notes: [String], proposal: Proposal?,
            commands: [String]
        ) {
            self.sentence = sentence
            self.days = days
            self.notes = notes
            self.proposal = proposal
            self.commands = commands
        }
    }

    /// When the page's data was read, and whether it is current.
    package var freshness: Freshness
    /// The IANA time zone of the day, such as "Europe/Berlin".
    package var timeZone: String
    /// The summary in one sentence.
    package var sentence: String
    /// The metric that is explained.
    package var metric: Metric
    /// The short name, as in `metric=`: "stepCount".
    package var name: String
    /// The day that is explained.
    package var day: CivilDate
    /// The interval of the day, usually of 24 hours, or of 23 or 25 if clocks change.
    package var interval: DateInterval
    /// The unit of the amounts, such as "km". A "%" means a share of 1 in numbers, and of 100 in
    /// texts.
    package var unit: String
    /// The included sources with data on the day, by rank.
    package var sources: [SourceRow]
    /// The day's amount without double counting.
    package var merged: Double
    /// The day's amount as text.
    package var mergedText: String
    /// Apple's total, if it is the answer for the day because it is larger than ``merged``;
    /// otherwise nil.
    package var appleTotal: AppleTotal?
    /// The sum of the duplicates as text.
    package var duplicateText: String
    /// The sum of all recorded amounts with duplicates, without excluded sources.
    package var naive: Double
    /// That sum as text.
    package var naiveText: String
    /// The excluded sources with data on the day.
    package var excluded: [Excluded]
    /// The number of samples of the day that can't be counted because of an unknown unit or an
    /// invalid time or value.
    package var skipped: Int
    /// The bundle identifiers of the day's included sources, highest priority first, as in
    /// `order=`.
    package var order: [String]
    /// The changes that the page shows to the saved source order and exclusions; empty if there
    /// are none.
    package var proposal = Proposal()
    /// The effect of the proposal; nil if it is empty.
    package var preview: Preview?
    /// The rows of the calibration form.
    package var calibrationForm = CalibrationForm()
    /// The result of the calibration; nil if nothing was compared.
    package var calibration: CalibrationResult?
    /// Options that select the store, such as " --as Anna".
    package internal(set) var commandOptions = ""

    /// Whether the page shows a proposal that is not saved.
    package var isPreview: Bool { preview != nil }

    private enum CodingKeys: String, CodingKey {
        case freshness, timeZone, sentence, metric, name, day, interval, unit
        case sources = "lanes"
        case merged, mergedText
        case appleTotal = "fromTotals"
        case duplicateText = "setAsideText"
        case naive, naiveText, excluded, skipped, order
        case proposal = "arrangement"
        case preview
        case calibrationForm = "typed"
        case calibration, commandOptions
    }

    package init(
        freshness: Freshness, timeZone: String, sentence: String, metric: Metric, name: String,
        day: CivilDate, interval: DateInterval, unit: String, sources: [SourceRow], merged: Double,
        mergedText: String, duplicateText: String, naive: Double, naiveText: String,
        excluded: [Excluded] = [], skipped: Int = 0, order: [String], preview: Preview? = nil,
        calibration: CalibrationResult? = nil
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.sentence = sentence
        self.metric = metric
        self.name = name
        self.day = day
        self.interval = interval
        self.unit = unit
        self.sources = sources
        self.merged = merged
        self.mergedText = mergedText
        self.duplicateText = duplicateText
        self.naive = naive
        self.naiveText = naiveText
        self.excluded = excluded
        self.skipped = skipped
        self.order = order
        self.preview = preview
        self.calibration = calibration
    }
}
