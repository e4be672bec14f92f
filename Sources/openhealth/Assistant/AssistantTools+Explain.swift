import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

// How a day's total is made up, and the sources.
extension AssistantTools {
    var explain: AssistantTool {
        AssistantTool(
            "explain", title: "Why a day's total is what it is",
            "How one day's total of an amount (steps, energy, distance) is made up: what each "
                + "source recorded, what counts, and which duplicates are left out. Use it when "
                + "someone doubts a number.",
            parameters: [
                .required("type", .text(AssistantWords.type)),
                .optional("day", .text("One day: yesterday, tuesday, 2025-11-03. Default: today.")),
                .optional("cursor", .text(AssistantWords.cursor)),
            ],
            result: .object(
                AssistantFigure.headProperties + [
                    .required("day", .text("The local day, YYYY-MM-DD.")),
                    .required(
                        "value",
                        Schema.number("The day's total. " + AssistantWords.missing).orNull),
                    .required("text", .text()),
                    .required(
                        "recorded",
                        Schema.number("The sum of all sources, with duplicates.").orNull),
                    .required(
                        "duplicates",
                        Schema.number("What is left out: recorded minus counted.").orNull),
                    .optional("appleTotal", Self.appleTotalSchema),
                    .optional("reason", .text("Why the value is null.")),
                    .optional("provenance", .text()),
                    .optional("notes", .array(of: .text())),
                ] + PagedAnswer.properties("sources", of: Self.partSchema)),
            reading { try $0.explanation() })
    }

    private static let appleTotalSchema = Schema.object(
        [
            .required("value", .number()), .required("recorded", .number()),
            .required("device", .text()), .required("isProvisional", .boolean()),
        ], "Apple's own total of the day, used because it is larger than the recorded samples.")

    private static let partSchema = Schema.object([
        .required("name", .text()), .required("rank", .integer(nil, "1 takes precedence.")),
        .required("counted", Schema.number().orNull),
        .required("duplicates", Schema.number().orNull),
    ])

    var sources: AssistantTool {
        AssistantTool(
            "sources", title: "Sources and their priority",
            "The apps and devices that recorded data, of one type or of all, in order of priority: "
                + "where two recorded at the same time, rank 1 counts. Names are chosen by people.",
            parameters: [
                .optional("type", .text(AssistantWords.type + " Default: all types.")),
                .optional("cursor", .text(AssistantWords.cursor)),
            ],
            result: .object(
                [
                    .required("type", Schema.text().orNull), .required("timeZone", .text()),
                ]
                    + PagedAnswer.properties(
                        "sources",
                        of: .object([
                            .required("name", .text()),
                            .required("rank", .integer(nil, "1 takes precedence; 0 if excluded.")),
                            .required("excluded", .boolean("Left out of totals.")),
                            .required("samples", .integer()),
                            .required("firstDay", .text()), .required("lastDay", .text()),
                            .optional("reason", .text("Why it is excluded.")),
                        ]))),
            reading { try $0.sourceList() })
    }
}

extension AssistantQuestion {
    fileprivate func explanation() throws -> JSONText {
        let type = try type()
        if type.identifier == Metric.sleep.identifier {
            throw ToolFailure(
                "Nights are explained by the tool sleep: its provenance has the order of the sources. "
                    + "The person can read more with: openhealth explain sleep")
        }
        let day = try day(default: "today")
        let explained = try DayExplanation(
            store, type, day: day.description, calendar,
            visibility: scope.visibilityOfPermittedTypes)
        let (explanation, apple) = (explained.explanation, explained.appleTotal)
        let total = apple?.value ?? (explanation.parts.isEmpty ? nil : explanation.merged)
        let value = total.flatMap { $0.isFinite ? $0 : nil }
        let duplicates = explanation.naive - explanation.merged
        var head =
            AssistantFigure.head(type, unit: explanation.unit, "sum", self) + [
                ("day", .string(explained.day)), ("value", .amount(value)),
                (
                    "text",
                    .string(
                        value.map { AssistantFigure.text($0, explanation.unit, type) } ?? "no data")
                ),
                ("recorded", .number(explanation.naive)), ("duplicates", .number(duplicates)),
            ]
        if let apple {
            let json = JSONText.object([
                "value": .number(apple.value), "recorded": .number(apple.own),
                "device": .string(PrintableText.name(apple.device)),
                "isProvisional": .bool(apple.isProvisional),
            ])
            head.append(("appleTotal", json))
        }
        if total != nil, value == nil {
            head.append(("reason", .string(AssistantWords.tooLarge)))
        } else if value == nil {
            let period = AssistantPeriod(
                text: day.description,
                days: DayPeriod(first: day, end: day.advanced(by: 1)))
            head.append(("reason", .string(try absence(of: type, in: period))))
        } else {
            head.append(("provenance", .string(words(explanation, duplicates))))
        }
        let notes = explanation.excluded.prefix(5).map { part in
            let amount = part.contributed + part.duplicate
            return "\(PrintableText.name(part.source.name)) also recorded "
                + AssistantFigure.text(amount, explanation.unit, type) + ", which is not counted: "
                + ExclusionReasonText.why(part.exclusionReason ?? "") + "."
        }
        if !notes.isEmpty { head.append(("notes", .array(notes.map { .string($0) }))) }
        let rows = explanation.parts.dropFirst(skipped).map { part in
            JSONText.object([
                "name": .string(PrintableText.name(part.source.name)),
                "rank": .integer(part.rank), "counted": .number(part.contributed),
                "duplicates": .number(part.duplicate),
            ])
        }
        return try page(head, "sources", rows, ("source", "sources"))
    }

    private func words(_ explanation: Explanation, _ duplicates: Double) -> String {
        let names = explanation.parts.prefix(5).map { PrintableText.name($0.source.name) }
        let rest = explanation.parts.count - names.count
        let list = WordList.joined(
            names + (rest > 0 ? [counted(rest, "other source", "other sources")] : []))
        guard explanation.parts.count > 1 else { return "from \(list)" }
        return "merged from \(list); "
            + Provenance.duplicates(duplicates, explanation.naive, explanation.unit)
    }

    fileprivate func sourceList() throws -> JSONText {
        let type = try arguments.text("type").map { _ in try self.type() }
        let list = try SourceList(
            store, type, calendar, visibility: scope.visibility(in: store))
        let head: [(key: String, value: JSONText)] = [
            ("type", .text(type?.name)), ("timeZone", zone),
        ]
        let rows = list.sources.dropFirst(skipped).map { source in
            JSONText.object([
                "name": .string(PrintableText.name(source.name)),
                "rank": .integer(source.isExcluded ? 0 : source.rank),
                "excluded": .bool(source.isExcluded), "samples": .integer(source.samples),
                "firstDay": .string(calendar.day(source.first)),
                "lastDay": .string(calendar.day(source.last)),
                "reason": source.exclusionReason.map { .string(ExclusionReasonText.why($0)) },
            ])
        }
        return try page(head, "sources", rows, ("source", "sources"))
    }

    /// Returns a page of a list whose cursors count rows.
    func page(
        _ head: [(key: String, value: JSONText)], _ list: String, _ rows: [JSONText],
        _ noun: (one: String, many: String)
    ) throws -> JSONText {
        let answer = PagedAnswer(
            head: head, list: list, rows: rows, skipped: skipped, noun: noun)
        return try answer.json { cursor(Int64(skipped + $0)) }
    }
}
