import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

// Values by day, week, month or year.
extension AssistantTools {
    static let rowProperties: [Schema.Property] = [
        .required("start", .text("The first day of the bucket, or the start of the hour.")),
        .required("value", Schema.number("The sum, average or seconds.").orNull),
        .optional("minimum", Schema.number().orNull), .optional("maximum", Schema.number().orNull),
        .optional("byValue", AssistantFigure.byValueSchema),
    ]

    var series: AssistantTool {
        AssistantTool(
            "series", title: "Values by day, week, month or year",
            "One type over a period in buckets. A bucket that is missing was not measured, which "
                + "is not 0. Prefer a long by for a long period.",
            parameters: [
                .required("type", .text(AssistantWords.type)),
                .optional("period", .text(AssistantWords.period + " Default: 30d.")),
                .optional("by", .choice(CalendarStep.allCases.map(\.rawValue), "Default: day.")),
                .optional("unit", .text(AssistantWords.unit)),
                .optional("cursor", .text(AssistantWords.cursor)),
            ],
            result: .object(
                AssistantFigure.headProperties + [
                    .required("period", AssistantPeriod.schema),
                    .required("by", .choice(CalendarStep.allCases.map(\.rawValue))),
                    .required(
                        "bucketsWithoutData",
                        .integer(nil, "Buckets of the period that were not measured.")),
                    .optional("reason", .text("Why there are no buckets.")),
                    .optional("notes", .array(of: .text())),
                ] + PagedAnswer.properties("buckets", of: .object(Self.rowProperties))),
            reading { try $0.series() })
    }

    var records: AssistantTool {
        AssistantTool(
            "records", title: "Largest or smallest days, weeks or months",
            "The days, weeks, months or years with the largest or smallest totals or averages of "
                + "one type, best first. The current one, which isn't over, is left out of the "
                + "smallest.",
            parameters: [
                .required("type", .text(AssistantWords.type)),
                .optional("period", .text(AssistantWords.period + " Default: all.")),
                .optional("by", .choice(Self.longSteps, "Default: day.")),
                .optional("order", .choice(["largest", "smallest"], "Default: largest.")),
                .optional("count", .integer(1...20, "Default: 5.")),
                .optional("unit", .text(AssistantWords.unit)),
            ],
            result: .object(
                AssistantFigure.headProperties + [
                    .required("period", AssistantPeriod.schema),
                    .required("by", .choice(Self.longSteps)),
                    .required("order", .choice(["largest", "smallest"])),
                    .required(
                        "records",
                        .array(
                            of: .object([
                                .required("firstDay", .text()), .required("lastDay", .text()),
                                .required("value", .number()), .required("text", .text()),
                            ]))),
                    .required("bucketsWithData", .integer(nil, "How many were compared.")),
                    .optional("reason", .text("Why there are no records.")),
                    .optional("notes", .array(of: .text())),
                ]),
            reading { try $0.records() })
    }

    private static let longSteps = CalendarStep.allCases.filter { $0 != .hour }.map(\.rawValue)
}

extension AssistantQuestion {
    fileprivate func series() throws -> JSONText {
        let type = try type()
        let step = try step(default: .day)
        let period = try period(default: "30d")
        let result = try statistics(type, period, by: .each(step), unit: try unit(of: type))
        let found = result.buckets.filter { $0.values.figure != nil }
        // A cursor is the start of the first bucket of its page.
        let start = position.map { Double(bitPattern: UInt64(bitPattern: $0.0)) } ?? -.infinity
        let skipped = found.count { $0.start < start }
        let rest = Array(found.dropFirst(skipped))
        var head = AssistantFigure.head(
            type, unit: result.unit, AssistantFigure.statistic(of: type), self)
        head += [
            ("period", period.json(today: today)), ("by", .string(step.rawValue)),
            (
                "bucketsWithoutData",
                .integer(max(0, result.edges.count - 1 - found.count))
            ),
        ]
        if found.isEmpty {
            head.append(("reason", .string(try absence(of: type, in: period))))
        }
        let notes = limits(period)
        if !notes.isEmpty { head.append(("notes", .array(notes.map { .string($0) }))) }
        let answer = PagedAnswer(
            head: head, list: "buckets", rows: rest.map { row($0, step, type) }, skipped: skipped,
            noun: ("bucket", "buckets"))
        return try answer.json { count in
            let next = rest.indices.contains(count) ? rest[count].start : .infinity
            return cursor(Int64(bitPattern: next.bitPattern))
        }
    }

    private func row(
        _ bucket: StatsResult.Bucket, _ step: CalendarStep, _ type: SampleType
    ) -> JSONText {
        let start = step == .hour ? calendar.text(bucket.start) : calendar.day(bucket.start)
        var members: [(key: String, value: JSONText)] = [
            ("start", .string(start)), ("value", .amount(bucket.values.figure)),
        ]
        switch bucket.values {
        case .sum: break
        case .readings(let values):
            members.append(("minimum", .amount(values.minimum)))
            members.append(("maximum", .amount(values.maximum)))
        case .times(let values):
            members.append(("byValue", AssistantFigure.byValue(values, type)))
        }
        return .object(members)
    }

    fileprivate func records() throws -> JSONText {
        let type = try type()
        let step = try step(default: .day)
        let period = try period(default: "all")
        let isLargest = arguments.text("order") != "smallest"
        let result = try statistics(type, period, by: .each(step), unit: try unit(of: type))
        let current = calendar.clock.start(of: today)
        let valued = result.buckets.compactMap { bucket in
            bucket.values.figure.map { (bucket: bucket, value: $0) }
        }.filter { $0.value.isFinite }.filter { isLargest || $0.bucket.end <= current }
        let best = valued.sorted { a, b in
            a.value != b.value
                ? (a.value > b.value) == isLargest : a.bucket.start < b.bucket.start
        }.prefix(arguments.integer("count") ?? 5)
        let rows = best.map { bucket, value in
            JSONText.object([
                "firstDay": .string(calendar.day(bucket.start)),
                "lastDay": .string(calendar.day(bucket.end.nextDown)), "value": .number(value),
                "text": .string(AssistantFigure.text(value, result.unit, type)),
            ])
        }
        var members = AssistantFigure.head(
            type, unit: result.unit, AssistantFigure.statistic(of: type), self)
        members += [
            ("period", period.json(today: today)), ("by", .string(step.rawValue)),
            ("order", .string(isLargest ? "largest" : "smallest")), ("records", .array(rows)),
            ("bucketsWithData", .integer(valued.count)),
        ]
        if rows.isEmpty { members.append(("reason", .string(try absence(of: type, in: period)))) }
        let notes = limits(period)
        if !notes.isEmpty { members.append(("notes", .array(notes.map { .string($0) }))) }
        return .object(members)
    }
}
