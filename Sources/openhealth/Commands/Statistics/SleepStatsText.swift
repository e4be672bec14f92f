import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension SleepStage {
    /// Apple's Swift name of the stage, such as "asleepREM".
    var name: String {
        switch self {
        case .inBed: "inBed"
        case .awake: "awake"
        case .rem: "asleepREM"
        case .core: "asleepCore"
        case .deep: "asleepDeep"
        case .asleep: "asleepUnspecified"
        }
    }

    /// The stages that have a column, in its order. Time in bed has a column of its own.
    static let columns: [SleepStage] = [.awake, .rem, .core, .deep, .asleep]
}

/// The JSON output of `stats sleepAnalysis`. Durations are in seconds, and null if unknown.
enum SleepJSON {
    static func value(_ result: SleepStatsResult) -> JSONText {
        .object([
            "type": .string(result.type.identifier),
            "unit": .string("s"),
            "timeZone": .string(result.calendar.calendar.timeZone.identifier),
            "nightBelongsTo": .string(SleepStatsResult.nightDefinition),
            "buckets": .array(result.buckets.map { bucket($0, result) }),
            "excluded": result.excluded.isEmpty
                ? nil : .array(result.excluded.map(StatsJSON.excluded)),
        ])
    }

    private static func bucket(
        _ bucket: SleepStatsResult.Bucket, _ result: SleepStatsResult
    ) -> JSONText {
        let calendar = result.calendar
        var members: [(key: String, value: JSONText)] = [
            ("start", .string(calendar.text(bucket.start))),
            ("end", .string(calendar.text(bucket.end))),
        ]
        if result.step == .each(.day) {
            members.append(("day", .string(calendar.day(bucket.start))))
        }
        if let night = bucket.night {
            let (start, end) = (
                night.start.timeIntervalSinceReferenceDate, night.end.timeIntervalSinceReferenceDate
            )
            members.append(
                (
                    "night",
                    .object([
                        "start": .string(calendar.text(start)),
                        "end": .string(calendar.text(end)),
                    ])
                ))
        }
        members += amounts(bucket.amounts, result.step)
        if let sources = bucket.sources {
            members.append(
                (
                    "sources",
                    .array(
                        sources.map { source, found in
                            .object(
                                [
                                    ("name", .string(source.name)),
                                    ("bundleIdentifier", .string(source.bundleIdentifier)),
                                ] + amounts(found, result.step))
                        })
                ))
        }
        return .object(members)
    }

    private static func amounts(
        _ amounts: SleepStatsResult.Amounts, _ step: Step
    ) -> [(key: String, value: JSONText)] {
        let stages = SleepStage.columns.filter { amounts.stages[$0] != nil }
        let nights: [(key: String, value: JSONText)] =
            step == .each(.hour)
            ? []
            : [
                ("nights", .integer(amounts.nights)),
                ("nightsAsleepUnknown", .integer(amounts.nights - amounts.nightsAsleep)),
            ]
        let beds: [(key: String, value: JSONText)] =
            step == .each(.hour) ? [] : [("inBed", .amount(amounts.inBed))]
        return nights + [("asleep", .amount(amounts.asleep))] + beds + [
            (
                "seconds",
                .object(stages.map { ($0.name, .number(amounts.stages[$0] ?? 0)) })
            ),
            ("napSeconds", .number(amounts.napped)),
        ] + (step == .each(.hour) ? [] : [("naps", .integer(amounts.naps))])
    }
}

/// The CSV output of `stats sleepAnalysis`: one row for each bucket, then one for each of its
/// sources if requested. `asleep` is of the nights whose sleep is known, `inBed` of all. Durations are in seconds, and empty if unknown.
enum SleepCSV {
    static func text(_ result: SleepStatsResult) -> String {
        let hasSources = result.buckets.contains { $0.sources != nil }
        let header =
            ["day", "start", "end", "nights", "nightsAsleepUnknown", "asleep", "inBed"]
            + SleepStage.columns.map(\.name)
            + ["naps", "napSeconds"] + ["unit"]
            + (hasSources ? ["source", "bundleIdentifier"] : [])
        var text = CSVText.row(header)
        for bucket in result.buckets {
            let calendar = result.calendar
            let time = [
                calendar.day(bucket.start), calendar.text(bucket.start), calendar.text(bucket.end),
            ]
            text += CSVText.row(time + cells(bucket.amounts) + (hasSources ? ["", ""] : []))
            for (source, amounts) in bucket.sources ?? [] {
                text += CSVText.row(
                    time + cells(amounts) + [source.name, source.bundleIdentifier])
            }
        }
        return text
    }

    private static func cells(_ amounts: SleepStatsResult.Amounts) -> [String] {
        [
            String(amounts.nights), String(amounts.nights - amounts.nightsAsleep),
            CSVText.number(amounts.asleep), CSVText.number(amounts.inBed),
        ] + SleepStage.columns.map { CSVText.number(amounts.stages[$0]) }
            + [String(amounts.naps), CSVText.number(amounts.napped), "s"]
    }
}

/// The text output of `stats sleepAnalysis`.
enum SleepText {
    static func text(_ result: SleepStatsResult) -> String {
        if result.buckets.isEmpty {
            return "No \(TypeText.name(result.type)): nothing was recorded in that period.\n"
        }
        return sentence(result).wrapped() + "\n" + SleepStatsResult.nightDefinition.wrapped()
            + "\n\n"
            + table(result).text
    }

    private static func sentence(_ result: SleepStatsResult) -> String {
        if result.isRanked, let best = result.buckets.first, let average = best.amounts.average {
            let night = result.step == .each(.day) ? "" : " a night"
            return "The most: \(NumberText.hours(average)) h asleep\(night) "
                + RankingText.time(best.start, best.end, result.step, result.calendar)
                + ", without double counting."
        }
        let step = result.step == .total ? "" : ", by \(result.step.name)"
        let chosen = ChosenSources.text(result.chosen, without: result.excluded)
        let head = "\(TypeText.title(result.type))\(chosen)\(step): "
        if result.step == .each(.hour) {
            return head + "the part of each night in each hour, without double counting."
        }
        let nights = result.buckets.reduce(0) { $0 + $1.amounts.nights }
        let known = result.buckets.reduce(0) { $0 + $1.amounts.nightsAsleep }
        let asleep = result.buckets.reduce(0) { $0 + ($1.amounts.asleep ?? 0) }
        let average =
            known > 0 ? ", \(NumberText.hours(asleep / Double(known))) h asleep on average" : ""
        let unknown = nights - known
        return head + counted(nights, "night", "nights") + average
            + (unknown > 0
                ? "; for \(counted(unknown, "night", "nights")) only time in bed is known" : "")
            + ", without double counting."
    }

    private static func table(_ result: SleepStatsResult) -> Table {
        let all = result.buckets.flatMap { bucket in
            [bucket.amounts] + (bucket.sources ?? []).map(\.amounts)
        }
        let stages = SleepStage.columns.filter { stage in all.contains { $0.stages[stage] != nil } }
        let isMany = result.step != .each(.day) && result.step != .each(.hour)
        // Otherwise time asleep of one night would stand beside time in bed of seven.
        let hasUnknown = isMany && all.contains { $0.nightsAsleep < $0.nights }
        let hasBeds = all.contains { $0.inBed != nil }
        let hasNaps = all.contains { $0.napped > 0 }
        let hasSources = result.buckets.contains { $0.sources != nil }
        var table = Table(
            [.text(result.step.name)] + (hasSources ? [.text("source")] : [])
                + (isMany ? [.number("nights")] : []) + (hasUnknown ? [.number("with sleep")] : [])
                + [.number("asleep")]
                + (isMany ? [.number("per night")] : []) + (hasBeds ? [.number("in bed")] : [])
                + stages.map { .number($0.title) } + (hasNaps ? [.number("naps")] : []))
        func cells(_ amounts: SleepStatsResult.Amounts) -> [String] {
            func hours(_ seconds: Double?) -> String {
                seconds.map { NumberText.hours($0) } ?? "–"
            }
            let average = amounts.asleep.map { $0 / Double(max(1, amounts.nightsAsleep)) }
            return (isMany ? ["\(amounts.nights)"] : [])
                + (hasUnknown ? ["\(amounts.nightsAsleep)"] : []) + [hours(amounts.asleep)]
                + (isMany ? [hours(average)] : []) + (hasBeds ? [hours(amounts.inBed)] : [])
                + stages.map { amounts.stages[$0].map { NumberText.hours($0) } ?? "" }
                + (hasNaps ? [amounts.napped > 0 ? hours(amounts.napped) : ""] : [])
        }
        for bucket in result.buckets {
            table.rows.append(
                [label(bucket, result)] + (hasSources ? ["merged"] : [])
                    + cells(bucket.amounts))
            for (source, amounts) in bucket.sources ?? [] {
                table.rows.append(["", source.name] + cells(amounts))
            }
        }
        return table
    }

    private static func label(_ bucket: SleepStatsResult.Bucket, _ result: SleepStatsResult)
        -> String
    {
        StatsText.label(bucket.start, bucket.end, result.step, result.calendar)
    }
}

extension SleepStage {
    /// The stage's column title: "REM", "unspecified".
    fileprivate var title: String {
        switch self {
        case .rem: "REM"
        case .asleep: "unspecified"
        default: rawValue
        }
    }
}
