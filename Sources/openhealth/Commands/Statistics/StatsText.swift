import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The text output of `stats`.
enum StatsText {
    static func text(_ answer: StatsResult) -> String {
        guard let first = answer.buckets.first, let last = answer.buckets.last else {
            return "No \(TypeText.words(answer.type))\(chosen(answer)): nothing was recorded in "
                + "that period.\n"
        }
        let sentence: String
        var table: Table
        switch first.values {
        case .sum:
            let unit = ReadableUnit(answer.unit, largest: largest(answer))
            sentence = sums(answer, unit, first.start, last.end)
            table = quantities(
                answer, [answer.unit == "count" ? TypeText.words(answer.type) : unit.symbol]
            ) {
                if case .sum(let values) = $0 { return [unit.text(values.sum)] }
                return [""]
            }
        case .readings:
            let unit = ReadableUnit(answer.unit, largest: largest(answer))
            sentence = readings(answer, unit)
            table = quantities(
                answer, ["average, \(unit.symbol)", "minimum", "maximum", "latest"]
            ) {
                guard case .readings(let values) = $0 else { return ["", "", "", ""] }
                return [values.average, values.minimum, values.maximum, values.mostRecent]
                    .map(unit.text)
            }
        case .times:
            sentence =
                "\(TypeText.title(answer.type))\(step(answer)): hours and minutes by value "
                + "over \(counted(answer)), without double counting."
            table = times(answer)
        }
        let line = sparkline(answer)
        return sentence.wrapped() + "\n\n" + (line.isEmpty ? "" : line + "\n\n") + table.text
    }

    // MARK: - Summary sentence

    private static func sums(
        _ answer: StatsResult, _ unit: ReadableUnit, _ start: Double, _ end: Double
    ) -> String {
        let sums = answer.buckets.map { bucket -> Double in
            if case .sum(let values) = bucket.values { return values.sum ?? 0 }
            return 0
        }
        let sum = sums.reduce(0, +)
        if answer.step == .total {
            let amount = TypeText.amount(unit.text(sum), unit.symbol, of: answer.type)
            return "\(amount)\(chosen(answer)) from \(DateText.long(start, answer.calendar)) to "
                + "\(DateText.long(end - 1, answer.calendar)), without double counting."
        }
        let average = unit.text(sum / Double(sums.count))
        let symbol = answer.unit == "count" ? "" : " " + unit.symbol
        return "\(TypeText.title(answer.type))\(step(answer))\(chosen(answer)): "
            + "\(average)\(symbol) on average over \(counted(answer)), without double counting."
    }

    private static func readings(_ answer: StatsResult, _ unit: ReadableUnit) -> String {
        var found: [Statistics.Values] = []
        for bucket in answer.buckets {
            if case .readings(let values) = bucket.values { found.append(values) }
        }
        let least = unit.text(found.compactMap(\.minimum).min())
        let most = unit.text(found.compactMap(\.maximum).max())
        var text =
            "\(TypeText.title(answer.type))\(step(answer))\(chosen(answer)): \(least) to "
            + "\(most) \(unit.symbol)"
        if answer.step != .total { text += " over \(counted(answer))" }
        if let last = found.last, let time = last.mostRecentStart {
            text +=
                ", latest \(unit.text(last.mostRecent)) on "
                + DateText.long(time, answer.calendar)
        }
        return text + "."
    }

    private static func step(_ answer: StatsResult) -> String {
        answer.step == .total ? "" : ", by \(answer.step.name)"
    }

    private static func chosen(_ answer: StatsResult) -> String {
        answer.chosen.isEmpty
            ? "" : " from " + answer.chosen.map(\.printable).joined(separator: " and ") + " only"
    }

    private static func counted(_ answer: StatsResult) -> String {
        let step = answer.step == .total ? "period" : answer.step.name
        return HealthDashboard.counted(answer.buckets.count, step, step + "s")
    }

    // MARK: - Sparkline

    private static let maximumMarks = 60

    /// Returns a sparkline of the last 60 buckets and its range, as in "▁▃█·▅ 0 to 8,114 steps";
    /// empty if fewer than three of them have a value.
    private static func sparkline(_ answer: StatsResult) -> String {
        let edges = answer.edges.suffix(maximumMarks + 1)
        let values = Dictionary(
            answer.buckets.map { ($0.start, height($0.values)) }, uniquingKeysWith: { $1 })
        let marks = edges.dropLast().map { values[$0] ?? nil }
        let shown = marks.compactMap(\.self)
        guard shown.count >= 3, let least = shown.min(), let most = shown.max() else { return "" }
        let unit = ReadableUnit(answer.unit, largest: largest(answer))
        let isSum = answer.type.aggregation == .cumulative
        let low = isSum ? min(0, least) : least
        let symbol = answer.unit == "count" ? TypeText.words(answer.type) : unit.symbol
        var range = "\(isSum ? "" : "averages ")\(unit.text(low)) to \(unit.text(most)) \(symbol)"
        if answer.edges.count > edges.count {
            let step = answer.step.name
            range += ", last \(HealthDashboard.counted(marks.count, step, step + "s"))"
        }
        let text = Sparkline.text(marks, from: low, to: most)
        let isShort = text.count + 2 + range.displayWidth <= 80
        return text + (isShort ? "  " : "\n") + range
    }

    /// Returns the value of a bucket in the sparkline: the sum, or the average of readings; nil for
    /// categories.
    private static func height(_ values: StatsResult.Values) -> Double? {
        switch values {
        case .sum(let values): values.sum
        case .readings(let values): values.average
        case .times: nil
        }
    }

    // MARK: - Table

    private static func quantities(
        _ answer: StatsResult, _ titles: [String], _ cells: (StatsResult.Values) -> [String]
    ) -> Table {
        let hasSources = answer.buckets.contains { $0.sources != nil }
        var table = Table(
            [.words(answer.step.name)] + (hasSources ? [.words("source")] : [])
                + titles.map { .number($0) })
        var last = ""
        for bucket in answer.buckets {
            var name = label(bucket.start, bucket.end, answer.step, answer.calendar)
            // When clocks go back, an hour is repeated. The second one is labelled with its UTC
            // offset.
            let isRepeated = name == last
            last = name
            if isRepeated { name += " " + answer.calendar.text(bucket.start).suffix(6) }
            table.rows.append([name] + (hasSources ? ["merged"] : []) + cells(bucket.values))
            for (source, values) in bucket.sources ?? [] {
                table.rows.append(["", source.name] + cells(values))
            }
        }
        return table
    }

    private static func times(_ answer: StatsResult) -> Table {
        var longest: [Int: Double] = [:]
        for bucket in answer.buckets {
            guard case .times(let values) = bucket.values else { continue }
            for (value, seconds) in values.seconds {
                longest[value] = max(longest[value] ?? 0, seconds)
            }
        }
        let values = longest.keys.sorted()
        return quantities(answer, titles(values, of: answer.type)) { found in
            guard case .times(let found) = found else { return [] }
            return values.map { value in
                guard let seconds = found.seconds[value] else { return "" }
                if longest[value] ?? 0 > 0 { return NumberText.hours(seconds) }
                return NumberText.grouped(Double(found.counts[value] ?? 0)) + "×"
            }
        }
    }

    /// Returns column titles for category values. The prefix "asleep" is removed: "asleepCore"
    /// becomes "core".
    private static func titles(_ values: [Int], of type: SampleType) -> [String] {
        values.map { value in
            let name = ValueName.name(value, of: type)
            return name.hasPrefix("asleep") && name != "asleep" ? lowered(name.dropFirst(6)) : name
        }
    }

    private static func lowered(_ name: Substring) -> String {
        name.allSatisfy(\.isUppercase)
            ? String(name) : name.prefix(1).lowercased() + name.dropFirst()
    }

    /// Returns the label of a bucket: its first day, its start by hour, or both days of a total.
    static func label(
        _ start: Double, _ end: Double, _ step: Step, _ calendar: CalendarBuckets
    ) -> String {
        switch step {
        case .each(.hour): DateText.minute(start, calendar)
        case .each(let step): calendar.civilDate(start).name(of: step)
        case .total: calendar.day(start) + " – " + calendar.day(end - 1)
        }
    }

    private static func largest(_ answer: StatsResult) -> Double {
        answer.buckets.map { bucket in
            switch bucket.values {
            case .sum(let values): values.sum ?? 0
            case .readings(let values): values.maximum ?? 0
            case .times: 0
            }
        }.max() ?? 0
    }

    // MARK: - Notes

    static func notes(_ answer: StatsResult, _ options: String) -> [String] {
        var notes = answer.excluded.map {
            ExclusionNote.text($0.source.name, answer.type, reason: $0.reason, options)
        }
        let strange = answer.skipped.unconvertible.values.reduce(0, +)
        if strange > 0 {
            notes.append(
                "\(HealthDashboard.counted(strange, "sample is", "samples are")) not counted: the "
                    + "unit is unknown or doesn't fit the type.")
        }
        if answer.skipped.malformed > 0 {
            let malformed = HealthDashboard.counted(
                answer.skipped.malformed, "sample is", "samples are")
            notes.append("\(malformed) not counted: the time or the value is invalid.")
        }
        return notes
    }
}

extension String {
    /// Replaces spaces by newlines so that lines fit a width in terminal columns. Longer words stay
    /// whole.
    func wrapped(to width: Int = 80) -> String {
        var lines: [String] = [""]
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let last = lines[lines.count - 1]
            let word = String(word)
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if last.displayWidth + 1 + word.displayWidth <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines.joined(separator: "\n")
    }
}
