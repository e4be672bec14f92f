import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// Writes the output of `samples`: samples as recorded, or merged intervals. A sample without a
/// number, such as a workout, has no value.
struct SampleListing {
    enum Format { case json, csv, table }
    enum Contents { case samples, mergedIntervals }

    var type: SampleType
    var contents: Contents
    var calendar: CalendarBuckets
    var format: Format
    /// The maximum number of samples; nil for all.
    var limit: Int?
    /// The names of medications by identifier, for doses.
    var medications: [String: String] = [:]

    private var unit: String? { type.kind == .quantity ? type.resultUnit : nil }

    /// Returns the text before the first sample.
    func head(_ columns: SampleColumns) -> String {
        switch format {
        case .json:
            return "{\"type\":" + JSONText.string(type.identifier).text + ",\"unit\":"
                + JSONText.text(unit).text + ",\"samples\":["
        case .csv:
            return CSVText.row(
                (contents == .samples ? ["uuid"] : []) + ["start", "end", "value"]
                    + (hasValueName ? ["valueName"] : []) + (isDoses ? ["medication"] : [])
                    + ["unit", "source", "bundleIdentifier"]
                    + (contents == .samples ? ["metadata"] : []))
        case .table:
            let what = contents == .samples ? "samples as recorded" : "merged intervals"
            if columns.isEmpty, limit != 0 {
                return "No \(TypeText.name(type)): nothing was recorded in that period.\n"
            }
            let sentence =
                "\(TypeText.title(type)): \(what), in order of start time, times in "
                + "\(calendar.calendar.timeZone.identifier)."
            return sentence.wrapped() + "\n\n"
                + columns.row("start", "end", "value", "unit", "source")
        }
    }

    /// The text after the last sample.
    private var foot: String { format == .json ? "]}\n" : "" }

    // MARK: - Raw samples

    func write(
        _ store: SampleStore, _ query: SampleQuery, to output: inout Output
    ) throws {
        var columns = SampleColumns()
        if format == .table {
            // The column widths of a table depend on all rows, so the samples are read twice.
            try store.forEachBatch(query, limit: limit) { batch, uuids in
                for (index, uuid) in zip(batch.samples.indices, uuids) {
                    fit(line(index, uuid, in: batch), in: &columns)
                }
            }
        }
        try output.write(head(columns))
        var isFirst = true
        try store.forEachBatch(query, limit: limit) { batch, uuids in
            for (index, uuid) in zip(batch.samples.indices, uuids) {
                if !isFirst, format == .json { try output.write(",") }
                isFirst = false
                try output.write(text(index, uuid, in: batch, columns))
            }
        }
        try output.write(foot)
    }

    private func line(_ index: Int, _ uuid: String, in batch: SampleBatch) -> Line {
        let sample = batch.samples[index]
        let origin = sample.origin < 0 ? nil : batch.origins[Int(sample.origin)]
        let source = origin.flatMap { $0.source < 0 ? nil : batch.sources[Int($0.source)] }
        let span = calendar.span(of: sample, type)
        let line = Line(
            uuid: uuid, start: span.start, end: sample.isUndetermined ? nil : span.end,
            value: sample.value.isFinite ? sample.value : nil,
            name: batch.details[index]?.documentName, unit: origin?.unit,
            source: source ?? Source(name: "", bundleIdentifier: ""),
            measurement: MeasurementText(batch.details[index], of: type))
        return isDoses ? line.with(dose(index, in: batch), medications) : line
    }

    /// Returns the text of the sample with an index.
    func text(
        _ index: Int, _ uuid: String, in batch: SampleBatch, _ columns: SampleColumns
    ) -> String {
        let sample = batch.samples[index]
        let line = line(index, uuid, in: batch)
        let metadata = batch.metadata(of: sample) ?? [:]
        switch format {
        case .json: return json(line, JSONText.metadata(metadata, calendar))
        case .csv: return csv(line, JSONText.metadata(metadata, calendar).text)
        case .table: return row(line, columns)
        }
    }

    // MARK: - Merged intervals

    func write(_ mergedIntervals: some Sequence<Explanation.Segment>, to output: inout Output)
        throws
    {
        var columns = SampleColumns()
        if format == .table {
            for mergedInterval in mergedIntervals { fit(line(mergedInterval), in: &columns) }
        }
        try output.write(head(columns))
        var isFirst = true
        for mergedInterval in mergedIntervals {
            if !isFirst, format == .json { try output.write(",") }
            isFirst = false
            let line = line(mergedInterval)
            switch format {
            case .json: try output.write(json(line, nil))
            case .csv: try output.write(csv(line, nil))
            case .table: try output.write(row(line, columns))
            }
        }
        try output.write(foot)
    }

    private func line(_ mergedInterval: Explanation.Segment) -> Line {
        Line(
            uuid: nil, start: mergedInterval.start, end: mergedInterval.end,
            value: mergedInterval.value, unit: unit,
            source: mergedInterval.source)
    }

    // MARK: - One line

    struct Line {
        var uuid: String?
        var start: Double
        var end: Double?
        var value: Double?
        /// The name of a clinical record, document or card.
        var name: String?
        var unit: String?
        var source: Source
        /// The status of a dose.
        var status: String?
        /// The name of a dose's medication.
        var medication: String?
        /// The content of an audiogram or prescription.
        var measurement: MeasurementText?
    }

    /// Whether values have names.
    private var hasValueName: Bool { type.kind == .category || isDoses || type.holdsDocuments }

    private func valueName(_ line: Line) -> String? {
        if let name = line.name ?? line.status { return name }
        guard type.kind == .category, let value = line.value, let whole = Int(exactly: value) else {
            return nil
        }
        return ValueName.name(whole, of: type)
    }

    private func json(_ line: Line, _ metadata: JSONText?) -> String {
        JSONText.object([
            "uuid": line.uuid.map(JSONText.string),
            "start": .string(calendar.text(line.start)),
            "end": .text(line.end.map(calendar.text)),
            "value": .amount(line.value),
            "valueName": valueName(line).map(JSONText.string),
            "medication": line.medication.map(JSONText.string),
            "unit": .text(line.unit),
            "source": .string(line.source.name),
            "bundleIdentifier": .string(line.source.bundleIdentifier),
            "metadata": metadata,
            "detail": line.measurement.map { JSONText.detail($0.detail, calendar) },
        ]).text
    }

    private func csv(_ line: Line, _ metadata: String?) -> String {
        CSVText.row(
            (line.uuid.map { [$0] } ?? [])
                + [
                    calendar.text(line.start), line.end.map(calendar.text) ?? "",
                    CSVText.number(line.value),
                ] + (hasValueName ? [valueName(line) ?? ""] : [])
                + (isDoses ? [line.medication ?? ""] : [])
                + [line.unit ?? "", line.source.name, line.source.bundleIdentifier]
                + (metadata.map { [$0] } ?? []))
    }

    private func row(_ line: Line, _ columns: SampleColumns) -> String {
        columns.row(
            DateText.minute(line.start, calendar),
            line.end.map { DateText.minute($0, calendar) } ?? "open", value(line), line.unit ?? "",
            line.source.name)
    }

    private func fit(_ line: Line, in columns: inout SampleColumns) {
        columns.fit(value: value(line), unit: line.unit ?? "")
    }

    /// The maximum number of characters of a name in a table.
    private static let maximumNameLength = 40

    private func value(_ line: Line) -> String {
        if isDoses { return line.doseText }
        let name = valueName(line).map {
            String($0.printable.prefix(SampleListing.maximumNameLength))
        }
        return line.measurement?.sentence ?? name
            ?? line.value.map { contents == .samples ? NumberText.shortest($0) : rounded($0) } ?? ""
    }

    private func rounded(_ value: Double) -> String { NumberText.grouped(value, digits: 2) }
}

/// The column widths of a table of samples. The value and unit columns fit their longest cell; the
/// source gets the rest of 80 columns, but at least 12.
struct SampleColumns {
    private static let time = 16
    private static let maximumWidth = 80

    private var value = "value".count
    private var unit = 0
    /// Whether there are no rows.
    private(set) var isEmpty = true

    /// Widens the columns to fit a value and its unit.
    mutating func fit(value: String, unit: String) {
        isEmpty = false
        self.value = max(self.value, value.displayWidth)
        guard !unit.isEmpty else { return }
        self.unit = max(self.unit, unit.printable.displayWidth, "unit".count)
    }

    /// Returns one line of the table. The unit column is omitted if no row has a unit.
    func row(
        _ start: String, _ end: String, _ value: String, _ unit: String, _ source: String
    ) -> String {
        var text = start.padded(to: SampleColumns.time) + "  " + end.padded(to: SampleColumns.time)
        text += "  " + value.padded(to: self.value, .right) + "  "
        if self.unit > 0 { text += unit.printable.padded(to: self.unit) + "  " }
        let room = max(12, SampleColumns.maximumWidth - text.displayWidth)
        return text + source.printable.cut(to: room) + "\n"
    }
}
