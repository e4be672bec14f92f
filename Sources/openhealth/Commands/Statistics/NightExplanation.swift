import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The explanation of a night: what each source recorded, and what of it counts.
struct NightExplanation {
    let type: SampleType
    let day: CivilDate
    /// The night of the day; nil if nothing was recorded.
    let night: SleepNight?
    let excluded: [ExcludedSource]
    let calendar: CalendarBuckets

    /// Reads the explanation of a day's night.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    @MainActor init(
        _ store: SampleStore, _ type: SampleType, day: CivilDate, _ calendar: CalendarBuckets
    ) async throws {
        (self.type, self.day, self.calendar) = (type, day, calendar)
        let times = calendar.times(of: DayPeriod(first: day, end: day.advanced(by: 1)))
        let query = SampleQuery(type, from: times.from, to: times.to)
        night =
            try await NightReader(store: store, query: query, .each(.day), calendar)
            .nights(from: nil).first { $0.morning == day }
        excluded = try store.exclusions(visibility: query.visibility)
            .filter { $0.type == type }.map(\.excluded)
    }
}

/// The JSON output of `explain sleepAnalysis`. Durations are in seconds, and null if unknown.
enum NightExplanationJSON {
    static func value(_ explanation: NightExplanation) -> JSONText {
        let calendar = explanation.calendar
        let night = explanation.night
        func time(_ date: Date) -> JSONText {
            .string(calendar.text(date.timeIntervalSinceReferenceDate))
        }
        return .object([
            "type": .string(explanation.type.identifier),
            "unit": .string("s"),
            "day": .string(explanation.day.description),
            "timeZone": .string(calendar.calendar.timeZone.identifier),
            "nightBelongsTo": .string(SleepStatsResult.nightDefinition),
            "night": night.map {
                .object(["start": time($0.interval.start), "end": time($0.interval.end)])
            } ?? .null,
            "asleep": .amount(night?.asleep),
            "inBed": .amount(night?.inBed),
            "napSeconds": .amount(night?.napped),
            "sources": .array(
                (night?.parts ?? []).map {
                    .object([
                        "name": .string($0.source), "rank": .integer($0.rank),
                        "contributed": .number($0.counted),
                        "setAside": .number(max(0, $0.recorded - $0.counted)),
                        "reason": .text($0.reason),
                    ])
                }),
            "segments": .array(
                (night?.mergedIntervals ?? []).map {
                    .object([
                        "start": time($0.start), "end": time($0.end),
                        "stage": .string($0.stage.name), "source": .string($0.source),
                    ])
                }),
            "excluded": explanation.excluded.isEmpty
                ? nil : .array(explanation.excluded.map(StatsJSON.excluded)),
        ])
    }
}

/// The text output of `explain sleepAnalysis`.
enum NightExplanationText {
    static func text(_ explanation: NightExplanation) -> String {
        let day = DateText.long(explanation.day.description)
        guard let night = explanation.night else {
            return "No sleep for \(day): nothing was recorded in the night that ends on that "
                + "day.\n"
        }
        var text = sentence(night, day, explanation.calendar).wrapped() + "\n\n"
        text += table(night).text
        let chart = chart(night, explanation.calendar)
        if !chart.isEmpty { text += "\n" + chart }
        return text + "\n" + SleepStatsResult.nightDefinition.wrapped() + "\n"
    }

    private static func sentence(
        _ night: SleepNight, _ day: String, _ calendar: CalendarBuckets
    ) -> String {
        func clock(_ date: Date) -> String {
            String(
                DateText.minute(date.timeIntervalSinceReferenceDate, calendar).suffix(5))
        }
        let asleep =
            night.asleep.map { "\(NumberText.hours($0)) h asleep" } ?? "Time asleep unknown"
        let inBed = night.inBed.map { ", in bed \(NumberText.hours($0))" } ?? ""
        let naps =
            night.naps.isEmpty
            ? "" : ", and naps of \(NumberText.hours(night.napped)) counted separately"
        return "\(asleep) in the night to \(day), from \(clock(night.interval.start)) to "
            + "\(clock(night.interval.end))\(inBed)\(naps), without double counting."
    }

    private static func table(_ night: SleepNight) -> Table {
        var table = Table([
            .number("rank"), .text("source"), .number("counted"), .number("recorded"),
            .text("why not all", maximumWidth: 44),
        ])
        for part in night.parts {
            table.rows.append([
                String(part.rank), part.source, NumberText.hours(part.counted),
                NumberText.hours(part.recorded), part.reason ?? "",
            ])
        }
        if night.parts.count > 1, let asleep = night.asleep {
            table.addRule()
            table.rows.append(["", "night", NumberText.hours(asleep), "", ""])
        }
        return table
    }

    // MARK: - Stages

    /// The order of the rows, and the names before them.
    private static let stages: [(SleepStage, String)] = [
        (.awake, "awake"), (.rem, "REM"), (.core, "core"), (.deep, "deep"),
        (.asleep, "asleep"), (.inBed, "in bed"),
    ]

    /// Returns a row of marks for each stage, one mark for ten minutes, with the hours below.
    private static func chart(_ night: SleepNight, _ calendar: CalendarBuckets) -> String {
        let length = night.interval.duration
        let cell: Double = length <= 60 * 600 ? 600 : 1800
        let count = Int(clamping: (length / cell).rounded(.up))
        guard (2...60).contains(count) else { return "" }
        var text = ""
        for (stage, name) in stages {
            let own = night.mergedIntervals.filter { $0.stage == stage }
            let seconds = own.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) }
            if own.isEmpty { continue }
            let marks = (0..<count).map { place -> String in
                let start = night.interval.start.addingTimeInterval(Double(place) * cell)
                let end = start.addingTimeInterval(cell)
                return own.contains { $0.start < end && $0.end > start } ? "█" : "·"
            }
            text +=
                name.padded(to: 7) + marks.joined() + "  " + NumberText.hours(seconds) + "\n"
        }
        return text + axis(night, count, cell, calendar)
    }

    private static func axis(
        _ night: SleepNight, _ count: Int, _ cell: Double, _ calendar: CalendarBuckets
    ) -> String {
        var line = [Character](repeating: " ", count: count + 3)
        for place in 0..<count {
            let start = night.interval.start.timeIntervalSinceReferenceDate + Double(place) * cell
            let hour = calendar.start(of: .hour, at: start + cell)
            guard hour >= start, hour < start + cell else { continue }
            let label = DateText.minute(hour, calendar).suffix(5).prefix(2)
            let isFree = place == 0 || line[place - 1] == " "
            if isFree { for (offset, digit) in label.enumerated() { line[place + offset] = digit } }
        }
        var text = "hour".padded(to: 7) + String(line)
        while text.hasSuffix(" ") { text.removeLast() }
        return text + "\n"
    }
}
