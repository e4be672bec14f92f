#if !canImport(Darwin)
    public import Foundation
    import Synchronization

    /// A formatter of durations, for Linux, where Foundation has no working one.
    ///
    /// ```
    /// let formatter = DateComponentsFormatter()
    /// formatter.string(from: 3909)             // "1:05:09"
    /// formatter.unitsStyle = .abbreviated
    /// formatter.string(from: 3909)             // "1h 5m 9s"
    /// ```
    ///
    /// The text is always English. The locale of the calendar determines how numbers are written.
    /// Fractions of the smallest unit are truncated. The result is nil for values that are not
    /// finite, for components of more than 3,000 years, and for dates more than 3,000 years from
    /// 2001. `allowsFractionalUnits` is stored and has no effect.
    // Sendable, because a mutex protects all state.
    open class DateComponentsFormatter: Formatter, @unchecked Sendable {
        /// The style of the units.
        public enum UnitsStyle: Int, Sendable {
            /// `1:05:09`, preceded by days and longer units: `2d 1:05:09`.
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

        /// How units with the value 0 are written.
        public struct ZeroFormattingBehavior: OptionSet, Sendable {
            /// The bits of the options.
            public let rawValue: UInt

            /// Creates options from bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// In the positional style, drops zeros before the first unit that is not 0, and zeros
            /// of days and longer units. Hours, minutes and seconds then have two digits, except
            /// the first of them. In other styles, drops all units with the value 0.
            public static let `default` = Self(rawValue: 1)
            /// `10m` instead of `0h 10m`.
            public static let dropLeading = Self(rawValue: 1 << 1)
            /// `1h 10s` instead of `1h 0m 10s`.
            public static let dropMiddle = Self(rawValue: 1 << 2)
            /// `1h` instead of `1h 0m`.
            public static let dropTrailing = Self(rawValue: 1 << 3)
            /// All units with the value 0 are dropped. If all units are 0, the smallest one is
            /// written.
            public static let dropAll: Self = [.dropLeading, .dropMiddle, .dropTrailing]
            /// Hours, minutes and seconds have two digits in the positional style: `01:00:10`.
            public static let pad = Self(rawValue: 1 << 16)
        }

        private let state = Mutex(DurationFormat())

        /// Creates a formatter with the positional style, all units and the current calendar.
        public override init() { super.init() }

        /// Creates a formatter with default settings, because settings are not archived.
        ///
        /// - Parameter coder: An unarchiver.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// The style of the units. The default is positional.
        open var unitsStyle: UnitsStyle {
            get { state.withLock { $0.style } }
            set { state.withLock { $0.style = newValue } }
        }

        /// The units that can be written: years, months, `weekOfMonth`, days, hours, minutes and
        /// seconds. Empty, the default, allows all of them. Other units are ignored.
        open var allowedUnits: NSCalendar.Unit {
            get { state.withLock { $0.allowedUnits } }
            set { state.withLock { $0.allowedUnits = newValue } }
        }

        /// How units with the value 0 are written. The default is `default`.
        open var zeroFormattingBehavior: ZeroFormattingBehavior {
            get { state.withLock { $0.zeros } }
            set { state.withLock { $0.zeros = newValue } }
        }

        /// The calendar that determines the length of months and days. The default is the current
        /// calendar. Nil stands for the Gregorian calendar in GMT.
        open var calendar: Calendar? {
            get { state.withLock { $0.calendar } }
            set { state.withLock { $0.calendar = newValue } }
        }

        /// The start of durations, on which the lengths of months depend. Nil, the default, stands
        /// for 1 January 2001, 00:00 UTC.
        open var referenceDate: Date? {
            get { state.withLock { $0.referenceDate } }
            set { state.withLock { $0.referenceDate = newValue } }
        }

        /// Stored, without effect. The default is false.
        open var allowsFractionalUnits: Bool {
            get { state.withLock { $0.allowsFractionalUnits } }
            set { state.withLock { $0.allowsFractionalUnits = newValue } }
        }

        /// The largest number of units, counted from the largest unit: with 2, `1h 10m 30s` becomes
        /// `1h 10m`. Smaller units are dropped without rounding. 0, the default, and negative
        /// numbers mean no limit.
        open var maximumUnitCount: Int {
            get { state.withLock { $0.maximumUnitCount } }
            set { state.withLock { $0.maximumUnitCount = newValue } }
        }

        /// Whether a largest unit with the value 1 is written in the next smaller unit, if the
        /// value of that unit is not 0: `63s` instead of `1m 3s`.
        open var collapsesLargestUnit: Bool {
            get { state.withLock { $0.collapsesLargestUnit } }
            set { state.withLock { $0.collapsesLargestUnit = newValue } }
        }

        /// Whether the text starts with "About" or "about" (``formattingContext``).
        open var includesApproximationPhrase: Bool {
            get { state.withLock { $0.includesApproximationPhrase } }
            set { state.withLock { $0.includesApproximationPhrase = newValue } }
        }

        /// Whether the text ends with "remaining".
        open var includesTimeRemainingPhrase: Bool {
            get { state.withLock { $0.includesTimeRemainingPhrase } }
            set { state.withLock { $0.includesTimeRemainingPhrase = newValue } }
        }

        /// The context of the text. In the middle of a sentence, "about" is lower case.
        open var formattingContext: Formatter.Context {
            get { state.withLock { $0.context } }
            set { state.withLock { $0.context = newValue } }
        }

        /// Formats a duration in components: `DateComponents(minute: 90)` as `1:30:00`.
        ///
        /// - Parameter components: The components. Time zone, weekday and similar components are
        ///   ignored.
        /// - Returns: The text; nil for more than 3,000 years, or if the end of the duration is
        ///   more than 3,000 years from 2001.
        open func string(from components: DateComponents) -> String? {
            state.withLock { $0 }.text(components)
        }

        /// Formats the time from one date to another.
        ///
        /// - Parameters:
        ///   - startDate: The start.
        ///   - endDate: The end. If it is before the start, the text starts with a minus.
        /// - Returns: The text; nil if a date is more than 3,000 years from 2001.
        open func string(from startDate: Date, to endDate: Date) -> String? {
            state.withLock { $0 }.text(from: startDate, to: endDate)
        }

        /// Formats a number of seconds, counted from ``referenceDate``.
        ///
        /// - Parameter ti: Seconds. A negative duration is written with a minus.
        /// - Returns: The text; nil if the number is not finite. Also nil if ``referenceDate``, or
        ///   the date `ti` seconds after it, is more than 3,000 years from 2001.
        open func string(from ti: TimeInterval) -> String? {
            let format = state.withLock { $0 }
            return format.text(from: format.start, to: format.start.addingTimeInterval(ti))
        }

        /// Formats a duration in components.
        ///
        /// - Parameter obj: `DateComponents`.
        /// - Returns: The text; nil for other objects.
        open override func string(for obj: Any?) -> String? {
            (obj as? DateComponents).flatMap { string(from: $0) }
        }

        /// Formats a duration in components with a style and default settings.
        ///
        /// - Parameters:
        ///   - components: The components.
        ///   - unitsStyle: The style of the units.
        /// - Returns: The text; nil for more than 3,000 years.
        open class func localizedString(
            from components: DateComponents, unitsStyle: UnitsStyle
        ) -> String? {
            let formatter = DateComponentsFormatter()
            formatter.unitsStyle = unitsStyle
            return formatter.string(from: components)
        }
    }
#endif
