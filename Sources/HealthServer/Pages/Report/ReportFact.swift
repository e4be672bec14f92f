import HealthDashboard

/// A line of a report: a label and a value, in words for all outputs.
package struct ReportFact: Hashable, Sendable {
    /// A part of a label or value.
    package enum Part: Hashable, Sendable {
        /// Text of this program.
        case text(String)
        /// A name that a person or another program chose.
        case name(String)
    }

    /// What the value is.
    package var label: Part
    /// The parts of the value, without spaces between them.
    package var value: [Part]

    init(_ label: String, _ value: String) {
        self.init(.text(label), [.text(value)])
    }

    init(_ label: Part, _ value: [Part]) {
        self.label = label
        self.value = value
    }
}

extension ReportFact.Part {
    /// The part as plain text.
    package var words: String {
        switch self {
        case .text(let words), .name(let words): words
        }
    }
}

/// Writes the values of a measure with its unit.
struct ReportNumbers {
    private let metric: Metric
    /// Determines the number of decimal places.
    private let largest: Double

    init(_ measure: ReportPage.Measure) {
        metric = measure.metric
        largest = max(abs(measure.lowest), abs(measure.highest))
    }

    /// "8,214 steps", "58 bpm", "7:12 h".
    func amount(_ value: Double) -> String { withUnit(number(value)) }

    /// "52–66 bpm"; one number if both are shown alike.
    func range(_ low: Double, _ high: Double) -> String { withUnit(span(low, high)) }

    /// "+1.2 kg", "−1.2 kg", "±0.0 kg".
    func change(_ value: Double) -> String {
        let text = MetricText.difference(abs(value), of: metric, largest: largest)
        let none = MetricText.difference(0, of: metric, largest: largest)
        let sign = text == none ? "±" : value < 0 ? "−" : "+"
        return sign + withUnit(text)
    }

    /// The numbers of a range without the unit: "52–66".
    func span(_ low: Double, _ high: Double) -> String {
        number(low) == number(high) ? number(low) : "\(number(low))–\(number(high))"
    }

    /// A number without the unit: "8,214".
    func number(_ value: Double) -> String {
        MetricText.number(value, of: metric, largest: largest)
    }

    private func withUnit(_ text: String) -> String {
        metric.unit == "count"
            ? "\(text) \(metric.displayName)" : "\(text) \(MetricText.unit(of: metric))"
    }
}
