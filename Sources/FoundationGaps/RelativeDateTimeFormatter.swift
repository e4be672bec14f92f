#if !canImport(Darwin)
    public import Foundation

    /// Foundation's formatter of moments as seen from another, which Foundation on Linux lacks.
    ///
    /// ```
    /// let formatter = RelativeDateTimeFormatter()
    /// formatter.localizedString(fromTimeInterval: -7_200)    // "2 hours ago"
    /// formatter.dateTimeStyle = .named
    /// formatter.localizedString(fromTimeInterval: 86_400)    // "tomorrow"
    /// ```
    ///
    /// The words are the locale's. Only the largest unit that isn't zero is written, and the rest
    /// is cut off: 119 minutes are 1 hour. What is no moment, or lies 3,000 years off, has the text
    /// "".
    // Its state is one locked value.
    open class RelativeDateTimeFormatter: Formatter, @unchecked Sendable {
        /// Whether days, weeks, months and years next to now have names.
        public enum DateTimeStyle: Int, Sendable {
            /// `1 day ago`, `in 0 seconds`.
            case numeric
            /// `yesterday`, `now`.
            case named
        }

        /// How much of a unit's name is written.
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

        private let state = Locked(RelativeFormat())

        /// A formatter of numbers and full names in the current locale.
        public override init() { super.init() }

        /// A formatter as ``init()`` makes it: settings have no archived form.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// Whether days, weeks, months and years next to now have names; numeric at first.
        open var dateTimeStyle: DateTimeStyle {
            get { state { $0.dateTimeStyle } }
            set { state { $0.dateTimeStyle = newValue } }
        }

        /// How much of a unit's name is written; full at first.
        open var unitsStyle: UnitsStyle {
            get { state { $0.unitsStyle } }
            set { state { $0.unitsStyle = newValue } }
        }

        /// Where the text will stand, which decides about its first letter.
        open var formattingContext: Formatter.Context {
            get { state { $0.context } }
            set { state { $0.context = newValue } }
        }

        /// The calendar whose months and days count; the current one for nil.
        open var calendar: Calendar! {
            get { state { $0.calendar } }
            set { state { $0.calendar = newValue ?? .autoupdatingCurrent } }
        }

        /// Whose words they are; the current one for nil.
        open var locale: Locale! {
            get { state { $0.locale } }
            set { state { $0.locale = newValue ?? .autoupdatingCurrent } }
        }

        /// The largest of the components that isn't zero: `DateComponents(day: -2)` as
        /// `2 days ago`.
        open func localizedString(from dateComponents: DateComponents) -> String {
            state { $0 }.text(dateComponents)
        }

        /// So many seconds from now, negative ones ago.
        open func localizedString(fromTimeInterval timeInterval: TimeInterval) -> String {
            let now = Date()
            return localizedString(for: now.addingTimeInterval(timeInterval), relativeTo: now)
        }

        /// A date as seen from another.
        open func localizedString(for date: Date, relativeTo referenceDate: Date) -> String {
            state { $0 }.text(date, from: referenceDate)
        }

        /// A `Date` as seen from now; nil for anything else.
        open override func string(for obj: Any?) -> String? {
            (obj as? Date).map { localizedString(for: $0, relativeTo: Date()) }
        }
    }

    /// What a `RelativeDateTimeFormatter` is set to, and the text it makes.
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

        /// Foundation's own style, asked about a moment exactly so many units away.
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
