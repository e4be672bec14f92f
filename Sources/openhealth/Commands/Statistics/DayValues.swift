import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// One value of a type for each local day with data.
///
/// The value of a day is its sum, the average of its readings, the time asleep in its night, or the
/// number of other category samples. A day that isn't over isn't counted.
struct DayValues {
    let type: SampleType
    let unit: String
    let calendar: CalendarBuckets
    /// The days with a value, in ascending order.
    let days: [(day: CivilDate, value: Double)]

    /// - Parameters:
    ///   - result: Statistics by day.
    ///   - now: The current time in reference seconds.
    init(_ result: StatsResult, now: Double) {
        type = result.type
        if case .times? = result.buckets.first?.values {
            unit = "count"
        } else {
            unit = result.unit
        }
        calendar = result.calendar
        days = Self.days(
            result.buckets.map { ($0.start, $0.end, $0.values.height) }, now, result.calendar)
    }

    init(_ result: SleepStatsResult, now: Double) {
        (type, unit, calendar) = (result.type, "s", result.calendar)
        days = Self.days(
            result.buckets.map { ($0.start, $0.end, $0.amounts.asleep) }, now, result.calendar)
    }

    /// Reads the values of a range.
    ///
    /// - Throws: ``UsageError`` for a range of too many days, `StoreError` if the store can't be
    ///   read.
    @MainActor init(
        _ store: SampleStore, _ query: SampleQuery, unit: String?, _ calendar: CalendarBuckets,
        now: Date
    ) async throws {
        let horizon = now.timeIntervalSinceReferenceDate
        if query.type.identifier == Metric.sleep.identifier {
            self.init(
                try await SleepStatsResult(store, query, by: .each(.day), .mergedOnly, calendar),
                now: horizon)
            return
        }
        var rules = StatisticsRules()
        rules.horizon = horizon
        let result = try StatsResult(
            reading: store, query, by: .each(.day), unit: unit, rules: rules, calendar: calendar)
        self.init(result, now: horizon)
    }

    private static func days(
        _ buckets: [(start: Double, end: Double, value: Double?)], _ now: Double,
        _ calendar: CalendarBuckets
    ) -> [(day: CivilDate, value: Double)] {
        buckets.compactMap { bucket in
            guard bucket.end <= now, let value = bucket.value else { return nil }
            return (calendar.civilDate(bucket.start), value)
        }
    }

    /// The first and the last day with a value; nil without any.
    var extent: ClosedRange<CivilDate>? {
        guard let first = days.first, let last = days.last else { return nil }
        return first.day...last.day
    }

    /// The sentence for no value at all.
    var absence: String {
        "No \(TypeText.name(type)): nothing was recorded on a whole day of that period.\n"
    }
}

/// The values of some days.
struct DayGroup {
    private(set) var count = 0
    private(set) var sum = 0.0
    private(set) var lowest = Double.infinity
    private(set) var highest = -Double.infinity

    /// The average value; not a number without any.
    var average: Double { sum / Double(count) }

    mutating func add(_ value: Double) {
        count += 1
        sum += value
        lowest = min(lowest, value)
        highest = max(highest, value)
    }
}

/// Formats values of days alike.
struct DayAmount {
    private let isTime: Bool
    private let unit: ReadableUnit

    init(_ values: DayValues) {
        self.init(values, largest: values.days.map { abs($0.value) }.max() ?? 0)
    }

    /// - Parameters:
    ///   - values: The values, whose type and unit are used.
    ///   - largest: The largest absolute value, which decides on decimals.
    init(_ values: DayValues, largest: Double) {
        isTime = values.unit == "s" && values.type.kind == .category
        unit = ReadableUnit(values.unit, largest: largest)
    }

    func text(_ value: Double) -> String { isTime ? NumberText.hours(value) : unit.text(value) }

    /// Returns a value as in "8,214", "62 bpm" or "7:12 h asleep".
    func withUnit(_ value: Double) -> String {
        if isTime { return text(value) + " h asleep" }
        return unit.symbol == "count" ? text(value) : text(value) + " " + unit.symbol
    }

    /// Returns a difference with its sign: "+1,204", "−0:14".
    func signed(_ difference: Double) -> String {
        let amount =
            isTime ? NumberText.hours(abs(difference)) : unit.text(difference: abs(difference))
        let zero = isTime ? NumberText.hours(0) : unit.text(difference: 0)
        if amount == zero { return "±" + amount }
        return (difference < 0 ? "−" : "+") + amount
    }
}

extension StatsResult.Values {
    /// The value that charts and rankings use: the sum, the average of readings, or the number of
    /// category samples.
    var height: Double? {
        switch self {
        case .sum(let values): values.sum
        case .readings(let values): values.average
        case .times(let values): Double(values.count)
        }
    }
}
