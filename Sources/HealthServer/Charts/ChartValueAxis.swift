import Foundation
import HealthDashboard

/// The vertical axis, with three to five ticks at round numbers. It includes zero for amounts and
/// begins near the lowest value for readings. Values are in the displayed unit.
struct ChartValueAxis {
    let low: Double
    let high: Double
    let step: Double
    let ticks: [Double]

    /// Whether the axis includes zero or only the data.
    enum Start { case zero, data }

    /// The numbers that ticks are multiples of.
    enum Ticks {
        /// 1, 2, 2.5 or 5 times a power of ten.
        case decimal
        /// Whole numbers.
        case whole
        /// Whole hours that divide a day, for spans of at least four hours.
        case hours
    }

    /// Creates the axis for some values, of which those beyond ±1e300 and NaN are ignored. Without
    /// other values it is from 0 to 1.
    ///
    /// - Parameter minimumSpan: The axis is at least as long, so that noise doesn't look like a change.
    init(
        _ values: some Sequence<Double>, from start: Start, minimumSpan: Double = 0,
        ticks kind: Ticks = .decimal
    ) {
        var (minimum, maximum) = (Double.infinity, -Double.infinity)
        for value in values where abs(value) < Self.maximumMagnitude {
            (minimum, maximum) = (min(minimum, value), max(maximum, value))
        }
        if minimum > maximum { (minimum, maximum) = (0, 1) }
        if start == .zero { (minimum, maximum) = (min(0, minimum), max(0, maximum)) }
        let missing = minimumSpan - (maximum - minimum)
        if missing > 0 {
            (minimum, maximum) = (minimum - missing / 2, maximum + missing / 2)
        }
        if maximum - minimum <= max(abs(maximum), abs(minimum)) * 1e-9 + 1e-12 {
            let margin = abs(maximum) < 1e-9 ? 1 : abs(maximum) * 0.05
            (minimum, maximum) =
                start == .zero ? (minimum, maximum + margin) : (minimum - margin, maximum + margin)
        }
        let fitting = Self.step(minimum, maximum, kind)
        let step = kind == .whole ? max(1, fitting.rounded(.up)) : fitting
        let (first, last) = ((minimum / step).rounded(.down), (maximum / step).rounded(.up))
        self.step = step
        low = first * step
        high = last * step
        ticks = stride(from: first, through: last, by: 1).map { $0 * step }
    }

    /// Creates the axis of a metric's values, with its ticks and, unless it includes zero, its shortest
    /// length.
    init(
        _ values: [Double], of metric: Metric, in unit: ChartUnit, from start: Start
    ) {
        self.init(
            values.map(unit.displayed), from: start,
            minimumSpan: start == .zero ? 0 : metric.minimumAxisSpan * unit.factor,
            ticks: metric.ticks)
    }

    /// Returns the smallest step that needs at most five ticks.
    private static func step(_ minimum: Double, _ maximum: Double, _ kind: Ticks) -> Double {
        func fits(_ step: Double) -> Bool {
            (maximum / step).rounded(.up) - (minimum / step).rounded(.down) <= 4
        }
        if kind == .hours, maximum - minimum >= 4,
            let step = [1.0, 2, 3, 4, 6, 12, 24].first(where: fits)
        {
            return step
        }
        var power = 1.0
        while power > (maximum - minimum) / 5 { power /= 10 }
        while power * 10 <= (maximum - minimum) / 5 { power *= 10 }
        for multiple in [1, 2, 2.5, 5, 10, 20, 25, 50, 100] {
            let step = power * multiple
            if fits(step) { return step }
        }
        return power * 100
    }

    private static let maximumMagnitude = 1e300

    /// Returns the distance of a value from the top of a drawing of the given height. Values
    /// outside the axis are at its ends.
    func y(_ value: Double, height: Double) -> Double {
        height - (min(max(value, low), high) - low) / (high - low) * height
    }
}

/// The number format of a metric in a chart, such as "8,214", "58" or "97.2", and its unit.
struct ChartUnit {
    /// The symbol of the displayed unit: "steps", "km", "bpm", "hours".
    let symbol: String
    let digits: Int
    /// The factor from the metric's unit to the displayed one.
    let factor: Double
    /// What is added after the multiplication: 32 for degrees Fahrenheit.
    var offset = 0.0
    /// Whether values are seconds, which are displayed as hours.
    var isDuration = false

    init(_ metric: Metric, largest: Double) {
        let largest = largest.isFinite ? largest : 0
        switch (metric.kind, metric.unit) {
        case (.state, _):
            (symbol, digits, factor) = ("hours", 1, 1 / 3600)
            isDuration = true
        case (_, "count"): (symbol, digits, factor) = (metric.displayName, 0, 1)
        case (_, "count/min"): (symbol, digits, factor) = ("bpm", 0, 1)
        default:
            let readable = ReadableUnit(metric.unit, largest: largest)
            let unit = DisplayUnit(metric.unit)
            (symbol, digits) = (readable.symbol, readable.digits)
            (factor, offset) = (unit.factor, unit.offset)
        }
    }

    init(_ unit: DisplayUnit, digits: Int) {
        (symbol, factor, offset) = (unit.symbol, unit.factor, unit.offset)
        self.digits = digits
    }

    init(symbol: String, digits: Int, factor: Double = 1) {
        (self.symbol, self.digits, self.factor) = (symbol, digits, factor)
    }

    /// Formats a value, as in "8,214".
    func text(_ value: Double) -> String {
        NumberText.grouped(displayed(value), digits: digits)
    }

    /// Converts a value of the metric's unit.
    func displayed(_ value: Double) -> Double { value * factor + offset }

    /// Formats a difference of two values, as in "1.8" for one degree Celsius in Fahrenheit.
    func text(difference: Double) -> String {
        NumberText.grouped(difference * factor, digits: digits)
    }

    /// Formats a value with its unit, as in "8,214 steps".
    func amount(_ value: Double) -> String { "\(text(value)) \(symbol)" }

    /// Formats a value for sentences: hours and minutes, "7:34", for a duration.
    func readable(_ value: Double) -> String {
        isDuration ? NumberText.hours(value) : text(value)
    }

    /// Formats a value with its unit for sentences: "8,214 steps", "7:34 hours".
    func readableAmount(_ value: Double) -> String { "\(readable(value)) \(symbol)" }

    /// Whether a value is that of a whole period, of one that isn't over, or of one that is over but
    /// whose last days have no data yet.
    enum Extent: Hashable {
        case whole(SummaryPage.Period), soFar(SummaryPage.Period), incomplete(SummaryPage.Period)
        case night
    }

    /// Says where a value is in a typical range. An amount that may still grow isn't judged. A value that
    /// reads like a bound of the range is within it.
    func place(of value: Double, in range: TypicalRange, _ extent: Extent) -> HTML {
        let numbers: HTML = """
            <span class="range">\(readable(range.low))–\(readable(range.high))</span>
            """
        switch extent {
        case .soFar(let period):
            return "So far; a whole \(period.rawValue) is typically \(numbers)"
        case .incomplete(let period):
            return "Data ends before it does; a whole \(period.rawValue) is typically \(numbers)"
        case .whole(let period):
            return "\(side(of: value, range)) the typical range of a \(period.rawValue), \(numbers)"
        case .night:
            return "\(side(of: value, range)) the typical range of a night, \(numbers)"
        }
    }

    private func side(of value: Double, _ range: TypicalRange) -> HTML {
        let text = readable(value)
        if text == readable(range.low) || text == readable(range.high) { return "Within" }
        return value < range.low ? "Below" : value > range.high ? "Above" : "Within"
    }

    /// Formats a tick's value with as many decimals as the axis' step needs, at most three.
    func tick(_ value: Double, step: Double) -> String {
        var (digits, rest) = (0, step)
        while digits < 3, abs(rest - rest.rounded()) > 1e-6 * abs(rest) {
            digits += 1
            rest *= 10
        }
        return NumberText.grouped(value, digits: digits)
    }
}

extension Metric {
    /// Whether a value is of a whole period; always for readings and states.
    func extent(
        _ period: SummaryPage.Period, _ interval: DateInterval, _ freshness: Freshness,
        _ calendar: Calendar
    ) -> ChartUnit.Extent {
        guard kind == .amount, freshness.mayGrow(in: interval, calendar) else {
            return .whole(period)
        }
        return freshness.asOf < interval.end ? .soFar(period) : .incomplete(period)
    }

    /// The ticks of a vertical axis.
    var ticks: ChartValueAxis.Ticks {
        kind == .state ? .hours : unit == "count" ? .whole : .decimal
    }

    /// The minimum length of the axis of readings, in the metric's unit; 0 for none.
    var minimumAxisSpan: Double {
        switch shortName {
        case "restingHeartRate", "walkingHeartRateAverage", "heartRate", "heartRateVariabilitySDNN",
            "bloodPressureSystolic", "bloodPressureDiastolic":
            20
        case "bodyMass", "leanBodyMass": 4
        case "bodyMassIndex", "bodyTemperature", "basalBodyTemperature",
            "appleSleepingWristTemperature":
            2
        case "oxygenSaturation": 0.08
        case "respiratoryRate", "vo2Max": 6
        default: 0
        }
    }
}
