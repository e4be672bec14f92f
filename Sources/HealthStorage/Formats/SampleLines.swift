import Foundation
package import HealthCalendar
package import HealthEngine

/// Which columns of samples and merged intervals an export writes.
package enum ExportColumns: Sendable {
    case all
    /// Only type, start, end, day, value, unit and source: what an analysis needs.
    case lean
}

/// Writes samples as lines of text for other programs: as CSV, or as JSON with one object on each
/// line.
///
/// ```swift
/// let lines = SampleLines(.csv, CalendarBuckets(timeZone: .gmt))
/// var text = lines.sampleHeader
/// try store.forEachExportedBatch(ExportSelection()) { text += lines.text($0) }
/// ```
/// Times are in ISO 8601 with the offset of the time zone, with milliseconds if they aren't 0.
/// `day` is the local day of the start, or the day of an activity summary. Numbers have the fewest
/// digits that parse to the same double. Samples keep their recorded unit.
///
/// Both formats have the same fields. A missing value is an empty cell in CSV; JSON omits its key.
/// In CSV, values always have a decimal point, and versions begin with an apostrophe, because
/// programs infer the types of columns. CSV also has a column `zone` with the time zone of the
/// days, which the times of JSON don't need.
package struct SampleLines: Sendable {
    /// The format of a line.
    package enum Format: Sendable { case csv, jsonLines }

    /// The format of the lines.
    package let format: Format
    private let columns: ExportColumns
    private let calendar: CalendarBuckets
    private let zone: JSONText

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - format: The format of the lines.
    ///   - calendar: The time zone of times and days.
    ///   - columns: The fields of a line.
    package init(_ format: Format, _ calendar: CalendarBuckets, _ columns: ExportColumns = .all) {
        self.format = format
        self.columns = columns
        self.calendar = calendar
        zone = .string(calendar.calendar.timeZone.identifier)
    }

    private static let sampleColumns = [
        "type", "day", "start", "end", "value", "valueName", "unit", "source", "bundleIdentifier",
        "sourceVersion", "device", "uuid", "created", "metadata", "members", "detail", "zone",
    ]
    private static let intervalColumns = [
        "type", "day", "start", "end", "value", "valueName", "unit", "source", "bundleIdentifier",
        "zone",
    ]
    private static let leanColumns = ["type", "start", "end", "day", "value", "unit", "source"]

    /// The text before the first sample: the column names in CSV, otherwise empty.
    package var sampleHeader: String {
        header(SampleLines.sampleColumns)
    }

    /// The text before the first merged interval: the column names in CSV, otherwise empty.
    package var intervalHeader: String {
        header(SampleLines.intervalColumns)
    }

    private func header(_ all: [String]) -> String {
        if format == .jsonLines { return "" }
        return CSVText.row(columns == .lean ? SampleLines.leanColumns : all)
    }

    /// Returns one line for each sample of a batch.
    ///
    /// - Parameter exported: A batch of a store's export.
    /// - Returns: The lines, each with a final line feed.
    /// - Complexity: O(samples + their details).
    package func text(_ exported: ExportedBatch) -> String {
        var shared = BatchText(exported.batch, calendar)
        var text = ""
        for index in exported.batch.samples.indices {
            text += line(
                columns == .lean
                    ? leanCells(index, exported) : cells(index, exported, &shared))
        }
        return text
    }

    /// Returns one line for each merged interval.
    ///
    /// - Parameters:
    ///   - intervals: The merged intervals of one type.
    ///   - type: Their type.
    ///   - unit: The unit of their values; empty for none.
    /// - Returns: The lines, each with a final line feed.
    /// - Complexity: O(intervals).
    package func text(
        _ intervals: [Explanation.Segment], of type: SampleType, unit: String
    ) -> String {
        var text = ""
        for interval in intervals { text += line(cells(interval, type, unit)) }
        return text
    }

    private func cells(
        _ interval: Explanation.Segment, _ type: SampleType, _ unit: String
    ) -> [(key: String, value: JSONText)] {
        let day = JSONText.string(calendar.day(interval.start))
        let start = JSONText.string(calendar.text(interval.start))
        let end = JSONText.string(calendar.text(interval.end))
        let value = interval.value.isFinite ? JSONText.number(interval.value) : .null
        let unit = unit.isEmpty ? JSONText.null : .string(unit)
        let source = JSONText.string(interval.source.name)
        if columns == .lean {
            return [
                ("type", .string(type.identifier)), ("start", start), ("end", end), ("day", day),
                ("value", value), ("unit", unit), ("source", source),
            ]
        }
        return [
            ("type", .string(type.identifier)), ("day", day), ("start", start), ("end", end),
            ("value", value), ("valueName", .text(SampleLines.valueName(interval.value, type))),
            ("unit", unit), ("source", source),
            ("bundleIdentifier", .string(interval.source.bundleIdentifier)),
        ] + zoneCell
    }

    /// The cell with the attachments, without their bytes; only JSON has it, for a sample with any.
    private func attachmentCell(
        _ attachments: [StoredAttachment]
    ) -> [(key: String, value: JSONText)] {
        guard format == .jsonLines, !attachments.isEmpty else { return [] }
        return [("attachments", .array(attachments.map { JSONText.attachment($0, calendar) }))]
    }

    /// The cell with the time zone; only CSV has it.
    private var zoneCell: [(key: String, value: JSONText)] {
        format == .csv ? [("zone", zone)] : []
    }

    private func line(_ cells: [(key: String, value: JSONText)]) -> String {
        format == .csv ? csv(cells) : json(cells)
    }

    /// Returns one line for each note on a day, of the type `dayNote`: for CSV nothing, because its
    /// columns are those of a sample.
    ///
    /// - Parameter notes: The notes.
    /// - Returns: The lines, each with a final line feed.
    /// - Complexity: O(length of the notes).
    package func text(dayNotes notes: [DayNote]) -> String {
        guard format == .jsonLines else { return "" }
        return notes.map { note in
            json([
                ("type", .string("dayNote")), ("day", .string(note.day.description)),
                ("text", .string(note.text)), ("modified", .string(calendar.text(note.modified))),
            ])
        }.joined()
    }

    private func leanCells(
        _ index: Int, _ exported: ExportedBatch
    ) -> [(key: String, value: JSONText)] {
        let (batch, type) = (exported.batch, exported.type)
        let sample = batch.samples[index]
        let origin = sample.origin < 0 ? nil : batch.origins[Int(sample.origin)]
        let source = origin.flatMap { $0.source < 0 ? nil : batch.sources[Int($0.source)] }
        let span = calendar.span(of: sample, type)
        return [
            ("type", .string(type.identifier)), ("start", .string(calendar.text(span.start))),
            ("end", sample.isUndetermined ? .null : .string(calendar.text(span.end))),
            ("day", .string(calendar.day(of: sample, type))),
            ("value", sample.value.isFinite ? .number(sample.value) : .null),
            ("unit", .text(origin?.unit)), ("source", .text(source?.name)),
        ]
    }

    private func cells(
        _ index: Int, _ exported: ExportedBatch, _ shared: inout BatchText
    ) -> [(key: String, value: JSONText)] {
        let (batch, type) = (exported.batch, exported.type)
        let sample = batch.samples[index]
        let origin = sample.origin < 0 ? nil : batch.origins[Int(sample.origin)]
        let source = origin.flatMap { $0.source < 0 ? nil : batch.sources[Int($0.source)] }
        let span = calendar.span(of: sample, type)
        return [
            ("type", .string(type.identifier)),
            ("day", .string(calendar.day(of: sample, type))),
            ("start", .string(calendar.text(span.start))),
            ("end", sample.isUndetermined ? .null : .string(calendar.text(span.end))),
            ("value", sample.value.isFinite ? .number(sample.value) : .null),
            ("valueName", .text(SampleLines.valueName(sample.value, type))),
            ("unit", .text(origin?.unit)),
            ("source", .text(source?.name)),
            ("bundleIdentifier", .text(source?.bundleIdentifier)),
            ("sourceVersion", .text(origin?.version)),
            ("device", shared.device(sample)),
            ("uuid", .string(exported.uuids[index])),
            ("created", sample.created.isFinite ? .string(calendar.text(sample.created)) : .null),
            ("metadata", shared.metadata(sample)),
            ("members", exported.members[index].map { .array($0.map(JSONText.string)) } ?? .null),
            ("detail", batch.details[index].map { JSONText.detail($0, calendar) } ?? .null),
        ] + zoneCell + attachmentCell(exported.attachments[index] ?? [])
    }

    /// Returns Apple's Swift name of a category value; nil if it has none or the type isn't a
    /// category.
    package static func valueName(_ value: Double, _ type: SampleType) -> String? {
        guard type.kind == .category, let value = Int(exactly: value),
            let enumeration = type.valueEnumeration
        else { return nil }
        return Catalogue.value(value, of: enumeration)?.name
    }

    private func json(_ cells: [(key: String, value: JSONText)]) -> String {
        let known = cells.filter { if case .null = $0.value { false } else { true } }
        return JSONText.object(known).text + "\n"
    }

    /// Returns a row: null as an empty cell, numbers with a decimal point, versions with an
    /// apostrophe, other texts as they are, everything else as JSON.
    private func csv(_ cells: [(key: String, value: JSONText)]) -> String {
        CSVText.row(
            cells.map { cell in
                switch cell.value {
                case .null: ""
                case .number(let value): CSVText.decimal(value)
                case .string(let text) where cell.key == "sourceVersion": CSVText.version(text)
                case .string(let text): text
                default: cell.value.text
                }
            })
    }
}

/// The JSON of devices and metadata that samples of a batch share, built once.
private struct BatchText {
    private let batch: SampleBatch
    private let calendar: CalendarBuckets
    private var devices: [Int32: JSONText] = [:]
    private var sets: [Int32: JSONText] = [:]

    init(_ batch: SampleBatch, _ calendar: CalendarBuckets) {
        self.batch = batch
        self.calendar = calendar
    }

    mutating func device(_ sample: Sample) -> JSONText {
        if sample.origin < 0 { return .null }
        if let known = devices[sample.origin] { return known }
        let json = batch.origins[Int(sample.origin)].device.map(JSONText.device) ?? .null
        devices[sample.origin] = json
        return json
    }

    mutating func metadata(_ sample: Sample) -> JSONText {
        if sample.metadata < 0 { return .null }
        if let known = sets[sample.metadata] { return known }
        let json = JSONText.metadata(batch.metadata[Int(sample.metadata)], calendar)
        sets[sample.metadata] = json
        return json
    }
}
