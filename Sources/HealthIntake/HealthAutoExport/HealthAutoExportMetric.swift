import HealthEngine
import HealthStorage

/// A metric: what is the same for all of its data, and how they become samples or totals.
///
/// A datum has a date, but no end and no identifier. Points of discrete types become samples.
/// Everything else is a total: buckets, points of unknown origin, and points of cumulative types,
/// whose sum over several sources would count the same steps twice.
struct HealthAutoExportMetric {
    let reader: HealthAutoExportReader
    let type: SampleType
    let heading: HealthAutoExportHeading
    let verdict: HealthAutoExportVerdict
    /// The offsets from UTC of dates at midnight, by day number.
    private let offsets: [Int: Int]
    /// The unit of the values; nil if it is unknown or doesn't suit the type.
    let unit: IntakeUnit?

    init(
        _ reader: HealthAutoExportReader, _ type: SampleType, _ heading: HealthAutoExportHeading,
        _ evidence: HealthAutoExportEvidence
    ) {
        self.reader = reader
        self.type = type
        self.heading = heading
        let isCount = type.aggregation == .cumulative && type.canonicalUnit == "count"
        verdict = evidence.verdict(header: reader.aggregation, isCount: isCount)
        offsets = evidence.offsets
        unit = HealthAutoExportMetric.unit(heading.units.string ?? "", of: type)
    }

    private static func unit(_ text: String, of type: SampleType) -> IntakeUnit? {
        if type.kind == .quantity { return IntakeUnit.sent(text, for: type, .hundred) }
        if type.kind == .correlation {
            let member = Catalogue.type(named: "bloodPressureSystolic")
            return member.flatMap { IntakeUnit.sent(text, for: $0, .hundred) }
        }
        // Sleep, sessions and events have a duration.
        let unit = IntakeUnit.named(text)
        return unit?.isCompatible(with: "s") == true ? unit : nil
    }

    /// Adds a datum, which is the current record.
    func add(_ datum: JSONValue, to pages: inout IntakePages) {
        guard datum.members != nil else { return reject(.type, nil, datum, &pages) }
        switch type.name {
        case "sleepAnalysis": addSleep(datum, to: &pages)
        case "heartRate": addHeartRate(datum, to: &pages)
        case "bloodPressure": addBloodPressure(datum, to: &pages)
        case "sexualActivity": addSexualActivity(datum, to: &pages)
        case "handwashingEvent", "toothbrushingEvent", "mindfulSession":
            addSession(datum, to: &pages)
        case _ where type.kind == .category: addEvents(datum, to: &pages)
        default: addQuantity(datum, to: &pages)
        }
    }
}

// MARK: - Parts of a datum

/// The times of a datum.
struct HealthAutoExportMoment {
    var start: Double
    /// The end that the datum states, or that of its bucket, or `start`.
    var end: Double
    /// Whether the datum states its end.
    var hasEnd: Bool

    var span: HealthAutoExportSpan {
        HealthAutoExportSpan(start: start, end: hasEnd ? end : start, hasEnd: hasEnd)
    }
}

extension HealthAutoExportMetric {
    /// Reads the times of a datum. Rejects one in which they are invalid, and returns nil.
    func moment(
        of datum: JSONValue, _ pages: inout IntakePages
    ) -> HealthAutoExportMoment? {
        guard let date = reader.date(datum["date"] ?? datum["startDate"]) else {
            reject(.date, "date", datum, &pages)
            return nil
        }
        let start = date.seconds
        guard let given = datum["end"] ?? datum["endDate"] else {
            let end = verdict.interval?.end(after: date, offsets) ?? start
            return HealthAutoExportMoment(start: start, end: end, hasEnd: false)
        }
        guard let end = reader.date(given)?.seconds else {
            reject(.date, "end", datum, &pages)
            return nil
        }
        guard end >= start else {
            reject(.endBeforeStart, "end", datum, &pages)
            return nil
        }
        return HealthAutoExportMoment(start: start, end: end, hasEnd: true)
    }

    /// Reads a value in HealthKit's unit. Rejects a datum without a valid one, and returns nil.
    func value(
        _ field: String, of type: SampleType, in datum: JSONValue, _ pages: inout IntakePages
    ) -> Double? {
        guard let number = datum.member(ignoringCase: field)?.number else {
            reject(.value, field, datum, &pages)
            return nil
        }
        guard let unit else {
            reject(.unit, "units", datum, &pages)
            return nil
        }
        let value = unit.converted(number)
        guard PercentageRange.holds(value, type) else {
            reject(.range, field, datum, &pages)
            return nil
        }
        return value
    }

    func reject(
        _ reason: IntakeRejection.Reason, _ field: String?, _ datum: JSONValue,
        _ pages: inout IntakePages
    ) {
        pages.reject(reason, field: field, heading.record(datum))
    }

    /// Keeps a datum whose shape isn't known.
    ///
    /// - Parameters:
    ///   - part: What isn't known, to follow the metric's name.
    ///   - datum: The datum.
    func keepUnknown(_ part: String, _ datum: JSONValue, _ pages: inout IntakePages) {
        pages.keepUnknown("\(heading.text) \(part)", heading.record(datum))
    }

    /// Keeps a datum without a value: one with other members has an unknown shape, and one without
    /// is invalid.
    func addWithoutValue(_ field: String, _ datum: JSONValue, to pages: inout IntakePages) {
        let known: Set = [
            "date", "startDate", "end", "endDate", "source", "units", "metadata", field,
        ]
        if (datum.members ?? []).allSatisfy({ known.contains($0.name) }) {
            reject(.value, field, datum, &pages)
        } else {
            keepUnknown("shape", datum, &pages)
        }
    }

    // MARK: - Samples and totals

    /// Whether values of a type are samples, not totals.
    func isSample(_ type: SampleType, _ moment: HealthAutoExportMoment) -> Bool {
        // A reading without evidence of aggregation is a measurement, but an amount can be a total.
        if verdict.kind == .unknown { return type.aggregation != .cumulative }
        guard verdict.kind == .point else { return false }
        return type.aggregation != .cumulative || moment.hasEnd
            || HealthAutoExportMetric.isMomentary(type)
    }

    /// Whether samples of a cumulative type have no duration: what people log, such as food. The
    /// sum over all sources counts nothing twice.
    private static func isMomentary(_ type: SampleType) -> Bool {
        switch type.name {
        case "insulinDelivery", "inhalerUsage", "numberOfAlcoholicBeverages",
            "numberOfTimesFallen":
            true
        default: type.name.hasPrefix("dietary")
        }
    }

    /// Returns a sample without a value.
    func sample(
        _ type: SampleType, _ span: HealthAutoExportSpan, _ datum: JSONValue,
        metadata: Metadata = [:]
    ) -> ReceivedSample {
        var entries = HealthAutoExportReader.metadataEntries(of: datum)
        entries.merge(metadata) { _, own in own }
        entries.merge(verdict.metadata) { _, own in own }
        return reader.sample(type, span, source: datum["source"], metadata: entries)
    }

    /// Adds a total. That of a bucket counts all sources, whatever sources the datum names: a later
    /// total of the same bucket can name more of them, and replaces this one.
    func addTotal(
        _ statistic: ExternalTotal.Statistic, _ value: Double, _ unit: String,
        of type: SampleType, _ moment: HealthAutoExportMoment, _ datum: JSONValue,
        to pages: inout IntakePages
    ) {
        let source = HealthAutoExportReader.source(datum["source"]).name
        pages.add(
            ExternalTotal(
                type: type.code, statistic: statistic, start: moment.start, end: moment.end,
                value: value, unit: unit, source: verdict.kind == .bucket ? "" : source,
                series: reader.automation, index: 0))
    }
}
