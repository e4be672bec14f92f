import HealthEngine
import HealthStorage

// Electrocardiograms and notifications about the heart rate.
extension HealthAutoExportReader {
    /// Adds an electrocardiogram. Its numbers are those of ``SampleDetail/numbers(_:)``: voltages
    /// in microvolts, and their times in seconds from the start.
    func addElectrocardiogram(_ record: JSONValue, to pages: inout IntakePages) {
        guard let type = Catalogue.type(named: "electrocardiogram"),
            let span = span(of: record, keptAs: record, &pages)
        else { return }
        guard let voltages = HealthAutoExportVoltages(record["voltageMeasurements"], span) else {
            return pages.reject(.unit, field: "voltageMeasurements", record)
        }
        var metadata = HealthAutoExportReader.metadata(
            ["classification", "severity"], of: record)
        metadata.merge(HealthAutoExportReader.metadataEntries(of: record)) { own, _ in own }
        metadata.merge(voltages.metadata) { _, own in own }
        var numbers = voltages.numbers
        for field in ["numberOfVoltageMeasurements", "samplingFrequency", "averageHeartRate"] {
            // Newer fields of this app are numbers with a unit.
            guard let number = record[field]?.number ?? record[field]?["qty"]?.number else {
                continue
            }
            // The app writes 0 for no average.
            if field == "averageHeartRate" && number == 0 { continue }
            numbers[field] = [number]
        }
        if let word = record["classification"]?.string,
            let value = HealthAutoExportReader.classifications[HealthAutoExportReader.folded(word)]
        {
            numbers["classification"] = [value]
        }
        var sample = sample(type, span, source: record["source"], metadata: metadata)
        if !numbers.isEmpty { sample.detail = .numbers(numbers) }
        pages.add(sample)
    }

    /// HealthKit's classifications of electrocardiograms by the app's English words. The app has
    /// more words than HealthKit has values. Those are kept as text.
    private static let classifications: [String: Double] = [
        "sinusrhythm": 1, "atrialfibrillation": 2, "inconclusivelowheartrate": 3,
        "inconclusivehighheartrate": 4, "inconclusivepoorrecording": 5,
        "inconclusivepoorreading": 5, "unrecognized": 100,
    ]

    /// Adds a notification of a high, low or irregular heart rate. Its series are kept as metadata.
    func addNotification(_ record: JSONValue, to pages: inout IntakePages) {
        guard let type = HealthAutoExportReader.eventType(record["heartNotification"]?.string)
        else { return pages.keepUnknown("heartRateNotifications", record) }
        guard let span = span(of: record, keptAs: record, &pages) else { return }
        var metadata = HealthAutoExportReader.metadata(
            ["heartRateData", "heartRate", "heartRateVariation"], of: record)
        metadata.merge(HealthAutoExportReader.metadataEntries(of: record)) { own, _ in own }
        if let threshold = HealthAutoExportQuantity(record["threshold"]),
            threshold.isCompatible(with: "count/min")
        {
            metadata["HKHeartRateEventThreshold"] =
                .quantity(threshold.value, unit: threshold.unit)
        } else {
            metadata.merge(HealthAutoExportReader.metadata(["threshold"], of: record)) { $1 }
        }
        var sample = sample(type, span, source: record["source"], metadata: metadata)
        sample.value = 0
        pages.add(sample)
    }

    /// Returns the type of a notification: `low_heart_rate_notification`, or HealthKit's
    /// identifier.
    private static func eventType(_ name: String?) -> SampleType? {
        guard let name else { return nil }
        let types = ["highHeartRateEvent", "lowHeartRateEvent", "irregularHeartRhythmEvent"]
            .compactMap(Catalogue.type(named:))
        if let known = types.first(where: { $0.identifier == name }) { return known }
        let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
        let word = folded(singular)
        let words = [
            "high": ["highheartratenotification", "highheartrateevent"],
            "low": ["lowheartratenotification", "lowheartrateevent"],
            "irregular": [
                "irregularheartratenotification", "irregularheartrhythmnotification",
                "irregularheartrhythmevent",
            ],
        ]
        guard let kind = words.first(where: { $0.value.contains(word) })?.key else { return nil }
        return types.first { $0.name.hasPrefix(kind) }
    }
}

/// The voltages of an electrocardiogram.
struct HealthAutoExportVoltages {
    /// Microvolts, and seconds from the start of the electrocardiogram.
    private(set) var numbers: [String: [Double]] = [:]
    private(set) var metadata: Metadata = [:]

    /// Reads voltages. Those without a number or a date are left out, and counted in the metadata.
    ///
    /// - Returns: Nil if a unit is none of voltages.
    init?(_ json: JSONValue?, _ span: HealthAutoExportSpan) {
        var voltages: [Double] = []
        var dates: [Double] = []
        var leftOut = 0
        var known: (text: String, conversion: UnitConversion)?
        for point in json?.array ?? [] {
            guard let voltage = point["voltage"]?.number,
                let date = HealthAutoExportVoltages.unixSeconds(point["date"])
            else {
                leftOut += 1
                continue
            }
            let text = point["units"]?.string ?? ""
            if known?.text != text {
                guard let conversion = HealthAutoExportVoltages.conversion(text) else {
                    return nil
                }
                known = (text, conversion)
            }
            voltages.append(known?.conversion(voltage) ?? voltage)
            dates.append(date)
        }
        if leftOut > 0 {
            metadata[HealthAutoExportReader.key("voltagesLeftOut")] = .number(Double(leftOut))
        }
        guard let first = dates.first else { return }
        let epoch = HealthAutoExportEpoch(first, span)
        metadata[HealthAutoExportReader.key("epoch")] = .string(epoch.rawValue)
        numbers["voltages"] = voltages
        numbers["offsets"] = dates.map { epoch.offset($0, first: first, from: span.start) }
    }

    private static func conversion(_ text: String) -> UnitConversion? {
        guard let unit = IntakeUnit.named(text), let parsed = try? HealthUnit(unit.symbol),
            let microvolt = try? HealthUnit("mcV")
        else { return nil }
        return try? parsed.conversion(to: microvolt)
    }

    /// Reads a date in seconds since an unknown reference date, or a text in Unix seconds.
    private static func unixSeconds(_ json: JSONValue?) -> Double? {
        json?.number
            ?? IntakeDate.reading(json?.string ?? "").map {
                $0.seconds + HealthAutoExportEpoch.unixToReference
            }
    }
}

/// What dates that are sent as numbers count from. The app doesn't state it.
enum HealthAutoExportEpoch: String {
    case unix = "1970"
    case reference = "2001"
    case unknown

    /// The seconds from 1970-01-01 to 2001-01-01.
    static let unixToReference: Double = 978_307_200

    /// Derives it from the first date of a series, which is at most a day outside of its record.
    init(_ date: Double, _ span: HealthAutoExportSpan) {
        let range = span.start - 86_400...span.end + 86_400
        if range.contains(date - HealthAutoExportEpoch.unixToReference) {
            self = .unix
        } else {
            self = range.contains(date) ? .reference : .unknown
        }
    }

    /// Returns the seconds from a start to a date; from the first date if nothing else is known.
    func offset(_ date: Double, first: Double, from start: Double) -> Double {
        switch self {
        case .unix: date - HealthAutoExportEpoch.unixToReference - start
        case .reference: date - start
        case .unknown: date - first
        }
    }
}
