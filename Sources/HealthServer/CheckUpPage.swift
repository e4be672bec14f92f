public import Foundation
public import HealthDashboard
public import HealthEngine

/// What looks wrong in a store, and what to do about it.
public struct CheckUpPage: Page, Hashable {
    public static let path = "/check-up"
    public static let title = "Check-up"

    /// What kind of thing it is.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        /// A source that wrote regularly and then stopped.
        case silentSource
        /// A source that writes one total a day and is set aside.
        case dayTotals
        /// A day or a reading that no body can have.
        case impossibleValue
        /// Two trackers that record the same time again and again.
        case twoTrackers
        /// A sample of the future, of a time before 2000, or written down long before it began.
        case clockJump
        /// Elements that an import could not take.
        case quarantined

        /// "Silent source".
        public var title: String {
            switch self {
            case .silentSource: "Silent source"
            case .dayTotals: "Day totals"
            case .impossibleValue: "Impossible value"
            case .twoTrackers: "Two trackers at once"
            case .clockJump: "Clock jump"
            case .quarantined: "Not understood"
            }
        }
    }

    /// One thing to look at.
    public struct Finding: Codable, Sendable, Hashable {
        public var kind: Kind
        /// What it is: "Watch wrote steps on 24 of 28 days, then stopped 12 days ago."
        public var sentence: String
        /// The first day it concerns; nil where it has none.
        public var since: CivilDate?
        /// The words of the type, "steps"; nil where it is about no single one.
        public var type: String?
        /// The source's name; nil where it is about no single one.
        public var source: String?
        /// How many days, samples or elements it is about.
        public var count: Int
        /// What to do, in a sentence.
        public var advice: String
        /// A command that does it or shows more; nil where none can help.
        public var command: String?
        /// A page that shows more: "/why?metric=stepCount&day=2024-03-10".
        public var link: String?

        public init(
            kind: Kind, sentence: String, since: CivilDate? = nil, type: String? = nil,
            source: String? = nil, count: Int, advice: String, command: String? = nil,
            link: String? = nil
        ) {
            self.kind = kind
            self.sentence = sentence
            self.since = since
            self.type = type
            self.source = source
            self.count = count
            self.advice = advice
            self.command = command
            self.link = link
        }
    }

    public var freshness: Freshness
    /// Where days begin: "Europe/Berlin".
    public var timeZone: String
    public var sentence: String
    /// By kind in the order of ``Kind``, the newest first inside each.
    public var findings: [Finding]
    /// The time that was looked at day by day; nil for an empty store.
    public var examined: DateInterval?
    /// What was looked at and how far back, a sentence each.
    public var notes: [String]

    public init(
        freshness: Freshness, timeZone: String, sentence: String, findings: [Finding],
        examined: DateInterval?, notes: [String] = []
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.sentence = sentence
        self.findings = findings
        self.examined = examined
        self.notes = notes
    }
}
