import HealthEngine
import HealthStorage

// Sleep has three shapes. Only segments with a start and an end become samples. The sums of a night
// are totals of the day on which the person woke up.
extension HealthAutoExportMetric {
    func addSleep(_ datum: JSONValue, to pages: inout IntakePages) {
        if datum["startDate"] != nil || datum["endDate"] != nil {
            addSegment(datum, to: &pages)
        } else {
            addNight(datum, to: &pages)
        }
    }

    /// HealthKit's values of the app's words.
    private static let stages: [String: Double] = [
        "inbed": 0, "asleep": 1, "unspecified": 1, "asleepunspecified": 1, "awake": 2, "core": 3,
        "asleepcore": 3, "deep": 4, "asleepdeep": 4, "rem": 5, "asleeprem": 5,
    ]

    private func addSegment(_ datum: JSONValue, to pages: inout IntakePages) {
        guard let span = reader.span(of: datum, keptAs: heading.record(datum), &pages) else {
            return
        }
        guard span.hasEnd else { return reject(.date, "end", datum, &pages) }
        guard let word = datum["value"]?.string,
            let stage = Self.stages[HealthAutoExportReader.folded(word)]
        else { return keepUnknown("value", datum, &pages) }
        if datum["source"]?.string?.contains("|") == true {
            return keepUnknown("of several sources", datum, &pages)
        }
        var sample = reader.sample(
            type, span, source: datum["source"],
            metadata: HealthAutoExportReader.metadataEntries(of: datum))
        sample.value = stage
        pages.add(sample)
    }

    // MARK: - Nights

    /// The sums of a night, by the names that the app has for them.
    private static let sums = ["totalSleep", "asleep", "core", "deep", "rem", "awake", "inBed"]

    private func addNight(_ datum: JSONValue, to pages: inout IntakePages) {
        guard var interval = night(of: datum, &pages) else { return }
        let present = Self.sums.filter { datum.member(ignoringCase: $0) != nil }
        var totals: [(name: String, value: Double)] = []
        for name in present {
            guard let value = duration(name, of: datum, &pages) else { return }
            totals.append((name, value))
        }
        if present.isEmpty {
            // Very old versions send one sum, and its kind as a word.
            guard let word = datum["value"]?.string, datum["qty"] != nil,
                let name = Self.sums.first(where: {
                    $0.lowercased() == HealthAutoExportReader.folded(word)
                })
            else { return keepUnknown("shape", datum, &pages) }
            guard let value = duration("qty", of: datum, &pages) else { return }
            totals.append((name, value))
            // A night can have several of these, so their dates distinguish them.
            if let date = reader.date(datum["date"])?.seconds {
                (interval.start, interval.end) = (date, date)
            }
        }
        for total in totals {
            pages.add(
                ExternalTotal(
                    type: type.code, statistic: .duration, start: interval.start,
                    end: interval.end, value: total.value, unit: unit?.symbol ?? "hr",
                    series: series(total.name), index: 0))
        }
    }

    /// The series of a kind of sum. Totals of one type and day would otherwise replace each other.
    private func series(_ name: String) -> String {
        reader.automation.isEmpty ? name : "\(reader.automation)/\(name)"
    }

    private func duration(
        _ field: String, of datum: JSONValue, _ pages: inout IntakePages
    ) -> Double? {
        guard let value = value(field, of: type, in: datum, &pages) else { return nil }
        guard value >= 0 else {
            reject(.range, field, datum, &pages)
            return nil
        }
        return value
    }

    /// Returns the day of a night: that of its end or, without one, of its date. Rejects a datum
    /// without a readable date, and returns nil.
    private func night(
        of datum: JSONValue, _ pages: inout IntakePages
    ) -> HealthAutoExportSpan? {
        var dates: [String: IntakeDate] = [:]
        for field in ["date", "sleepStart", "sleepEnd", "inBedStart", "inBedEnd"] {
            guard let sent = datum[field], sent.string != "" else { continue }
            guard let date = reader.date(sent) else {
                reject(.date, field, datum, &pages)
                return nil
            }
            dates[field] = date
        }
        for (start, end) in [("sleepStart", "sleepEnd"), ("inBedStart", "inBedEnd")] {
            if let start = dates[start], let last = dates[end], last.seconds < start.seconds {
                reject(.endBeforeStart, end, datum, &pages)
                return nil
            }
        }
        guard let waking = dates["sleepEnd"] ?? dates["inBedEnd"] ?? dates["date"] else {
            reject(.date, "date", datum, &pages)
            return nil
        }
        let offset = Double(waking.offset ?? 0)
        let midnight = ((waking.seconds + offset) / 86_400).rounded(.down) * 86_400 - offset
        return HealthAutoExportSpan(start: midnight, end: midnight + 86_400, hasEnd: true)
    }
}
