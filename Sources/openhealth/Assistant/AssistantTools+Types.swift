import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

// What the store has: types and samples.
extension AssistantTools {
    var types: AssistantTool {
        AssistantTool(
            "types", title: "What is measured",
            "The types that the store has data of, with their unit and first and last day. With "
                + "search, only those whose name contains a word.",
            parameters: [
                .optional("search", .text("A word, such as heart, energy or sleep.")),
                .optional("cursor", .text(AssistantWords.cursor)),
            ],
            result: .object(
                [.required("timeZone", .text()), .optional("reason", .text("Why none is listed."))]
                    + PagedAnswer.properties(
                        "types",
                        of: .object([
                            .required("type", .text("The name to use in other tools.")),
                            .required("name", .text("The type in words.")),
                            .required("unit", Schema.text("null without a number.").orNull),
                            .required("samples", .integer()),
                            .required("firstDay", .text()), .required("lastDay", .text()),
                        ]))),
            reading { try $0.typeList() })
    }

    /// The number of samples of a page without `limit`.
    private static let defaultSamples = 20
    /// The maximum number of samples of a page.
    private static let maximumSamples = 100

    var samples: AssistantTool {
        AssistantTool(
            "samples", title: "Single samples as recorded",
            "Single samples of one type with their recorded unit, overlaps included: never add "
                + "them up, the tools total and series do that without double counting. Use it only to "
                + "look at single readings.",
            parameters: [
                .required("type", .text(AssistantWords.type)),
                .optional("period", .text(AssistantWords.period + " Default: today.")),
                .optional("limit", .integer(1...Self.maximumSamples, "Default: 20.")),
                .optional("cursor", .text(AssistantWords.cursor)),
            ],
            result: .object([
                .required("type", .text()), .required("name", .text()),
                .required("timeZone", .text()), .required("period", AssistantPeriod.schema),
                .required(
                    "samples",
                    .array(
                        of: .object([
                            .required("start", .text()),
                            .required("end", Schema.text("null if unknown.").orNull),
                            .required("value", Schema.number("null without a number.").orNull),
                            .optional("valueName", .text()),
                            .required("unit", Schema.text().orNull),
                            .required("source", .text()),
                        ]))),
                .required("truncated", .boolean("Whether more samples follow.")),
                .optional("nextCursor", .text("Pass it as cursor to get the next page.")),
                .optional("more", .text()), .optional("reason", .text("Why there are none.")),
                .optional("notes", .array(of: .text())),
            ]),
            reading { try $0.samples(limit: $0.arguments.integer("limit") ?? Self.defaultSamples) })
    }
}

extension AssistantQuestion {
    fileprivate func typeList() throws -> JSONText {
        let word = arguments.text("search") ?? ""
        let key = word.lowercased().filter { !$0.isWhitespace }
        let called = Catalogue.type(called: word)
        let found = try store.types(visibility: scope.visibility(in: store)).filter { summary in
            let type = summary.type
            let names = [type.name, type.identifier, TypeText.name(type)]
            return key.isEmpty || type == called
                || names.contains { $0.lowercased().filter { !$0.isWhitespace }.contains(key) }
        }
        var head: [(key: String, value: JSONText)] = [("timeZone", zone)]
        if found.isEmpty {
            let known = called.map { "\($0.name) is known, but there is no data of it." }
            head.append(
                (
                    "reason",
                    .string(
                        known
                            ?? (key.isEmpty
                                ? "There is no data that is shared with this session."
                                : "No type that has data contains “\(word.excerpt(40))”."))
                ))
        }
        let rows = found.dropFirst(skipped).map { summary in
            let calendar = calendar.of(summary.type)
            return JSONText.object([
                "type": .string(summary.type.name.excerpt(100)),
                "name": .string(TypeText.name(summary.type).excerpt(100)),
                "unit": .text(summary.type.resultUnit?.excerpt(40)),
                "samples": .integer(summary.samples),
                "firstDay": .string(calendar.day(summary.first)),
                "lastDay": .string(calendar.day(summary.last)),
            ])
        }
        return try page(head, "types", rows, ("type", "types"))
    }

    /// Returns a page of samples. How many follow isn't counted, because that reads all of them.
    fileprivate func samples(limit: Int) throws -> JSONText {
        let type = try type()
        if scope.isAggregatedOnly {
            throw ToolFailure(
                "This session reads only totals and averages, no single samples. Use total or "
                    + "series.")
        }
        let period = try period(default: "today")
        let after = position.map { start, key in
            SamplePosition(start: Double(bitPattern: UInt64(bitPattern: start)), key: key)
        }
        if let after, !after.start.isFinite { throw APIProblem.malformedCursor }
        let page = try store.page(of: query(type, period), after: after, limit: limit)
        let all = page.batch.samples
        var head: [(key: String, value: JSONText)] = [
            ("type", .string(type.name)), ("name", .string(TypeText.name(type))),
            ("timeZone", zone), ("period", period.json(today: today)),
        ]
        let notes = limits(period)
        if !notes.isEmpty { head.append(("notes", .array(notes.map { .string($0) }))) }
        if all.isEmpty, after == nil {
            head.append(("reason", .string(try absence(of: type, in: period))))
        }
        let rows = all.map { row($0, page.batch, type) }
        for count in stride(from: rows.count, through: 0, by: -1) {
            let isComplete = count == rows.count && page.next == nil
            var members =
                head + [
                    ("samples", .array(Array(rows.prefix(count)))),
                    ("truncated", .bool(!isComplete)),
                ]
            if !isComplete, count > 0 {
                let last = all[count - 1]
                let next = cursor(Int64(bitPattern: last.start.bitPattern), last.key)
                members.append(("nextCursor", .string(next)))
                members.append(
                    (
                        "more",
                        .string(
                            "Truncated after \(counted(count, "sample", "samples")); more follow. "
                                + "Repeat the call with the same arguments and cursor = nextCursor."
                        )
                    ))
            }
            let answer = JSONText.object(members)
            if answer.text.utf8.count <= PagedAnswer.budget, count > 0 || rows.isEmpty {
                return answer
            }
        }
        throw ToolFailure("The answer is too long.")
    }

    private func row(_ sample: Sample, _ batch: SampleBatch, _ type: SampleType) -> JSONText {
        let origin = sample.origin < 0 ? nil : batch.origins[Int(sample.origin)]
        let source = origin.flatMap { $0.source < 0 ? nil : batch.sources[Int($0.source)] }
        let span = calendar.span(of: sample, type)
        let value = sample.value.isFinite ? sample.value : nil
        let name = type.kind == .category ? value.flatMap { Int(exactly: $0) } : nil
        return .object([
            "start": .string(calendar.text(span.start)),
            "end": .text(sample.isUndetermined ? nil : calendar.text(span.end)),
            "value": .amount(value),
            "valueName": name.map { .string(ValueName.name($0, of: type).excerpt(60)) },
            "unit": .text(origin?.unit?.excerpt(40)),
            "source": .string(PrintableText.name(source?.name ?? "")),
        ])
    }
}
