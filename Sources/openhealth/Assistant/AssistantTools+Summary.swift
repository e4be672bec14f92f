import Foundation
import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

// The overview, and what is wrong with the data.
extension AssistantTools {
    var summary: AssistantTool {
        AssistantTool(
            "summary", title: "Overview of a day, week, month or year",
            "An overview of one day, calendar week, month or year: steps, energy, heart rate, "
                + "sleep and more, each with its typical range. Start here for general questions.",
            parameters: [
                .optional(
                    "period",
                    .text(
                        "One day, week, month or year: yesterday, last week, 2025-11, 2025. "
                            + "Default: the latest day with data."))
            ],
            result: .object([
                .required("period", AssistantPeriod.schema), .required("timeZone", .text()),
                .required("text", .text("The main result.")),
                .optional("provenance", .text("The sources of the steps.")),
                .required("metrics", .array(of: .object(Self.tileProperties))),
                .required("night", Schema(.object(Self.nightProperties)).orNull),
                .required("workouts", .integer(nil, "The number of workouts, at most 50.")),
                .optional("highlights", .array(of: .text(), "What is new on the day.")),
                .optional("reason", .text("Why nothing is shown.")),
                .optional("notes", .array(of: .text())),
            ]),
            { arguments in
                let question = try AssistantQuestion(self, store, arguments)
                return try await question.summary()
            })
    }

    private static let tileProperties: [Schema.Property] = [
        .required("type", .text()), .required("name", .text()), .required("unit", .text()),
        .required("value", Schema.number("null if not measured in the period.").orNull),
        .required("text", .text()),
        .required("before", Schema.number("The value of the period before.").orNull),
        .optional("typicalLow", .number("The typical range before: 10th percentile.")),
        .optional("typicalHigh", .number("The 90th percentile.")),
        .optional("latest", .text("The latest value before the period, with its day.")),
    ]

    private static let nightProperties: [Schema.Property] = [
        .required("nights", .integer()),
        .required("asleep", Schema.number("Average seconds asleep.").orNull),
        .required("text", .text()),
    ]

    var dataQuality: AssistantTool {
        AssistantTool(
            "data_quality", title: "Problems of the data",
            "What is wrong or surprising in the recorded data: sources that stopped, implausible "
                + "values, wrong clocks, overlapping trackers. Use it before trusting a trend.",
            parameters: [.optional("cursor", .text(AssistantWords.cursor))],
            result: .object(
                [
                    .required("timeZone", .text()), .required("text", .text()),
                    .required("checked", .array(of: .text(), "What was examined.")),
                ]
                    + PagedAnswer.properties(
                        "findings",
                        of: .object([
                            .required("kind", .text()), .required("text", .text()),
                            .required("since", Schema.text("The first day concerned.").orNull),
                            .required("advice", .text()),
                        ]))),
            reading { try $0.dataQuality() })
    }
}

extension AssistantQuestion {
    fileprivate func summary() async throws -> JSONText {
        let context = PageContext(
            now: Date(timeIntervalSinceReferenceDate: now), calendar: calendar.calendar,
            stepGoal: tools.stepGoal)
        let reading = try Summary.service(
            store, context, StoreRevisions(store: store),
            visibility: scope.visibilityOfPermittedTypes)
        defer { withExtendedLifetime(store) {} }
        let service = PermittedHealthService(
            service: reading, scope: scope, calendar: calendar.calendar)
        let (period, length) = try await overviewPeriod(context)
        guard let days = period.days else { throw ToolFailure("Use one day, week, month or year.") }
        let page = try await SummaryPage(of: service, length, on: days.first, context: context)
        var members: [(key: String, value: JSONText)] = [
            ("period", period.json(today: today)), ("timeZone", zone),
            ("text", .string(page.sentence.excerpt(300))),
        ]
        if let provenance = page.provenance {
            members.append(("provenance", .string(provenance.excerpt(300))))
        }
        members += [
            ("metrics", .array(page.tiles.prefix(12).map { tile($0, length) })),
            ("night", night(page)),
            ("workouts", .integer(page.workouts.count)),
        ]
        if !page.highlights.isEmpty {
            let texts = page.highlights.prefix(3).map { $0.sentence.excerpt(200) }
            members.append(("highlights", .array(texts.map { .string($0) })))
        }
        if page.tiles.isEmpty, page.night == nil, page.nights == nil, page.workouts.isEmpty {
            members.append(("reason", .string("Nothing that is shared was measured.")))
        }
        var notes = limits(period)
        // They name types and devices, also such as aren't shared.
        if scope == ReadScope() { notes += try Summary.notices(store, context) ?? [] }
        if !notes.isEmpty {
            members.append(("notes", .array(notes.prefix(5).map { .string($0.excerpt(200)) })))
        }
        return .object(members)
    }

    /// Returns the period of the overview with its length.
    ///
    /// - Throws: ``ToolFailure`` for a period that isn't one calendar unit.
    private func overviewPeriod(
        _ context: PageContext
    ) async throws -> (AssistantPeriod, SummaryPage.Period) {
        guard arguments.text("period") != nil else {
            let day = try await tools.queue.run { try latestDay() }
            let days = DayPeriod(first: day, end: day.advanced(by: 1))
            return (AssistantPeriod(text: "the latest day with data", days: days), .day)
        }
        let period = try period(default: "")
        let lengths: [(SummaryPage.Period, CalendarStep)] = [
            (.day, .day), (.week, .week), (.month, .month), (.year, .year),
        ]
        for (length, step) in lengths {
            guard let days = period.days else { break }
            let first = days.first.first(of: step, calendar.firstWeekday)
            if first == days.first, first.advanced(by: 1, step) == days.end {
                return (period, length)
            }
        }
        throw ToolFailure(
            "An overview is of one day, calendar week, month or year: yesterday, last week, "
                + "2025-11 or 2025. For other periods use total or series.")
    }

    /// Returns the last day, at most today, on which a shared sample starts of the types that the
    /// overview begins with; today without any.
    private func latestDay() throws -> CivilDate {
        let metrics: [Metric] = [.steps, .activeEnergy, .heartRate, .sleep, .weight]
        let types = metrics.map(\.identifier).filter(scope.allows)
            .compactMap { Catalogue.type(identifier: $0) }
        let latest = try types.compactMap { type in
            try store.start(ofNewest: 0, of: type, from: -.infinity, to: now)
        }.max()
        return latest.map { calendar.civilDate($0) } ?? today
    }

    private func tile(_ tile: SummaryPage.Tile, _ length: SummaryPage.Period) -> JSONText {
        let metric = tile.metric
        // The value of a longer period, whose day is its first one.
        let time = length == .day ? "on" : "in the \(length.rawValue) from"
        return .object([
            "type": .string(Catalogue.type(identifier: metric.identifier)?.name ?? ""),
            "name": .string(metric.displayName), "unit": .string(metric.unit),
            "value": .amount(tile.value), "text": .string(tile.text),
            "before": .amount(tile.before),
            "typicalLow": tile.typicalRange.map { .number($0.low) },
            "typicalHigh": tile.typicalRange.map { .number($0.high) },
            "latest": tile.latest.map { .string("\($0.text) \(time) \($0.day)") },
        ])
    }

    private func night(_ page: SummaryPage) -> JSONText {
        if let night = page.night {
            return .object([
                "nights": .integer(1), "asleep": .amount(night.asleep),
                "text": .string(
                    night.asleep.map { "\(NumberText.hours($0)) h asleep" } ?? "only time in bed"),
            ])
        }
        guard let nights = page.nights else { return .null }
        return .object([
            "nights": .integer(nights.nights), "asleep": .number(nights.asleep),
            "text": .string("\(NumberText.hours(nights.asleep)) h asleep on average"),
        ])
    }

    fileprivate func dataQuality() throws -> JSONText {
        let page = try DataQualityPage(
            store, in: calendar, now: Date(timeIntervalSinceReferenceDate: now))
        let findings = page.findings.filter(isShared)
        let text =
            scope == ReadScope()
            ? page.sentence : counted(findings.count, "finding", "findings") + " about shared data."
        let head: [(key: String, value: JSONText)] = [
            ("timeZone", zone), ("text", .string(text.excerpt(300))),
            (
                "checked",
                .array(
                    scope == ReadScope()
                        ? page.notes.prefix(8).map { .string($0.excerpt(200)) } : [])
            ),
        ]
        let rows = findings.dropFirst(skipped).map { finding in
            JSONText.object([
                "kind": .string(finding.kind.title), "text": .string(finding.sentence.excerpt(400)),
                "since": .text(finding.since?.description),
                "advice": .string(
                    ([finding.advice] + [finding.command].compactMap(\.self))
                        .joined(separator: " ").excerpt(400)),
            ])
        }
        return try self.page(head, "findings", rows, ("finding", "findings"))
    }

    /// Whether a finding says nothing that the scope doesn't permit: of another type, of an earlier
    /// day, or of a single reading.
    private func isShared(_ finding: DataQualityPage.Finding) -> Bool {
        if scope.isAggregatedOnly, finding.kind == .impossibleValue { return false }
        if let shared = firstSharedDay, (finding.since ?? shared) < shared { return false }
        guard let types = scope.types else { return true }
        let names = types.compactMap { Catalogue.type(identifier: $0) }.map(TypeText.name)
        return finding.type.map(names.contains) ?? false
    }
}
