#if !canImport(Darwin)
    public import Foundation

    /// Foundation's formatter of durations, which Foundation on Linux declares and lacks.
    ///
    /// ```
    /// let formatter = DateComponentsFormatter()
    /// formatter.string(from: 3909)             // "1:05:09"
    /// formatter.unitsStyle = .abbreviated
    /// formatter.string(from: 3909)             // "1h 5m 9s"
    /// ```
    ///
    /// The words are English whatever the locale; the calendar's locale groups the digits. What is
    /// smaller than the smallest unit is cut off. Durations beyond 3,000 years, and those that are
    /// no number, have no text: the result is nil. `allowsFractionalUnits` is kept and changes
    /// nothing.
    // Its state is one locked value.
    open class DateComponentsFormatter: Formatter, @unchecked Sendable {
        /// How much of a unit's name is written.
        public enum UnitsStyle: Int, Sendable {
            /// `1:05:09`, days and longer units before it: `2d 1:05:09`.
            case positional
            /// `1h 5m 9s`.
            case abbreviated
            /// `1 hr, 5 min, 9 sec`.
            case short
            /// `1 hour, 5 minutes, 9 seconds`.
            case full
            /// `one hour, five minutes, nine seconds`.
            case spellOut
            /// `1hr 5min 9sec`.
            case brief
        }

        /// What becomes of units whose value is zero.
        public struct ZeroFormattingBehavior: OptionSet, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// Positional: leading zeros go, others stay with two digits; other styles: all go.
            public static let `default` = Self(rawValue: 1)
            /// `10m` instead of `0h 10m`.
            public static let dropLeading = Self(rawValue: 1 << 1)
            /// `1h 10s` instead of `1h 0m 10s`.
            public static let dropMiddle = Self(rawValue: 1 << 2)
            /// `1h` instead of `1h 0m`.
            public static let dropTrailing = Self(rawValue: 1 << 3)
            /// No unit that is zero, but the smallest one if all are.
            public static let dropAll: Self = [.dropLeading, .dropMiddle, .dropTrailing]
            /// Two digits for hours, minutes and seconds of the positional style: `01:00:10`.
            public static let pad = Self(rawValue: 1 << 16)
        }

        private let state = Locked(DurationFormat())

        /// A positional formatter of all units.
        public override init() { super.init() }

        /// A formatter as ``init()`` makes it: settings have no archived form.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// How much of a unit's name is written; positional at first.
        open var unitsStyle: UnitsStyle {
            get { state { $0.style } }
            set { state { $0.style = newValue } }
        }

        /// Years, months, `weekOfMonth`, days, hours, minutes and seconds to choose from; empty, as
        /// at first, for all. Other units count as not there.
        open var allowedUnits: NSCalendar.Unit {
            get { state { $0.allowedUnits } }
            set { state { $0.allowedUnits = newValue } }
        }

        /// What becomes of units whose value is zero.
        open var zeroFormattingBehavior: ZeroFormattingBehavior {
            get { state { $0.zeros } }
            set { state { $0.zeros = newValue } }
        }

        /// The calendar whose months and days count; the Gregorian one in GMT for nil.
        open var calendar: Calendar? {
            get { state { $0.calendar } }
            set { state { $0.calendar = newValue } }
        }

        /// When durations begin, since months differ in length; 1 January 2001 for nil.
        open var referenceDate: Date? {
            get { state { $0.referenceDate } }
            set { state { $0.referenceDate = newValue } }
        }

        /// Kept, and without effect.
        open var allowsFractionalUnits: Bool {
            get { state { $0.allowsFractionalUnits } }
            set { state { $0.allowsFractionalUnits = newValue } }
        }

        /// How many units are written, the largest first: of `1h 10m 30s` two are `1h 10m`. No
        /// limit for 0 and less.
        open var maximumUnitCount: Int {
            get { state { $0.maximumUnitCount } }
            set { state { $0.maximumUnitCount = newValue } }
        }

        /// Whether a largest unit of one is counted in the next: `63s` instead of `1m 3s`.
        open var collapsesLargestUnit: Bool {
            get { state { $0.collapsesLargestUnit } }
            set { state { $0.collapsesLargestUnit = newValue } }
        }

        /// Whether the text begins with "About".
        open var includesApproximationPhrase: Bool {
            get { state { $0.includesApproximationPhrase } }
            set { state { $0.includesApproximationPhrase = newValue } }
        }

        /// Whether the text ends with "remaining".
        open var includesTimeRemainingPhrase: Bool {
            get { state { $0.includesTimeRemainingPhrase } }
            set { state { $0.includesTimeRemainingPhrase = newValue } }
        }

        /// Where the text will stand: within a sentence it is "about", else "About".
        open var formattingContext: Formatter.Context {
            get { state { $0.context } }
            set { state { $0.context = newValue } }
        }

        /// The text of a duration in components, `DateComponents(minute: 90)` as `1:30:00`.
        open func string(from components: DateComponents) -> String? {
            state { $0 }.text(components)
        }

        /// The text of the time from one date to another; with a minus before it if the second
        /// comes first.
        open func string(from startDate: Date, to endDate: Date) -> String? {
            state { $0 }.text(from: startDate, to: endDate)
        }

        /// The text of so many seconds; with a minus before it if they are negative.
        open func string(from ti: TimeInterval) -> String? {
            let format = state { $0 }
            return format.text(from: format.start, to: format.start.addingTimeInterval(ti))
        }

        /// The text of `DateComponents`; nil for anything else.
        open override func string(for obj: Any?) -> String? {
            (obj as? DateComponents).flatMap { string(from: $0) }
        }

        /// The text of a duration in components with a style and no other setting.
        open class func localizedString(
            from components: DateComponents, unitsStyle: UnitsStyle
        ) -> String? {
            let formatter = DateComponentsFormatter()
            formatter.unitsStyle = unitsStyle
            return formatter.string(from: components)
        }
    }
#endif
