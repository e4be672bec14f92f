import HealthEngine

/// Whether the data of a metric are totals that the app computed, or single measurements.
///
/// The app can “summarize” data, and does so by default: each datum is then a sum or an average
/// over all sources. Nothing in the body states it, so the verdict is derived. The first rule that
/// applies counts:
///
/// 1. The header `automation-aggregation` names an interval: buckets.
/// 2. A datum has several sources, joined by “|”: buckets.
/// 3. The header says that nothing is aggregated: points.
/// 4. There are three or more dates, and all are full minutes, hours or days: buckets.
/// 5. A count has a fraction, which merging causes: buckets.
/// 6. A date is no full minute, so it isn't the start of an interval: points.
/// 7. Otherwise it is unknown: readings are samples, amounts totals.
struct HealthAutoExportVerdict: Hashable {
    enum Kind: String {
        case bucket, point, unknown
    }

    enum Reason: String {
        case header
        case severalSources = "several sources"
        case fullIntervals = "full intervals"
        case fractionalCount = "fractional count"
        case betweenMinutes = "between minutes"
        case noEvidence = "no evidence"
    }

    var kind: Kind
    var reason: Reason
    /// The interval of buckets; nil if it isn't known, and for other data.
    var interval: HealthAutoExportInterval?

    /// The verdict as metadata of a sample.
    var metadata: Metadata {
        [
            HealthAutoExportReader.key("verdict"): .string(kind.rawValue),
            HealthAutoExportReader.key("reason"): .string(reason.rawValue),
        ]
    }
}

/// An interval over which the app computes each value.
enum HealthAutoExportInterval: String {
    case second, minute, hour, day, week, month, year

    /// Reads the header `automation-aggregation`, such as “Hours”; nil for other words.
    init?(header: String) {
        let word = header.lowercased().filter { !$0.isWhitespace }
        self.init(rawValue: word.hasSuffix("s") ? String(word.dropLast()) : word)
    }

    /// Whether a header says that nothing is aggregated.
    static func isAbsent(header: String) -> Bool {
        ["none", "default", "off", "no", "false"]
            .contains(header.lowercased().filter { !$0.isWhitespace })
    }

    /// Whether the length depends on the calendar.
    var isOfCalendar: Bool {
        switch self {
        case .second, .minute, .hour: false
        case .day, .week, .month, .year: true
        }
    }

    /// Returns the end of the interval that begins at a date, in reference seconds.
    ///
    /// Days are those of the calendar, in the offset of the date's text. If the offset changes
    /// within the interval, it has 23 or 25 hours. This is known if the next datum is there.
    ///
    /// - Parameters:
    ///   - start: The start.
    ///   - offsets: The offsets from UTC of dates at midnight, by day number.
    func end(after start: IntakeDate, _ offsets: [Int: Int]) -> Double {
        switch self {
        case .second: return start.seconds + 1
        case .minute: return start.seconds + 60
        case .hour: return start.seconds + 3600
        case .day, .week, .month, .year: break
        }
        let offset = start.offset ?? 0
        let local = start.seconds + Double(offset)
        let number = (local / 86_400).rounded(.down)
        guard let day = Int(exactly: number) else { return start.seconds }
        let next = following(CivilDate(dayNumber: day)).dayNumber
        let timeOfDay = local - number * 86_400
        return Double(next) * 86_400 + timeOfDay - Double(offsets[next] ?? offset)
    }

    /// Returns the day on which the interval that begins on a day ends.
    private func following(_ day: CivilDate) -> CivilDate {
        func date(_ year: Int, _ month: Int) -> CivilDate {
            CivilDate(year, month, min(day.day, CivilDate.length(month: month, year: year)))
        }
        return switch self {
        case .second, .minute, .hour: day
        case .day: CivilDate(dayNumber: day.dayNumber + 1)
        case .week: CivilDate(dayNumber: day.dayNumber + 7)
        case .month:
            day.month == 12 ? date(day.year + 1, 1) : date(day.year, day.month + 1)
        case .year: date(day.year + 1, day.month)
        }
    }
}

/// What the data of a metric show about their aggregation.
struct HealthAutoExportEvidence {
    /// The number of readable dates.
    private(set) var dates = 0
    /// The offsets from UTC of dates at midnight, by day number, of the first
    /// ``maximumOffsets`` days.
    private(set) var offsets: [Int: Int] = [:]
    private var hasSeveralSources = false
    private var hasFraction = false
    /// The longest of a day, hour and minute, in seconds, of which all dates are multiples; 0 for
    /// none.
    private var alignment = 86_400

    private static let maximumOffsets = 100_000

    /// Adds a datum. Its order among the others is irrelevant.
    mutating func add(_ datum: JSONValue, date: IntakeDate?) {
        if datum["source"]?.string?.contains("|") == true { hasSeveralSources = true }
        if let count = datum["qty"]?.number, count != count.rounded() { hasFraction = true }
        guard let date else { return }
        dates += 1
        let local = date.seconds + Double(date.offset ?? 0)
        let steps = [86_400, 3600, 60]
        let step = steps.first { local.truncatingRemainder(dividingBy: Double($0)) == 0 } ?? 0
        alignment = min(alignment, step)
        if step == 86_400, let offset = date.offset, let day = Int(exactly: local / 86_400),
            offsets.count < HealthAutoExportEvidence.maximumOffsets
        {
            offsets[day] = offset
        }
    }

    /// Returns the verdict.
    ///
    /// - Parameters:
    ///   - header: The header `automation-aggregation`; nil without one.
    ///   - isCount: Whether values are whole numbers unless they were merged.
    func verdict(header: String?, isCount: Bool) -> HealthAutoExportVerdict {
        typealias Verdict = HealthAutoExportVerdict
        if let interval = header.flatMap(HealthAutoExportInterval.init(header:)) {
            return Verdict(kind: .bucket, reason: .header, interval: interval)
        }
        if hasSeveralSources {
            return Verdict(kind: .bucket, reason: .severalSources, interval: aligned)
        }
        if let header, HealthAutoExportInterval.isAbsent(header: header) {
            return Verdict(kind: .point, reason: .header)
        }
        if let aligned {
            return Verdict(kind: .bucket, reason: .fullIntervals, interval: aligned)
        }
        if isCount && hasFraction { return Verdict(kind: .bucket, reason: .fractionalCount) }
        if dates > 0 && alignment == 0 { return Verdict(kind: .point, reason: .betweenMinutes) }
        return Verdict(kind: .unknown, reason: .noEvidence)
    }

    /// The interval of which all dates are multiples; nil for fewer than three dates.
    private var aligned: HealthAutoExportInterval? {
        guard dates >= 3 else { return nil }
        return switch alignment {
        case 86_400: .day
        case 3600: .hour
        case 60: .minute
        default: nil
        }
    }
}
