import HealthDashboard

/// How a chart writes a metric's values: "8,214", "58", "97.2" and the unit once, at the axis.
struct ChartUnit {
    /// "steps", "km", "bpm", "h".
    let symbol: String
    let digits: Int
    /// From the metric's unit to the one that is shown.
    let factor: Double

    init(_ metric: Metric, largest: Double) {
        let largest = largest.isFinite ? largest : 0
        switch (metric.kind, metric.unit) {
        case (.state, _): (symbol, digits, factor) = ("hours", 1, 1 / 3600)
        case (_, "count"): (symbol, digits, factor) = (metric.words, 0, 1)
        case (_, "count/min"): (symbol, digits, factor) = ("bpm", 0, 1)
        default:
            let readable = ReadableUnit(metric.unit, largest: largest)
            symbol = readable.symbol
            digits = readable.digits
            factor = metric.unit == "%" ? 100 : 1
        }
    }

    init(symbol: String, digits: Int, factor: Double = 1) {
        (self.symbol, self.digits, self.factor) = (symbol, digits, factor)
    }

    /// "8,214".
    func text(_ value: Double) -> String {
        NumberText.grouped(value * factor, digits: digits)
    }

    /// "8,214 steps".
    func amount(_ value: Double) -> String { "\(text(value)) \(symbol)" }

    /// At the axis: no more digits than the ticks need.
    func tick(_ value: Double, step: Double) -> String {
        var (digits, rest) = (0, step)
        while digits < 3, abs(rest - rest.rounded()) > 1e-6 * abs(rest) {
            digits += 1
            rest *= 10
        }
        return NumberText.grouped(value, digits: digits)
    }
}
