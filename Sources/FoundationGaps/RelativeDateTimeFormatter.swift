#if !canImport(Darwin)
    public import Foundation
    import Synchronization

    /// A formatter of dates relative to another date, for Linux, where Foundation has none.
    ///
    /// ```
    /// let formatter = RelativeDateTimeFormatter()
    /// formatter.localizedString(fromTimeInterval: -7_200)    // "2 hours ago"
    /// formatter.dateTimeStyle = .named
    /// formatter.localizedString(fromTimeInterval: 86_400)    // "tomorrow"
    /// ```
    ///
    /// The text is in the language of the locale. Only the largest unit that is not 0 is written,
    /// and the rest is truncated: 119 minutes are 1 hour. The text is empty for values that are not
    /// finite, for dates more than 3,000 years from 2001, and for components of more than 3,000
    /// years.
    // Sendable, because a mutex protects all state.
    open class RelativeDateTimeFormatter: Formatter, @unchecked Sendable {
        /// Whether the present and adjacent days, weeks, months and years are written as words.
        public enum DateTimeStyle: Int, Sendable {
            /// `1 day ago`, `in 0 seconds`.
            case numeric
            /// `yesterday`, `now`.
            case named
        }

        /// The length of unit names.
        public enum UnitsStyle: Int, Sendable {
            /// `2 months ago`.
            case full
            /// `two months ago`.
            case spellOut
            /// `2 mo. ago`.
            case short
            /// `2mo ago`.
            case abbreviated
        }

        private let state = Mutex(RelativeFormat())

        /// Creates a formatter with numeric style and full names for the current locale.
        public override init() { super.init() }

        /// Creates a formatter with default settings, because settings are not archived.
        ///
        /// - Parameter coder: An unarchiver.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// Whether the present and adjacent days, weeks, months and years are written as words. The
        /// default is numeric.
        open var dateTimeStyle: DateTimeStyle {
            get { state.withLock { $0.dateTimeStyle } }
            set { state.withLock { $0.dateTimeStyle = newValue } }
        }

        /// The length of unit names. The default is full.
        open var unitsStyle: UnitsStyle {
            get { state.withLock { $0.unitsStyle } }
            set { state.withLock { $0.unitsStyle = newValue } }
        }

        /// The context of the text, which determines the case of its first letter.
        open var formattingContext: Formatter.Context {
            get { state.withLock { $0.context } }
            set { state.withLock { $0.context = newValue } }
        }

        /// The calendar that determines the length of months and days. Nil sets the current
        /// calendar.
        open var calendar: Calendar! {
            get { state.withLock { $0.calendar } }
            set { state.withLock { $0.calendar = newValue ?? .autoupdatingCurrent } }
        }

        /// The locale of the text. Nil sets the current locale.
        open var locale: Locale! {
            get { state.withLock { $0.locale } }
            set { state.withLock { $0.locale = newValue ?? .autoupdatingCurrent } }
        }

        /// Formats the largest component that is not 0: `DateComponents(day: -2)` as `2 days ago`.
        ///
        /// - Parameter dateComponents: The difference from now. Negative values are in the past.
        /// - Returns: The text; empty for more than 3,000 years.
        open func localizedString(from dateComponents: DateComponents) -> String {
            state.withLock { $0 }.text(dateComponents)
        }

        /// Formats a time interval relative to now.
        ///
        /// - Parameter timeInterval: Seconds from now. Negative values are in the past.
        /// - Returns: The text; empty if the interval is not finite or the date is more than 3,000
        ///   years from 2001.
        open func localizedString(fromTimeInterval timeInterval: TimeInterval) -> String {
            let now = Date()
            return localizedString(for: now.addingTimeInterval(timeInterval), relativeTo: now)
        }

        /// Formats a date relative to another date.
        ///
        /// - Parameters:
        ///   - date: The date to describe.
        ///   - referenceDate: The date that it is relative to.
        /// - Returns: The text; empty if a date is more than 3,000 years from 2001.
        open func localizedString(for date: Date, relativeTo referenceDate: Date) -> String {
            state.withLock { $0 }.text(date, from: referenceDate)
        }

        /// Formats a date relative to now.
        ///
        /// - Parameter obj: A `Date`.
        /// - Returns: The text; empty for a date more than 3,000 years from 2001. Nil if `obj` is
        ///   not a `Date`.
        open override func string(for obj: Any?) -> String? {
            (obj as? Date).map { localizedString(for: $0, relativeTo: Date()) }
        }
    }

    /// The settings of a `RelativeDateTimeFormatter`, and the formatting itself.
    private struct RelativeFormat {
        var dateTimeStyle = RelativeDateTimeFormatter.DateTimeStyle.numeric
        var unitsStyle = RelativeDateTimeFormatter.UnitsStyle.full
        var context = Formatter.Context.unknown
        var calendar = Calendar.autoupdatingCurrent
        var locale = Locale.autoupdatingCurrent

        func text(_ date: Date, from reference: Date) -> String {
            guard DurationUnit.isCountable(date), DurationUnit.isCountable(reference) else {
                return ""
            }
            let units = Set(DurationUnit.allCases.map(\.component))
            return text(calendar.dateComponents(units, from: reference, to: date))
        }

        func text(_ components: DateComponents) -> String {
            guard DurationUnit.isCountable(components) else { return "" }
            for unit in DurationUnit.allCases {
                let count = components.value(for: unit.component) ?? 0
                if count != 0 { return text(count, unit) }
            }
            return text(0, .second)
        }

        /// Formats a number of units with Foundation's relative style, which needs a date: the one
        /// that is exactly that many units away from a fixed time.
        private func text(_ count: Int, _ unit: DurationUnit) -> String {
            var gregorian = Calendar(identifier: .gregorian)
            gregorian.timeZone = .gmt
            let now = Date(timeIntervalSinceReferenceDate: 0)
            guard let date = gregorian.date(byAdding: unit.component, value: count, to: now) else {
                return ""
            }
            let style = Date.AnchoredRelativeFormatStyle(
                anchor: date, allowedFields: [field(unit)],
                presentation: dateTimeStyle == .named ? .named : .numeric, unitsStyle: width,
                locale: locale, calendar: gregorian, capitalizationContext: capitalization)
            return style.format(now)
        }

        private func field(_ unit: DurationUnit) -> Date.RelativeFormatStyle.Field {
            switch unit {
            case .year: .year
            case .month: .month
            case .week: .week
            case .day: .day
            case .hour: .hour
            case .minute: .minute
            case .second: .second
            }
        }

        private var width: Date.RelativeFormatStyle.UnitsStyle {
            switch unitsStyle {
            case .full: .wide
            case .spellOut: .spellOut
            case .short: .abbreviated
            case .abbreviated: .narrow
            }
        }

        private var capitalization: FormatStyleCapitalizationContext {
            switch context {
            case .standalone: .standalone
            case .listItem: .listItem
            case .beginningOfSentence: .beginningOfSentence
            case .middleOfSentence: .middleOfSentence
            default: .unknown
            }
        }
    }
#endif
