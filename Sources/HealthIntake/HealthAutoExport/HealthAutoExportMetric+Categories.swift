import HealthEngine
import HealthStorage

// Metrics whose type is a category: sessions with a duration, and counts of events.
extension HealthAutoExportMetric {
    /// The longest session, in seconds. A longer one would be an error of its unit.
    private static let longestSession: Double = 31 * 86_400

    /// Adds a mindful session or an event with a duration.
    func addSession(_ datum: JSONValue, to pages: inout IntakePages) {
        guard let moment = moment(of: datum, &pages) else { return }
        guard datum.member(ignoringCase: "qty") != nil else {
            return addWithoutValue("qty", datum, to: &pages)
        }
        guard let value = value("qty", of: type, in: datum, &pages), let unit,
            let seconds = seconds(value, unit.symbol)
        else { return }
        guard (0...HealthAutoExportMetric.longestSession).contains(seconds) else {
            return reject(.range, "qty", datum, &pages)
        }
        guard isSample(type, moment) else {
            return addTotal(.duration, value, unit.symbol, of: type, moment, datum, to: &pages)
        }
        // The duration gives the end, so such a sample has one.
        let end = moment.hasEnd ? moment.end : moment.start + seconds
        let span = HealthAutoExportSpan(start: moment.start, end: end, hasEnd: true)
        var sample = sample(
            type, span, datum,
            metadata: HealthAutoExportReader.metadata(["value"], of: datum))
        sample.value = 0
        pages.add(sample)
    }

    private func seconds(_ value: Double, _ symbol: String) -> Double? {
        guard let unit = try? HealthUnit(symbol),
            let conversion = try? unit.conversion(to: .second)
        else { return nil }
        return conversion(value)
    }

    /// Adds a count of events or hours. One event of a point is a sample; other counts are totals.
    func addEvents(_ datum: JSONValue, to pages: inout IntakePages) {
        guard let moment = moment(of: datum, &pages) else { return }
        guard let sent = datum.member(ignoringCase: "qty") else {
            return addWithoutValue("qty", datum, to: &pages)
        }
        guard let count = sent.number else { return reject(.value, "qty", datum, &pages) }
        addCount(count, moment, datum, metadata: [:], to: &pages)
    }

    private func addCount(
        _ count: Double, _ moment: HealthAutoExportMoment, _ datum: JSONValue,
        metadata: Metadata, to pages: inout IntakePages
    ) {
        guard isSample(type, moment), count == 1 else {
            return addTotal(.count, count, "count", of: type, moment, datum, to: &pages)
        }
        var sample = sample(type, moment.span, datum, metadata: metadata)
        // An hour with standing is 0 in HealthKit, and so is an event without a value.
        sample.value = 0
        pages.add(sample)
    }

    /// Adds the numbers of sexual activities, by the use of protection.
    func addSexualActivity(_ datum: JSONValue, to pages: inout IntakePages) {
        guard let moment = moment(of: datum, &pages) else { return }
        let key = "HKSexualActivityProtectionUsed"
        let fields: [(name: String, metadata: Metadata)] = [
            ("Unspecified", [:]), ("Protection Used", [key: .number(1)]),
            ("Protection Not Used", [key: .number(0)]),
        ]
        var total: Double?
        var metadata: Metadata = [:]
        for field in fields {
            guard let sent = datum.member(ignoringCase: field.name) else { continue }
            guard let count = sent.number else {
                return reject(.value, field.name, datum, &pages)
            }
            total = (total ?? 0) + count
            if count == 1 { metadata = field.metadata }
        }
        guard let total else { return addEvents(datum, to: &pages) }
        addCount(total, moment, datum, metadata: metadata, to: &pages)
    }
}
