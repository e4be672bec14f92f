import HealthEngine

/// Sentences of highlights.
enum HighlightText {
    /// "Resting heart rate above its typical range for 3 days: 64–67 bpm, 3–5 Mar 2026; 52–58 bpm is
    /// typical."
    static func departure(
        _ metric: Metric, _ side: RangeDeparture.Side, _ days: ClosedRange<CivilDate>,
        values: [Double], typicalRange: TypicalRange
    ) -> String {
        let count = days.upperBound.dayNumber - days.lowerBound.dayNumber + 1
        let bound = max(values.max() ?? 0, typicalRange.high)
        return "\(title(metric)) \(side == .above ? "above" : "below") its typical range for "
            + "\(counted(count, "day", "days")): \(range(values, metric, bound)), "
            + "\(span(days)); \(range([typicalRange.low, typicalRange.high], metric, bound)) is typical."
    }

    /// "Best week: 84,120 steps, 2–8 Mar 2026; 79,310 before."
    static func bestWeek(
        _ metric: Metric, _ week: ClosedRange<CivilDate>, value: Double, before: Double
    ) -> String {
        let name = metric.unit == "count" ? "" : " of \(metric.displayName)"
        return "Best week\(name): \(MetricText.text(value, of: metric)), \(span(week)); "
            + "\(MetricText.number(before, of: metric, largest: value)) was the most before."
    }

    /// "Longest running workout: 21.10 km, Sun 8 Mar 2026; 15.02 km was the longest before."
    static func longest(
        _ activity: String, on day: CivilDate, metres: Double, before: Double
    ) -> String {
        func text(_ metres: Double) -> String {
            WorkoutText.distance(metres)
        }
        return "Longest \(activity): \(text(metres)), \(DateText.short(day)); "
            + "\(text(before)) was the longest before."
    }

    /// "No sleep recorded for 9 days, since 3 March 2026."
    static func gap(_ metric: Metric, days: Int, since last: CivilDate) -> String {
        "No \(metric.displayName) recorded for \(counted(days, "day", "days")), "
            + "since \(DateText.long(last.description))."
    }

    private static func title(_ metric: Metric) -> String {
        let name = metric.displayName
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func span(_ days: ClosedRange<CivilDate>) -> String {
        days.lowerBound == days.upperBound
            ? DateText.short(days.lowerBound) : DateText.span(days.lowerBound, days.upperBound)
    }

    /// Returns the lowest and the highest of values with the unit: "64–67 bpm", "64 bpm".
    private static func range(_ values: [Double], _ metric: Metric, _ largest: Double) -> String {
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        func number(_ value: Double) -> String {
            MetricText.number(value, of: metric, largest: largest)
        }
        let unit = MetricText.unit(of: metric)
        let numbers = number(low) == number(high) ? number(low) : "\(number(low))–\(number(high))"
        return unit.isEmpty ? numbers : "\(numbers) \(unit)"
    }
}
