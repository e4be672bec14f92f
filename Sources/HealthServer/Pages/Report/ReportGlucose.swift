import HealthDashboard
import HealthEngine
import HealthStorage

extension ReportReading {
    /// The range of glucose in mg/dL, both bounds included, that is usual for "time in range".
    static let glucoseRange = 70.0...180.0
    /// The number of seconds of readings that are in memory at a time: 30 days.
    private static let glucoseWindow = 30 * 86_400.0

    /// Adds the readings in the period to the section of glucose, and replaces its average, lowest
    /// and highest value with those of the readings.
    ///
    /// Equal values at the same time count once.
    ///
    /// - Complexity: O(readings in the period), with those of 30 days in memory.
    func addReadings(to section: inout ReportPage.Section) throws {
        guard let type = Catalogue.type(named: "bloodGlucose"),
            let unit = section.measures.first?.metric.unit
        else { return }
        var tally = GlucoseTally()
        try forEachReading(of: type, in: unit) { tally.add($0, at: $1) }
        guard tally.counts.readings > 0 else { return }
        section.glucose = tally.counts
        section.measures[0].average = tally.sum / Double(tally.counts.readings)
        section.measures[0].lowest = tally.lowest
        section.measures[0].highest = tally.highest
    }

    /// Calls a closure with each reading of glucose in mg/dL, in order of time. Equal values at the same
    /// time count once.
    func forEachGlucose(_ body: (_ value: Double, _ time: Double) -> Void) throws {
        guard let type = Catalogue.type(named: "bloodGlucose") else { return }
        var repetitions = RepeatedReadings()
        try forEachReading(of: type, in: "mg/dL") { value, time in
            if repetitions.isNew(value, at: time) { body(value, time) }
        }
    }

    /// Calls a closure with each sample's value in a unit, in order of time, without those of excluded
    /// sources.
    private func forEachReading(
        of type: SampleType, in unit: String, _ body: (_ value: Double, _ time: Double) -> Void
    ) throws {
        let excluded = try excludedSources(of: [type])
        var units = RecordedUnits(unit)
        var start = from
        while start < to {
            let end = min(start + Self.glucoseWindow, to)
            let batch = try store.samples(SampleQuery(type, from: start, to: end))
            for sample in batch.samples where sample.start >= start {
                let source = batch.knownSource(of: sample)
                if source.map({ excluded.contains($0.bundleIdentifier) }) ?? false { continue }
                if let value = units.value(of: sample, in: batch) { body(value, sample.start) }
            }
            start = end
        }
    }
}

/// Recognizes values that were recorded more than once for the same time.
private struct RepeatedReadings {
    private var time = -Double.infinity
    /// The values at the latest time.
    private var values: Set<Double> = []

    /// Returns whether a value is the first one like it at its time. Call it in order of time.
    mutating func isNew(_ value: Double, at time: Double) -> Bool {
        if time != self.time { (self.time, values) = (time, []) }
        return values.insert(value).inserted
    }
}

/// Counts readings of glucose in order of time.
private struct GlucoseTally {
    var counts = ReportPage.Glucose(readings: 0, below: 0, inRange: 0, above: 0)
    var sum = 0.0
    var lowest = Double.infinity
    var highest = -Double.infinity
    private var repetitions = RepeatedReadings()

    mutating func add(_ value: Double, at time: Double) {
        guard repetitions.isNew(value, at: time) else { return }
        counts.readings += 1
        sum += value
        (lowest, highest) = (min(lowest, value), max(highest, value))
        if value < ReportReading.glucoseRange.lowerBound {
            counts.below += 1
        } else if value > ReportReading.glucoseRange.upperBound {
            counts.above += 1
        } else {
            counts.inRange += 1
        }
    }
}
