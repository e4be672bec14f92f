public import Foundation
public import HealthDashboard
public import HealthEngine

/// Why a day's number is what it is: what each source recorded, and what of it counted.
///
/// Over all lanes the contributed amounts add up to ``merged``, contributed and set aside together to
/// ``naive``, and so do the whole numbers of the texts.
public struct WhyPage: Page, Hashable {
    public static let path = "/why"
    public static let title = "Why this number"

    /// A time in which a source recorded; an instant's start is its end.
    public struct Span: Codable, Sendable, Hashable {
        public var start: Date
        public var end: Date

        public init(start: Date, end: Date) {
            self.start = start
            self.end = end
        }
    }

    /// An unbroken time in which a source counted, and how much.
    public struct Counted: Codable, Sendable, Hashable {
        public var start: Date
        public var end: Date
        public var value: Double

        public init(start: Date, end: Date, value: Double) {
            self.start = start
            self.end = end
            self.value = value
        }
    }

    /// A source that takes part.
    public struct Lane: Codable, Sendable, Hashable {
        /// Its name.
        public var source: String
        public var bundleIdentifier: String
        /// Among the sources of the day, 1 wins over 2; what gives it its colour.
        public var rank: Int
        public var samples: Int
        /// What of its samples counted, in the page's unit.
        public var contributed: Double
        /// What sources above it had counted already.
        public var setAside: Double
        /// "6,120"; the lanes' texts add up to the page's.
        public var contributedText: String
        public var setAsideText: String
        public var recordedText: String
        /// When it recorded, counted or not, in order; touching samples are one.
        public var recorded: [Span]
        /// When it counted, in order.
        public var counted: [Counted]
        /// The ``WhyPage/order`` that would put it one place higher; nil at the top.
        public var raised: [String]?
        /// The order that would put it one place lower; nil at the bottom.
        public var lowered: [String]?

        /// What it recorded in all.
        public var recordedValue: Double { contributed + setAside }

        public init(
            source: String, bundleIdentifier: String, rank: Int, samples: Int, contributed: Double,
            setAside: Double, contributedText: String, setAsideText: String, recordedText: String,
            recorded: [Span], counted: [Counted], raised: [String]? = nil,
            lowered: [String]? = nil
        ) {
            self.source = source
            self.bundleIdentifier = bundleIdentifier
            self.rank = rank
            self.samples = samples
            self.contributed = contributed
            self.setAside = setAside
            self.contributedText = contributedText
            self.setAsideText = setAsideText
            self.recordedText = recordedText
            self.recorded = recorded
            self.counted = counted
            self.raised = raised
            self.lowered = lowered
        }
    }

    /// A source that recorded on the day but takes no part.
    public struct Excluded: Codable, Sendable, Hashable {
        public var source: String
        public var bundleIdentifier: String
        public var samples: Int
        public var recorded: Double
        public var recordedText: String
        /// "it writes day totals", "you chose to leave it out".
        public var reason: String
        /// What takes it back, "openhealth sources include stepCount DayCounter"; nil where it is left
        /// out in a preview alone.
        public var command: String?

        public init(
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

    /// What an arrangement that isn't saved would change.
    public struct Preview: Codable, Sendable, Hashable {
        /// What the day counts as it is saved.
        public var saved: Double
        public var savedText: String
        /// "+312", "-1,040", "no change".
        public var differenceText: String
        /// What saves it, a command each: "openhealth sources order stepCount iPhone Watch".
        public var commands: [String]

        public init(saved: Double, savedText: String, differenceText: String, commands: [String]) {
            self.saved = saved
            self.savedText = savedText
            self.differenceText = differenceText
            self.commands = commands
        }
    }

    /// Which setting gives what a person's Health app shows.
    public struct Calibrated: Codable, Sendable, Hashable {
        /// One day that was given.
        public struct Day: Codable, Sendable, Hashable {
            public var day: CivilDate
            /// "8,432": what the app shows.
            public var shownText: String
            /// What the setting in force gives, and by how much it is off: "fits", "+200".
            public var currentText: String
            public var currentOffText: String
            /// What the setting found gives.
            public var bestText: String
            public var bestOffText: String

            public init(
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

        public var sentence: String
        public var days: [Day]
        /// Ties, and what these days leave open; a sentence each.
        public var notes: [String]
        /// What to look at before it is saved; nil where the setting in force is the best one.
        public var arrangement: Arrangement?
        /// What adopts the setting, a command each; empty where there is nothing to adopt.
        public var commands: [String]

        public init(
            sentence: String, days: [Day], notes: [String], arrangement: Arrangement?,
            commands: [String]
        ) {
            self.sentence = sentence
            self.days = days
            self.notes = notes
            self.arrangement = arrangement
            self.commands = commands
        }
    }

    public var freshness: Freshness
    /// Where the day begins: "Europe/Berlin".
    public var timeZone: String
    public var sentence: String
    public var metric: Metric
    /// The name that `metric=` takes: "stepCount".
    public var name: String
    public var day: CivilDate
    /// The day's 23, 24 or 25 hours.
    public var interval: DateInterval
    /// "km"; of all amounts.
    public var unit: String
    /// In order of rank.
    public var lanes: [Lane]
    /// Every moment counted once.
    public var merged: Double
    public var mergedText: String
    /// What was recorded twice.
    public var setAsideText: String
    /// Every sample added up, excluded sources left out.
    public var naive: Double
    public var naiveText: String
    public var excluded: [Excluded]
    /// Samples that could take no part: a unit that is unknown, times that make no sense.
    public var skipped: Int
    /// The bundle identifiers of the lanes' sources, the winner first: what `order=` takes.
    public var order: [String]
    /// What is shown otherwise than it is saved; empty where nothing is.
    public var arrangement = Arrangement()
    /// Set where what is shown is not what is saved.
    public var preview: Preview?
    /// What was typed of the person's Health app.
    public var typed = Typed()
    /// Set where a person has given what their Health app shows.
    public var calibration: Calibrated?
    /// What leads a command to the store: " --as Anna".
    public internal(set) var commandOptions = ""

    /// Whether what is shown is not what is saved.
    public var isPreview: Bool { preview != nil }

    public init(
        freshness: Freshness, timeZone: String, sentence: String, metric: Metric, name: String,
        day: CivilDate, interval: DateInterval, unit: String, lanes: [Lane], merged: Double,
        mergedText: String, setAsideText: String, naive: Double, naiveText: String,
        excluded: [Excluded] = [], skipped: Int = 0, order: [String], preview: Preview? = nil,
        calibration: Calibrated? = nil
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.sentence = sentence
        self.metric = metric
        self.name = name
        self.day = day
        self.interval = interval
        self.unit = unit
        self.lanes = lanes
        self.merged = merged
        self.mergedText = mergedText
        self.setAsideText = setAsideText
        self.naive = naive
        self.naiveText = naiveText
        self.excluded = excluded
        self.skipped = skipped
        self.order = order
        self.preview = preview
        self.calibration = calibration
    }
}
