/// A metric's values as people read them.
package enum MetricText {
    /// "8,214 steps", "58 bpm", "7:12 h", "97 %"; "no data" of nil.
    package static func text(_ value: Double?, of metric: Metric) -> String {
        guard let value else { return "no data" }
        if metric.unit == "count" { return "\(number(value, of: metric)) \(metric.words)" }
        return "\(number(value, of: metric)) \(unit(of: metric))"
    }

    /// "8,214", "7:12".
    ///
    /// - Parameter largest: Of the numbers that stand together, which get as many digits.
    package static func number(
        _ value: Double, of metric: Metric, largest: Double? = nil
    ) -> String {
        if metric.kind == .state { return NumberText.hours(value) }
        return ReadableUnit(metric.unit, largest: largest ?? abs(value)).text(value)
    }

    /// "bpm", "km", "h"; "" for what is counted.
    package static func unit(of metric: Metric) -> String {
        if metric.kind == .state { return "h" }
        switch metric.unit {
        case "count": return ""
        case "count/min": return metric.identifier.contains("HeartRate") ? "bpm" : "a minute"
        default: return metric.unit
        }
    }
}
