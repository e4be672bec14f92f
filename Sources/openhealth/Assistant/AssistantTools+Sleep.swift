import Foundation
import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

// Nights.
extension AssistantTools {
    var sleep: AssistantTool {
        AssistantTool(
            "sleep", title: "Nights and their averages",
            "How someone slept: the average night of a period, and each night, week, month or "
                + "year, with stages. All durations are in seconds. "
                + SleepStatsResult.nightDefinition,
            parameters: [
                .optional("period", .text(AssistantWords.period + " Default: 7d.")),
                .optional("by", .choice(Self.nightSteps, "Default: day, which is a night.")),
                .optional("cursor", .text(AssistantWords.cursor)),
            ],
            result: .object(
                [
                    .required("type", .text()), .required("name", .text()),
                    .required("unit", .text("The unit of all durations: s, seconds.")),
                    .required("timeZone", .text()), .required("period", AssistantPeriod.schema),
                    .required("by", .choice(Self.nightSteps)),
                    .required("nights", .integer(nil, "The nights that were measured.")),
                    .required(
                        "nightsWithSleep",
                        .integer(nil, "Those with known sleep; of others only time in bed is.")),
                    .required(
                        "value",
                        Schema.number(
                            "The average seconds asleep in a night. " + AssistantWords.missing
                        ).orNull),
                    .required("text", .text("The average in words.")),
                    .optional("inBed", Schema.number("The average seconds in bed.").orNull),
                    .optional("reason", .text("Why the value is null.")),
                    .optional("provenance", .text()),
                    .optional("notes", .array(of: .text())),
                ] + PagedAnswer.properties("rows", of: .object(Self.nightProperties))),
            { arguments in
                let question = try AssistantQuestion(self, store, arguments)
                return try await question.nights()
            })
    }

    private static let nightSteps =
        CalendarStep.allCases.filter { $0 != .hour }.map(\.rawValue)

    private static let nightProperties: [Schema.Property] = [
        .required("start", .text("The day of the night, usually the day it ends on.")),
        .required("nights", .integer()), .required("nightsWithSleep", .integer()),
        .required("asleep", Schema.number("Seconds asleep, of all nights of the row.").orNull),
        .optional("asleepPerNight", .number("asleep divided by nightsWithSleep.")),
        .required("inBed", Schema.number("Seconds in bed.").orNull),
        .required(
            "stages",
            .object(
                SleepStage.columns.map { .optional($0.name, .number()) },
                "Seconds by stage.")),
        .required("naps", .integer()), .required("napSeconds", .number()),
        .optional("fellAsleep", .text("The start of the first sleep.")),
        .optional("wokeUp", .text("The end of the last sleep.")),
    ]
}

extension AssistantQuestion {
    /// Reads nights on the main actor, as the command does. Nothing else runs on it.
    @MainActor fileprivate func nights() async throws -> JSONText {
        let type = try tools.type(named: Metric.sleep.identifier, in: store)
        let period = try period(default: "7d")
        let step = try step(default: .day)
        let query = query(type, period)
        let result = try await SleepStatsResult(
            store, query, by: .each(step), .mergedOnly, calendar)
        var all = SleepStatsResult.Amounts()
        var bedNights = 0
        for bucket in result.buckets {
            all.add(bucket.amounts)
            if bucket.amounts.inBed != nil { bedNights += bucket.amounts.nights }
        }
        let average = perNight(all)
        let start = position.map { Double(bitPattern: UInt64(bitPattern: $0.0)) } ?? -.infinity
        let skipped = result.buckets.count { $0.start < start }
        let rest = Array(result.buckets.dropFirst(skipped))
        var head: [(key: String, value: JSONText)] = [
            ("type", .string(type.name)), ("name", .string("sleep")), ("unit", .string("s")),
            ("timeZone", zone), ("period", period.json(today: today)),
            ("by", .string(step.rawValue)), ("nights", .integer(all.nights)),
            ("nightsWithSleep", .integer(all.nightsAsleep)),
            ("value", .amount(average)), ("text", .string(text(average, all))),
        ]
        if let inBed = all.inBed, step == .day, bedNights > 0 {
            head.append(("inBed", .number(inBed / Double(bedNights))))
        }
        if average == nil {
            let reason = all.nights > 0 ? onlyInBed : try absence(of: type, in: period)
            head.append(("reason", .string(reason)))
        } else if let names = try sourceNames(query) {
            head.append(("provenance", .string(names)))
        }
        let notes =
            limits(period)
            + result.excluded.prefix(5).map {
                "\(PrintableText.name($0.source.name)) is excluded from totals."
            }
        if !notes.isEmpty { head.append(("notes", .array(notes.map { .string($0) }))) }
        let answer = PagedAnswer(
            head: head, list: "rows", rows: rest.map(row), skipped: skipped,
            noun: step == .day ? ("night", "nights") : ("row", "rows"))
        return try answer.json { count in
            let next = rest.indices.contains(count) ? rest[count].start : .infinity
            return cursor(Int64(bitPattern: next.bitPattern))
        }
    }

    /// The average seconds asleep of the nights with known sleep; nil without any.
    private func perNight(_ amounts: SleepStatsResult.Amounts) -> Double? {
        guard let asleep = amounts.asleep, amounts.nightsAsleep > 0 else { return nil }
        return asleep / Double(amounts.nightsAsleep)
    }

    private var onlyInBed: String { "Only time in bed was recorded, no sleep." }

    private func text(_ average: Double?, _ all: SleepStatsResult.Amounts) -> String {
        guard let average else { return "no data" }
        return "\(NumberText.hours(average)) h asleep"
            + (all.nights > 1
                ? " on average of \(counted(all.nightsAsleep, "night", "nights"))" : "")
    }

    /// Returns the sources of sleep that are counted; nil without any.
    private func sourceNames(_ query: SampleQuery) throws -> String? {
        let names = try store.sources(of: query.type, visibility: query.visibility)
            .filter { !$0.isExcluded && $0.last >= query.from && $0.first < query.to }
            .prefix(5).map { PrintableText.name($0.name) }
        if names.isEmpty { return nil }
        return names.count == 1
            ? "from \(names[0])"
            : "merged from \(WordList.joined(Array(names))), in this order of priority"
    }

    private func row(_ bucket: SleepStatsResult.Bucket) -> JSONText {
        let amounts = bucket.amounts
        var stages: [(key: String, value: JSONText)] = []
        for stage in SleepStage.columns {
            if let seconds = amounts.stages[stage] { stages.append((stage.name, .number(seconds))) }
        }
        // The times of a night are those of single samples.
        let night = scope.isAggregatedOnly ? nil : bucket.asleep
        let times = night.map { [$0.start, $0.end] }?
            .map { calendar.text($0.timeIntervalSinceReferenceDate) }
        return .object([
            "start": .string(calendar.day(bucket.start)), "nights": .integer(amounts.nights),
            "nightsWithSleep": .integer(amounts.nightsAsleep), "asleep": .amount(amounts.asleep),
            "asleepPerNight": perNight(amounts).map { .amount($0) },
            "inBed": .amount(amounts.inBed),
            "stages": .object(stages), "naps": .integer(amounts.naps),
            "napSeconds": .number(amounts.napped),
            "fellAsleep": times.map { .string($0[0]) }, "wokeUp": times.map { .string($0[1]) },
        ])
    }
}
