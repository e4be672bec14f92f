import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// The value of a type over a period, with what a reader needs to understand it.
struct AssistantFigure {
    var type: SampleType
    var period: AssistantPeriod
    var unit: String
    /// The sum, the average or the seconds; nil if nothing was measured.
    var value: Double?
    /// The values of the single bucket, as `stats --by total` has them; nil without data.
    var values: StatsResult.Values?
    /// The number of days with data; nil if it isn't known.
    var daysWithData: Int?
    /// Why there is no value; nil with one.
    var reason: String?
    /// Where the value comes from; nil without one.
    var provenance: String?
    var notes: [String]

    /// Reads the value.
    ///
    /// - Throws: Errors of ``AssistantQuestion/statistics(_:_:by:unit:_:)``.
    init(
        _ question: AssistantQuestion, _ type: SampleType, _ period: AssistantPeriod,
        unit: String?
    ) throws {
        self.type = type
        self.period = period
        let result = try question.statistics(type, period, by: .total, unit: unit)
        self.unit = result.unit
        notes = question.limits(period)
        values = result.buckets.first?.values
        let figure = values?.figure
        value = figure.flatMap { $0.isFinite ? $0 : nil }
        let days = try? question.statistics(type, period, by: .each(.day), unit: unit)
        daysWithData = days?.buckets.count { $0.values.figure != nil }
        guard let value else {
            reason =
                figure == nil
                ? try question.absence(of: type, in: period) : AssistantWords.tooLarge
            return
        }
        let parts = try question.statistics(type, period, by: .total, unit: unit, .bySource)
        provenance = Provenance.text(
            parts.buckets.first?.sources ?? [], value, type, result.unit,
            appleTotal: result.buckets.first?.appleTotal)
        notes += result.excluded.prefix(5).map {
            "\(PrintableText.name($0.source.name)) is excluded, because "
                + ExclusionReasonText.why($0.reason) + "."
        }
        notes += Self.notes(result.skipped)
    }

    private static func notes(_ skipped: SkippedSamples) -> [String] {
        let count = skipped.malformed + skipped.unconvertible.values.reduce(0, +)
        if count == 0 { return [] }
        return ["\(counted(count, "sample", "samples")) could not be used."]
    }

    /// The value for each day with data, of amounts; nil for others.
    var perDay: Double? {
        guard type.aggregation == .cumulative, let value, let daysWithData, daysWithData > 0
        else { return nil }
        return value / Double(daysWithData)
    }

    /// What kind of number the value is.
    var statistic: String { Self.statistic(of: type) }

    static func statistic(of type: SampleType) -> String {
        type.kind == .category ? "seconds" : type.aggregation == .cumulative ? "sum" : "average"
    }

    /// The value in words: "58,213 steps", "an average of 58 bpm".
    var text: String {
        guard let value else { return "no data" }
        return AssistantFigure.text(value, unit, type)
    }

    static func text(_ value: Double, _ unit: String, _ type: SampleType) -> String {
        if type.kind == .category { return NumberText.hours(value) + " h" }
        let readable = ReadableUnit(unit, largest: abs(value))
        if unit == "count" { return "\(readable.text(value)) \(TypeText.name(type))" }
        let symbol = unit == "count/min" && type.name.contains("eartRate") ? "bpm" : readable.symbol
        return "\(readable.text(value)) \(symbol)"
    }

    /// The members of an answer.
    func members(today: CivilDate) -> [(key: String, value: JSONText)] {
        var members: [(key: String, value: JSONText)] = [
            ("period", period.json(today: today)), ("value", .amount(value)),
            ("text", .string(text)),
        ]
        if case .readings(let values) = values {
            members += [
                ("minimum", .amount(values.minimum)), ("maximum", .amount(values.maximum)),
                ("latest", .amount(values.mostRecent)),
            ]
        }
        if case .times(let times) = values {
            members.append(("byValue", AssistantFigure.byValue(times, type)))
        }
        if let daysWithData { members.append(("daysWithData", .integer(daysWithData))) }
        if let perDay { members.append(("perDayWithData", .number(perDay))) }
        if let reason { members.append(("reason", .string(reason))) }
        if let provenance { members.append(("provenance", .string(provenance))) }
        if !notes.isEmpty { members.append(("notes", .array(notes.map { .string($0) }))) }
        return members
    }

    /// The times of a category's values, at most 12 of them.
    static func byValue(
        _ values: CategoryStatistics.Values, _ type: SampleType
    ) -> JSONText {
        .array(
            values.counts.sorted { $0.key < $1.key }.prefix(12).map { value, count in
                .object([
                    "name": .string(ValueName.name(value, of: type).excerpt(60)),
                    "seconds": .number(values.seconds[value] ?? 0), "samples": .integer(count),
                ])
            })
    }

    static let byValueSchema = Schema.array(
        of: .object([
            .required("name", .text()), .required("seconds", .number()),
            .required("samples", .integer()),
        ]), "The time and the samples of each value of a category.")

    static let properties: [Schema.Property] = [
        .required("period", AssistantPeriod.schema),
        .required("value", Schema.number("The number. " + AssistantWords.missing).orNull),
        .required("text", .text("The value in words.")),
        .optional("minimum", Schema.number("The lowest reading.").orNull),
        .optional("maximum", Schema.number("The highest reading.").orNull),
        .optional("latest", Schema.number("The most recent reading.").orNull),
        .optional("byValue", byValueSchema),
        .optional("daysWithData", .integer(nil, "The days on which something was measured.")),
        .optional("perDayWithData", .number("A sum divided by daysWithData.")),
        .optional("reason", .text("Why the value is null.")),
        .optional(
            "provenance", .text("The sources, and the duplicates that are not counted.")),
        .optional("notes", .array(of: .text(), "What else to know about the number.")),
    ]

    /// The members about the type, in each answer about one.
    static func head(
        _ type: SampleType, unit: String, _ statistic: String, _ question: AssistantQuestion
    ) -> [(key: String, value: JSONText)] {
        [
            ("type", .string(type.name)), ("name", .string(TypeText.name(type))),
            ("unit", .string(unit)), ("statistic", .string(statistic)),
            ("timeZone", question.zone),
        ]
    }

    static let headProperties: [Schema.Property] = [
        .required("type", .text("The type's name in HealthKit.")),
        .required("name", .text("The type in words.")),
        .required("unit", .text("The unit of all values; s is seconds.")),
        .required(
            "statistic",
            .choice(
                ["sum", "average", "seconds"],
                "Amounts are summed without double counting, readings averaged, categories timed.")
        ),
        .required("timeZone", .text("The time zone in which days begin.")),
    ]
}

extension StatsResult.Values {
    /// The number that stands for the bucket: the sum, the average or all seconds; nil without
    /// data.
    var figure: Double? {
        switch self {
        case .sum(let values): values.sum
        case .readings(let values): values.average
        case .times(let values): values.count == 0 ? nil : values.seconds.values.reduce(0, +)
        }
    }
}

/// Words for where a value comes from.
enum Provenance {
    /// Returns "merged from Watch and iPhone; 12,039 duplicates removed".
    ///
    /// - Parameters:
    ///   - sources: What each source recorded, in order of priority.
    ///   - value: The merged value.
    ///   - appleTotal: Apple's total that is part of the value; nil for none.
    static func text(
        _ sources: [(source: Source, values: StatsResult.Values)], _ value: Double,
        _ type: SampleType, _ unit: String, appleTotal: AppleTotal?
    ) -> String {
        let named = sources.filter { $0.values.figure != nil }
        let names = named.prefix(5).map { PrintableText.name($0.source.name) }
        let rest = named.count - names.count
        let list = WordList.joined(
            names + (rest > 0 ? [counted(rest, "other source", "other sources")] : []))
        let apple = appleTotal.map {
            "includes Apple's total from \(PrintableText.name($0.device)), which is larger than "
                + "the recorded samples" + ($0.isProvisional ? "; provisional" : "")
        }
        guard named.count > 1 else {
            return [list.isEmpty ? nil : "from \(list)", apple].compactMap(\.self)
                .joined(separator: "; ")
        }
        guard type.aggregation == .cumulative else { return "from \(list)" }
        let recorded = named.reduce(0) { $0 + ($1.values.figure ?? 0) }
        let merged = appleTotal.map { value - $0.excess } ?? value
        return ["merged from \(list)", duplicates(recorded - merged, recorded, unit), apple]
            .compactMap(\.self).joined(separator: "; ")
    }

    /// Returns "12,039 duplicates removed" for an amount that several sources recorded.
    static func duplicates(_ amount: Double, _ recorded: Double, _ unit: String) -> String {
        let readable = ReadableUnit(unit, largest: recorded)
        let text = readable.text(max(0, amount))
        guard text.contains(where: { ("1"..."9").contains($0) }) else {
            return "no duplicates"
        }
        return unit == "count"
            ? "\(text) duplicates removed" : "\(text) \(readable.symbol) of duplicates removed"
    }
}
