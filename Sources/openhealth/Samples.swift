import ArgumentParser
import Foundation
import HealthEngine
import HealthStorage

/// `openhealth samples TYPE`
struct Samples: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists samples as they were recorded, in order of start.",
        discussion: """
            Values keep the unit they came in. With --merged it lists what counts instead: each \
            stretch of time with the source that won it, in the type's display unit.
            """)

    @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
    var type: String

    @OptionGroup var range: DateRange

    @Option(help: ArgumentHelp("Only this source; may be given several times.", valueName: "name"))
    var source: [String] = []

    @Option(help: ArgumentHelp("The most samples to list.", valueName: "n"))
    var limit: Int?

    @Flag(help: "List what counts once, stretch by stretch, instead of raw samples.")
    var merged = false

    @Flag(help: "Answer in CSV.")
    var csv = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if csv && global.json { throw ValidationError("Choose --json or --csv, not both.") }
        if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on.") }
    }

    func run() throws {
        let store = try global.open()
        let type = try global.type(type, in: store)
        let calendar = try global.calendar(of: store)
        var question = SampleQuestion(type, sources: source)
        try range.apply(to: &question, calendar)
        let format: SampleListing.Format = csv ? .csv : global.json ? .json : .table
        let listing = SampleListing(
            type: type, contents: merged ? .stretches : .samples, calendar: calendar, format: format
        )
        var output = Output()
        try output.write(listing.head)
        if merged {
            var rules = StatisticsRules()
            rules.horizon = Date().timeIntervalSinceReferenceDate
            let stretches = try store.mergedStretches(question, rules: rules).prefix(limit ?? .max)
            try listing.write(stretches, to: &output)
        } else {
            try listing.write(store, question, limit: limit, to: &output)
        }
        try output.write(listing.foot)
        try output.flush()
    }
}

/// Workouts, blood pressures and other samples without a number of their own have none here.
struct SampleListing {
    enum Format { case json, csv, table }
    enum Contents { case samples, stretches }

    var type: SampleType
    var contents: Contents
    var calendar: CalendarBuckets
    var format: Format

    private var unit: String? { type.kind == .quantity ? type.answerUnit : nil }

    /// What stands before the first sample.
    var head: String {
        switch format {
        case .json:
            return "{\"type\":" + JSONText.string(type.identifier).text + ",\"unit\":"
                + JSONText.text(unit).text + ",\"samples\":["
        case .csv:
            return CSVText.row(
                (contents == .samples ? ["uuid"] : []) + ["start", "end", "value"]
                    + (type.kind == .category ? ["valueName"] : [])
                    + ["unit", "source", "bundleIdentifier"]
                    + (contents == .samples ? ["metadata"] : []))
        case .table:
            let what = contents == .samples ? "samples as recorded" : "stretches that count once"
            return "\(TypeWords.title(type)): \(what), in order of start, times in "
                + "\(calendar.calendar.timeZone.identifier).\n\n"
                + "start             end               "
                + "value".padded(to: 12, .right) + "  unit       source\n"
        }
    }

    /// What stands behind the last one.
    var foot: String { format == .json ? "]}\n" : "" }

    // MARK: - Raw samples

    func write(
        _ store: SampleStore, _ question: SampleQuestion, limit: Int?, to output: inout Output
    ) throws {
        var isFirst = true
        try store.forEachBatch(question, limit: limit) { batch, uuids in
            for (sample, uuid) in zip(batch.samples, uuids) {
                if !isFirst, format == .json { try output.write(",") }
                isFirst = false
                try output.write(text(sample, uuid, in: batch))
            }
        }
    }

    func text(_ sample: Sample, _ uuid: String, in batch: SampleBatch) -> String {
        let origin = sample.origin < 0 ? nil : batch.origins[Int(sample.origin)]
        let source = origin.flatMap { $0.source < 0 ? nil : batch.sources[Int($0.source)] }
        let metadata = batch.metadata(of: sample) ?? [:]
        let line = Line(
            uuid: uuid, start: sample.start, end: sample.isUndetermined ? nil : sample.end,
            value: sample.value.isFinite ? sample.value : nil, unit: origin?.unit,
            source: source ?? Source(name: "", bundleIdentifier: ""))
        switch format {
        case .json: return json(line, MetadataJSON.value(metadata, calendar))
        case .csv: return csv(line, MetadataJSON.value(metadata, calendar).text)
        case .table: return row(line)
        }
    }

    // MARK: - Stretches

    func write(_ stretches: some Sequence<Explanation.Segment>, to output: inout Output) throws {
        var isFirst = true
        for stretch in stretches {
            if !isFirst, format == .json { try output.write(",") }
            isFirst = false
            let line = Line(
                uuid: nil, start: stretch.start, end: stretch.end, value: stretch.value,
                unit: unit, source: stretch.source)
            switch format {
            case .json: try output.write(json(line, nil))
            case .csv: try output.write(csv(line, nil))
            case .table: try output.write(row(line))
            }
        }
    }

    // MARK: - One line

    private struct Line {
        var uuid: String?
        var start: Double
        var end: Double?
        var value: Double?
        var unit: String?
        var source: Source
    }

    private func valueName(_ value: Double?) -> String? {
        guard type.kind == .category, let value, let whole = Int(exactly: value) else { return nil }
        return ValueName.name(whole, of: type)
    }

    private func json(_ line: Line, _ metadata: JSONText?) -> String {
        JSONText.object([
            "uuid": line.uuid.map(JSONText.string),
            "start": .string(calendar.text(line.start)),
            "end": .text(line.end.map(calendar.text)),
            "value": .amount(line.value),
            "valueName": valueName(line.value).map(JSONText.string),
            "unit": .text(line.unit),
            "source": .string(line.source.name),
            "bundleIdentifier": .string(line.source.bundleIdentifier),
            "metadata": metadata,
        ]).text
    }

    private func csv(_ line: Line, _ metadata: String?) -> String {
        CSVText.row(
            (line.uuid.map { [$0] } ?? [])
                + [
                    calendar.text(line.start), line.end.map(calendar.text) ?? "",
                    CSVText.number(line.value),
                ] + (type.kind == .category ? [valueName(line.value) ?? ""] : [])
                + [line.unit ?? "", line.source.name, line.source.bundleIdentifier]
                + (metadata.map { [$0] } ?? []))
    }

    private func row(_ line: Line) -> String {
        let value =
            valueName(line.value)
            ?? line.value.map { contents == .samples ? NumberText.shortest($0) : rounded($0) } ?? ""
        let end = line.end.map { DayWords.minute($0, calendar) } ?? "open"
        return DayWords.minute(line.start, calendar) + "  " + end.padded(to: 16) + "  "
            + value.padded(to: 12, .right) + "  " + (line.unit ?? "").padded(to: 9) + "  "
            + line.source.name.printable.cut(to: 21) + "\n"
    }

    private func rounded(_ value: Double) -> String { NumberText.grouped(value, digits: 2) }
}

/// Metadata as JSON: text and numbers as such, dates in ISO 8601, quantities with their unit.
enum MetadataJSON {
    static func value(_ metadata: Metadata, _ calendar: CalendarBuckets) -> JSONText {
        .object(
            metadata.sorted { $0.key < $1.key }.map { key, value in
                switch value {
                case .string(let text): (key, .string(text))
                case .number(let number): (key, .number(number))
                case .date(let time): (key, .string(calendar.text(time)))
                case .quantity(let amount, let unit):
                    (key, .object(["value": .number(amount), "unit": .string(unit)]))
                }
            })
    }
}
