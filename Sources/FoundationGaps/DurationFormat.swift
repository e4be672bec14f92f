#if !canImport(Darwin)
    import Foundation

    /// The units of durations, from longest to shortest.
    enum DurationUnit: CaseIterable {
        case year, month, week, day, hour, minute, second

        var component: Calendar.Component {
            switch self {
            case .year: .year
            case .month: .month
            case .week: .weekOfMonth
            case .day: .day
            case .hour: .hour
            case .minute: .minute
            case .second: .second
            }
        }

        var calendarUnit: NSCalendar.Unit {
            switch self {
            case .year: .year
            case .month: .month
            case .week: .weekOfMonth
            case .day: .day
            case .hour: .hour
            case .minute: .minute
            case .second: .second
            }
        }

        /// The approximate length in seconds, used to refuse durations that are too long for a
        /// calendar.
        var seconds: Double {
            switch self {
            case .year: 31_556_952
            case .month: 2_629_746
            case .week: 604_800
            case .day: 86_400
            case .hour: 3_600
            case .minute: 60
            case .second: 1
            }
        }

        var isClockUnit: Bool { self == .hour || self == .minute || self == .second }

        /// The narrow name: `h`.
        var narrowName: String {
            switch self {
            case .year: "y"
            case .month: "mo"
            case .week: "w"
            case .day: "d"
            case .hour: "h"
            case .minute: "m"
            case .second: "s"
            }
        }

        /// The short names in singular and plural: `hr`.
        var shortNames: (one: String, many: String) {
            switch self {
            case .year: ("yr", "yrs")
            case .month: ("mth", "mths")
            case .week: ("wk", "wks")
            case .day: ("day", "days")
            case .hour: ("hr", "hr")
            case .minute: ("min", "min")
            case .second: ("sec", "sec")
            }
        }

        /// The full name in the singular: `hour`.
        var name: String {
            switch self {
            case .year: "year"
            case .month: "month"
            case .week: "week"
            case .day: "day"
            case .hour: "hour"
            case .minute: "minute"
            case .second: "second"
            }
        }

        /// The longest duration in seconds: 3,000 years, far below the limits of Foundation's
        /// calendars.
        static let longest: Double = 3_000 * 31_556_952

        /// Returns whether a date is at most ``longest`` from 1 January 2001.
        static func isCountable(_ date: Date) -> Bool {
            abs(date.timeIntervalSinceReferenceDate) <= longest
        }

        /// Returns whether the sum of the absolute values of the components is at most ``longest``.
        static func isCountable(_ components: DateComponents) -> Bool {
            let rest = [
                (Double(components.quarter ?? 0), DurationUnit.year.seconds / 4),
                (Double(components.weekOfYear ?? 0), DurationUnit.week.seconds),
                (Double(components.nanosecond ?? 0), 1e-9),
            ]
            let known = allCases.map {
                (Double(components.value(for: $0.component) ?? 0), $0.seconds)
            }
            return (known + rest).reduce(0) { $0 + abs($1.0) * $1.1 } <= longest
        }

        /// Returns components without those that are not parts of a duration, such as time zone and
        /// weekday. Quarters are converted to months, and weeks to days.
        static func duration(_ components: DateComponents) -> DateComponents {
            DateComponents(
                year: components.year,
                month: (components.month ?? 0) + 3 * (components.quarter ?? 0),
                day: (components.day ?? 0)
                    + 7 * ((components.weekOfMonth ?? 0) + (components.weekOfYear ?? 0)),
                hour: components.hour, minute: components.minute, second: components.second,
                nanosecond: components.nanosecond)
        }
    }

    /// The settings of a `DateComponentsFormatter`, and the formatting itself.
    struct DurationFormat {
        typealias Style = DateComponentsFormatter.UnitsStyle
        typealias Amount = (unit: DurationUnit, count: Int)

        var style = Style.positional
        var allowedUnits: NSCalendar.Unit = []
        var zeros = DateComponentsFormatter.ZeroFormattingBehavior.default
        var calendar: Calendar? = .autoupdatingCurrent
        var referenceDate: Date?
        var allowsFractionalUnits = false
        var maximumUnitCount = 0
        var collapsesLargestUnit = false
        var includesApproximationPhrase = false
        var includesTimeRemainingPhrase = false
        var context = Formatter.Context.unknown

        var start: Date { referenceDate ?? Date(timeIntervalSinceReferenceDate: 0) }

        func text(_ components: DateComponents) -> String? {
            guard DurationUnit.isCountable(components), DurationUnit.isCountable(start),
                let end = countingCalendar.date(
                    byAdding: DurationUnit.duration(components), to: start)
            else { return nil }
            return text(from: start, to: end)
        }

        func text(from start: Date, to end: Date) -> String? {
            guard DurationUnit.isCountable(start), DurationUnit.isCountable(end) else { return nil }
            let all = collapsed(amounts(in: units, start, end), start, end)
            let shown = withoutZeros(all.map { ($0.unit, abs($0.count)) })
            let limit = maximumUnitCount > 0 ? maximumUnitCount : shown.count
            let written = written(Array(shown.prefix(limit)))
            let minus = style == .spellOut ? "minus " : "-"
            return phrased(all.contains { $0.count < 0 } ? minus + written : written)
        }

        private var countingCalendar: Calendar {
            if let calendar { return calendar }
            var gregorian = Calendar(identifier: .gregorian)
            gregorian.timeZone = .gmt
            return gregorian
        }

        private var units: [DurationUnit] {
            let allowed = DurationUnit.allCases.filter { allowedUnits.contains($0.calendarUnit) }
            return allowed.isEmpty ? DurationUnit.allCases : allowed
        }

        private func amounts(in units: [DurationUnit], _ start: Date, _ end: Date) -> [Amount] {
            let parts = countingCalendar.dateComponents(
                Set(units.map(\.component)), from: start, to: end)
            return units.map { ($0, parts.value(for: $0.component) ?? 0) }
        }

        /// Writes a largest unit of 1 in the smaller units, `63s` for `1m 3s`, if
        /// ``collapsesLargestUnit`` is set. Otherwise returns the amounts unchanged.
        private func collapsed(_ amounts: [Amount], _ start: Date, _ end: Date) -> [Amount] {
            guard collapsesLargestUnit, let first = amounts.firstIndex(where: { $0.count != 0 }),
                abs(amounts[first].count) == 1, first + 1 < amounts.count,
                amounts[first + 1].count != 0
            else { return amounts }
            return self.amounts(in: amounts[(first + 1)...].map(\.unit), start, end)
        }
    }

    extension DurationFormat {
        private func withoutZeros(_ amounts: [Amount]) -> [Amount] {
            guard let first = amounts.firstIndex(where: { $0.count != 0 }),
                let last = amounts.lastIndex(where: { $0.count != 0 })
            else { return zeros.isEmpty || zeros == .pad ? amounts : amounts.suffix(1) }
            let drops = dropping
            return amounts.indices.compactMap { index in
                let amount = amounts[index]
                if amount.count != 0 { return amount }
                let place: DateComponentsFormatter.ZeroFormattingBehavior =
                    index < first ? .dropLeading : index > last ? .dropTrailing : .dropMiddle
                // Drops days and longer units of 0, such as `0w` between months and hours.
                let isStray = style == .positional && !amount.unit.isClockUnit && isDefault
                return drops.contains(place) || isStray ? nil : amount
            }
        }

        private var isDefault: Bool { zeros.contains(.default) }

        private var dropping: DateComponentsFormatter.ZeroFormattingBehavior {
            guard isDefault else { return zeros }
            return zeros.union(style == .positional ? .dropLeading : .dropAll)
        }

        private func written(_ amounts: [Amount]) -> String {
            let words = amounts.map { word($0) }
            switch style {
            case .positional: return positional(amounts)
            case .abbreviated, .brief: return words.joined(separator: " ")
            case .short, .full, .spellOut: return words.joined(separator: ", ")
            }
        }

        private func word(_ amount: Amount) -> String {
            let (unit, count) = amount
            let number = count.formatted(.number.locale(countingCalendar.locale ?? .current))
            let shortName = count == 1 ? unit.shortNames.one : unit.shortNames.many
            let name = count == 1 ? unit.name : unit.name + "s"
            return switch style {
            case .positional, .abbreviated: number + unit.narrowName
            case .brief: number + shortName
            case .short: number + " " + shortName
            case .full: number + " " + name
            case .spellOut: spelled(count) + " " + name
            }
        }

        private func spelled(_ count: Int) -> String {
            let formatter = NumberFormatter()
            formatter.locale = Locale(identifier: "en_US")
            formatter.numberStyle = .spellOut
            return formatter.string(from: NSNumber(value: count)) ?? String(count)
        }

        private func positional(_ amounts: [Amount]) -> String {
            let dates = amounts.filter { !$0.unit.isClockUnit }.map { word($0) }
            let clock = amounts.filter(\.unit.isClockUnit).enumerated().map { index, amount in
                let isWide = zeros.contains(.pad) || (isDefault && index > 0)
                return isWide && amount.count < 10 ? "0\(amount.count)" : "\(amount.count)"
            }
            return (dates + (clock.isEmpty ? [] : [clock.joined(separator: ":")]))
                .joined(separator: " ")
        }

        private func phrased(_ text: String) -> String {
            let about = context == .middleOfSentence ? "about " : "About "
            return (includesApproximationPhrase ? about : "") + text
                + (includesTimeRemainingPhrase ? " remaining" : "")
        }
    }
#endif
