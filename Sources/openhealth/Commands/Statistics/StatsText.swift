import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The text output of `stats`.
enum StatsText {
    static func text(_ result: StatsResult) -> String {
        guard let first = result.buckets.min(by: { $0.start < $1.start }),
            let last = result.buckets.max(by: { $0.start < $1.start })
        else {
            return "No \(TypeText.name(result.type))\(chosen(result)): nothing was recorded in "
                + "that period.\n"
        }
        let sentence: String
        var table: Table
        switch first.values {
        case .sum:
            let unit = ReadableUnit(result.unit, largest: largest(result))
            sentence =
                result.isRanked
                ? ranking(result, unit) : sums(result, unit, first.start, last.end)
            table = quantities(
                result, [result.unit == "count" ? TypeText.name(result.type) : unit.symbol]
            ) {
                if case .sum(let values) = $0 { return [unit.text(values.sum)] }
                return [""]
            }
        case .readings:
            let unit = ReadableUnit(result.unit, largest: largest(result))
            sentence = result.isRanked ? ranking(result, unit) : readings(result, unit)
            table = quantities(
                result, ["average, \(unit.symbol)", "minimum", "maximum", "latest"]
            ) {
                guard case .readings(let values) = $0 else { return ["", "", "", ""] }
                return [values.average, values.minimum, values.maximum, values.mostRecent]
                    .map(unit.text)
            }
        case .times:
            sentence =
                "\(TypeText.title(result.type))\(step(result)): hours and minutes by value "
                + "over \(counted(result)), without double counting."
            table = times(result)
        }
        let line = result.isRanked ? "" : sparkline(result)
        let note = StatsTotalsText.note(result, ReadableUnit(result.unit, largest: largest(result)))
        return sentence.wrapped() + "\n\n" + (line.isEmpty ? "" : line + "\n\n") + table.text
            + (note.map { "\n" + $0.wrapped() + "\n" } ?? "")
    }

    // MARK: - Summary sentence

    private static func sums(
        _ result: StatsResult, _ unit: ReadableUnit, _ start: Double, _ end: Double
    ) -> String {
        let sums = result.buckets.map { bucket -> Double in
            if case .sum(let values) = bucket.values { return values.sum ?? 0 }
            return 0
        }
        let sum = sums.reduce(0, +)
        if result.step == .total {
            let amount = TypeText.amount(unit.text(sum), unit.symbol, of: result.type)
            return "\(amount)\(chosen(result)) from \(DateText.long(start, result.calendar)) to "
                + "\(DateText.long(end - 1, result.calendar)), without double counting."
        }
        let average = unit.text(sum / Double(sums.count))
        let symbol = result.unit == "count" ? "" : " " + unit.symbol
        return "\(TypeText.title(result.type))\(chosen(result))\(step(result)): "
            + "\(average)\(symbol) on average over \(counted(result)), without double counting."
    }

    /// Returns the sentence about the bucket with the largest value.
    private static func ranking(_ result: StatsResult, _ unit: ReadableUnit) -> String {
        guard let best = result.buckets.first, let value = best.values.height else { return "" }
        let amount =
            result.type.aggregation == .cumulative
            ? TypeText.amount(unit.text(value), unit.symbol, of: result.type)
            : "\(TypeText.name(result.type)) of \(unit.text(value)) \(unit.symbol) on average"
        let head = result.type.aggregation == .cumulative ? "The most" : "The highest"
        return "\(head)\(chosen(result)): \(amount) "
            + RankingText.time(best.start, best.end, result.step, result.calendar)
            + ", without double counting."
    }

    private static func readings(_ result: StatsResult, _ unit: ReadableUnit) -> String {
        var found: [Statistics.Values] = []
        for bucket in result.buckets {
            if case .readings(let values) = bucket.values { found.append(values) }
        }
        let minimum = unit.text(found.compactMap(\.minimum).min())
        let maximum = unit.text(found.compactMap(\.maximum).max())
        var text =
            "\(TypeText.title(result.type))\(chosen(result))\(step(result)): \(minimum) to "
            + "\(maximum) \(unit.symbol)"
        if result.step != .total { text += " over \(counted(result))" }
        if let last = found.last, let time = last.mostRecentStart {
            text +=
                ", latest \(unit.text(last.mostRecent)) on "
                + DateText.long(time, result.calendar)
        }
        return text + "."
    }

    private static func step(_ result: StatsResult) -> String {
        result.step == .total ? "" : ", by \(result.step.name)"
    }

    private static func chosen(_ result: StatsResult) -> String {
        ChosenSources.text(result.chosen, without: result.excluded)
    }

    private static func counted(_ result: StatsResult) -> String {
        let step = result.step == .total ? "period" : result.step.name
        return HealthDashboard.counted(result.buckets.count, step, step + "s")
    }

    // MARK: - Sparkline

    private static let maximumMarks = 60

    /// Returns a sparkline of the last 60 buckets and its range, as in "▁▃█·▅ 0 to 8,114 steps";
    /// empty if fewer than three of them have a value.
    private static func sparkline(_ result: StatsResult) -> String {
        let edges = result.edges.suffix(maximumMarks + 1)
        let values = Dictionary(
            result.buckets.map { ($0.start, height($0.values)) }, uniquingKeysWith: { $1 })
        let marks = edges.dropLast().map { values[$0] ?? nil }
        let shown = marks.compactMap(\.self)
        guard shown.count >= 3, let minimum = shown.min(), let maximum = shown.max() else {
            return ""
        }
        let unit = ReadableUnit(result.unit, largest: largest(result))
        let isSum = result.type.aggregation == .cumulative
        let low = isSum ? min(0, minimum) : minimum
        let symbol = result.unit == "count" ? TypeText.name(result.type) : unit.symbol
        var range =
            "\(isSum ? "" : "averages ")\(unit.text(low)) to \(unit.text(maximum)) \(symbol)"
        if result.edges.count > edges.count {
            let step = result.step.name
            range += ", last \(HealthDashboard.counted(marks.count, step, step + "s"))"
        }
        let text = Sparkline.text(marks, from: low, to: maximum)
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
        _ result: StatsResult, _ titles: [String], _ cells: (StatsResult.Values) -> [String]
    ) -> Table {
        let hasSources = result.buckets.contains { $0.sources != nil }
        let hasTotals = result.buckets.contains { $0.appleTotal != nil }
        var table = Table(
            [.text(result.step.name)] + (hasSources ? [.text("source")] : [])
                + titles.map { .number($0) } + (hasTotals ? [.text("")] : []))
        var last = ""
        for bucket in result.buckets {
            var name = label(bucket.start, bucket.end, result.step, result.calendar)
            // When clocks go back, an hour is repeated. The second one is labelled with its UTC
            // offset.
            let isRepeated = name == last
            last = name
            if isRepeated { name += " " + result.calendar.text(bucket.start).suffix(6) }
            let mark = hasTotals ? [bucket.appleTotal == nil ? "" : "*"] : []
            table.rows.append([name] + (hasSources ? ["merged"] : []) + cells(bucket.values) + mark)
            for (source, values) in bucket.sources ?? [] {
                table.rows.append(["", source.name] + cells(values))
            }
        }
        return table
    }

    private static func times(_ result: StatsResult) -> Table {
        var longest: [Int: Double] = [:]
        for bucket in result.buckets {
            guard case .times(let values) = bucket.values else { continue }
            for (value, seconds) in values.seconds {
                longest[value] = max(longest[value] ?? 0, seconds)
            }
        }
        let values = longest.keys.sorted()
        return quantities(result, titles(values, of: result.type)) { found in
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
        case .total, .weekday: calendar.day(start) + " – " + calendar.day(end - 1)
        }
    }

    private static func largest(_ result: StatsResult) -> Double {
        result.buckets.map { bucket in
            switch bucket.values {
            case .sum(let values): values.sum ?? 0
            case .readings(let values): values.maximum ?? 0
            case .times: 0
            }
        }.max() ?? 0
    }

    // MARK: - Notes

    static func notes(_ result: StatsResult, _ options: String) -> [String] {
        var notes = result.excluded.map {
            ExclusionNote.text($0.source.name, result.type, reason: $0.reason, options)
        }
        if let note = partNote(result) { notes.append(note) }
        let unconvertible = result.skipped.unconvertible.values.reduce(0, +)
        if unconvertible > 0 {
            notes.append(
                "\(HealthDashboard.counted(unconvertible, "sample is", "samples are")) not counted: the "
                    + "unit is unknown or doesn't fit the type.")
        }
        if result.skipped.malformed > 0 {
            let malformed = HealthDashboard.counted(
                result.skipped.malformed, "sample is", "samples are")
            notes.append("\(malformed) not counted: the time or the value is invalid.")
        }
        return notes
    }

    /// Returns which weeks, months or years the range covers in part, and which days of them; nil
    /// without any.
    private static func partNote(_ result: StatsResult) -> String? {
        guard let step = result.step.calendarStep, step != .hour, step != .day else { return nil }
        let calendar = result.calendar
        let parts = result.buckets.filter {
            calendar.start(of: step, at: $0.start) != $0.start
                || calendar.end(of: step, at: $0.start) != $0.end
        }
        if parts.isEmpty { return nil }
        let texts = parts.map { bucket in
            let days = [bucket.start, bucket.end - 1].map { calendar.day($0) }
            return "\(label(bucket.start, bucket.end, result.step, calendar)) "
                + "(\(days[0] == days[1] ? days[0] : days.joined(separator: " to ")))"
        }
        return "Not a whole \(result.step.name): \(texts.joined(separator: ", "))."
    }
}

/// The sources that a person chose with `--source`.
enum ChosenSources {
    /// Returns " from Watch and iPhone only", without those that are excluded all the same; empty if
    /// none was chosen.
    static func text(_ chosen: [String], without excluded: [ExcludedSource]) -> String {
        let out = Set(excluded.flatMap { [$0.source.name, $0.source.bundleIdentifier] })
        let counted = chosen.filter { !out.contains($0) }
        let names = (counted.isEmpty ? chosen : counted).map(\.printable)
        return names.isEmpty ? "" : " from " + names.joined(separator: " and ") + " only"
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
