package import HealthCalendar
package import HealthEngine
package import HealthStorage

/// A writer of samples as Parquet files, one for each table. `Documentation/ExportSchema.md`
/// describes the tables.
///
/// ```swift
/// let export = try ParquetExport([.samples], .all, calendar) { _ in { try file.write($0) } }
/// try store.forEachExportedBatch(ExportSelection()) { try export.write($0) }
/// try export.close()
/// ```
/// Rows of tables that weren't asked for are left out. Memory: a row group of each table.
package final class ParquetExport {
    /// The version of the tables.
    private static let version = "1"

    let calendar: CalendarBuckets
    let zone: ParquetValue
    let width: ExportColumns
    var times: ParquetTimes
    private var writers: [ExportTable: ParquetWriter] = [:]
    /// The id of the last route.
    private var lastRoute: Int64 = 0

    /// Creates the files of some tables.
    ///
    /// - Parameters:
    ///   - tables: The tables.
    ///   - width: The columns of samples and merged intervals.
    ///   - calendar: The time zone of days.
    ///   - metadata: Facts about the export, for the key-value metadata of each file.
    ///   - creator: The program that writes the files.
    ///   - options: Sizes and compression.
    ///   - sink: Returns what receives the bytes of a table's file.
    /// - Throws: ``ParquetError``, and errors of the sinks.
    package init(
        _ tables: [ExportTable], _ width: ExportColumns, _ calendar: CalendarBuckets,
        metadata: [(key: String, value: String)] = [], creator: String = "OpenHealthKit",
        options: ParquetOptions = ParquetOptions(),
        to sink: (ExportTable) throws -> ([UInt8]) throws -> Void
    ) throws {
        self.calendar = calendar
        self.width = width
        times = ParquetTimes(calendar)
        zone = .text(times.zone)
        let facts = [
            (key: "openhealth.format", value: ParquetExport.version),
            (key: "openhealth.timeZone", value: times.zone),
        ]
        for table in tables {
            writers[table] = try ParquetWriter(
                table.columns(width), metadata: facts + metadata, creator: creator,
                options: options, to: try sink(table))
        }
    }

    /// Writes the samples of a batch with their details.
    ///
    /// - Parameter exported: A batch of a store's export.
    /// - Throws: ``ParquetError``, and errors of the sinks. Then the files are unusable.
    /// - Complexity: O(samples + their details).
    package func write(_ exported: ExportedBatch) throws {
        var shared = BatchValues(exported, calendar)
        for index in exported.batch.samples.indices {
            if let writer = writers[.samples] {
                try writer.append(sampleRow(index, exported, &shared))
            }
            try writeDetail(index, exported, &shared)
        }
    }

    /// Writes merged intervals of one type.
    ///
    /// - Parameters:
    ///   - intervals: The merged intervals.
    ///   - type: Their type.
    ///   - unit: The unit of their values; empty for none.
    /// - Throws: ``ParquetError``, and errors of the sinks. Then the files are unusable.
    /// - Complexity: O(intervals).
    package func write(
        _ intervals: [Explanation.Segment], of type: SampleType, unit: String
    ) throws {
        guard let writer = writers[.intervals] else { return }
        let (identifier, unit) = (ParquetValue.text(type.identifier), ParquetValue.text(unit))
        for interval in intervals {
            var row: [ParquetValue] = [
                identifier, ParquetTimes.timestamp(interval.start),
                ParquetTimes.timestamp(interval.end), times.day(interval.start),
                .double(orNull: interval.value), unit, .text(interval.source.name),
            ]
            if width == .all {
                row += [
                    .text(orNull: SampleLines.valueName(interval.value, type)),
                    .text(interval.source.bundleIdentifier), zone,
                ]
            }
            try writer.append(row)
        }
    }

    /// Writes notes on days.
    ///
    /// - Parameter notes: The notes.
    /// - Throws: ``ParquetError``, and errors of the sinks. Then the files are unusable.
    package func write(dayNotes notes: [DayNote]) throws {
        for note in notes {
            try append(
                [
                    ParquetTimes.date(note.day), .text(note.text),
                    ParquetTimes.timestamp(note.modified),
                ], to: .dayNotes)
        }
    }

    /// Completes the files.
    ///
    /// - Throws: ``ParquetError``, and errors of the sinks. Then the files are unusable.
    package func close() throws {
        for table in ExportTable.allCases { try writers[table]?.close() }
    }

    func append(_ row: [ParquetValue], to table: ExportTable) throws {
        try writers[table]?.append(row)
    }

    func nextRoute() -> Int64 {
        lastRoute += 1
        return lastRoute
    }
}

// MARK: - Samples

extension ParquetExport {
    private func sampleRow(
        _ index: Int, _ exported: ExportedBatch, _ shared: inout BatchValues
    ) -> [ParquetValue] {
        let sample = exported.batch.samples[index]
        let origin = shared.origin(sample)
        let span = calendar.span(of: sample, exported.type)
        var row: [ParquetValue] = []
        row.reserveCapacity(17)
        row.append(shared.type)
        row.append(ParquetTimes.timestamp(span.start))
        row.append(sample.isUndetermined ? .null : ParquetTimes.timestamp(span.end))
        row.append(times.day(of: sample, exported.type))
        row.append(.double(orNull: sample.value))
        row.append(origin.unit)
        row.append(origin.source)
        guard width == .all else { return row }
        row.append(shared.valueName(sample.value))
        row.append(origin.bundleIdentifier)
        row.append(zone)
        row.append(origin.version)
        row.append(origin.device)
        row.append(origin.deviceJSON)
        row.append(.text(exported.uuids[index]))
        row.append(ParquetTimes.timestamp(sample.created))
        row.append(shared.metadata(sample))
        row.append(shared.detail(exported.batch.details[index]))
        return row
    }
}

/// The values that samples of a batch share, built once.
struct BatchValues {
    /// What an origin contributes to a row.
    struct OriginValues {
        var unit = ParquetValue.null
        var source = ParquetValue.null
        var bundleIdentifier = ParquetValue.null
        var version = ParquetValue.null
        var device = ParquetValue.null
        var deviceJSON = ParquetValue.null
    }

    let type: ParquetValue
    private let sampleType: SampleType
    private let batch: SampleBatch
    private let calendar: CalendarBuckets
    private var origins: [Int32: OriginValues] = [:]
    private var sets: [Int32: ParquetValue] = [:]
    private var names: [Double: ParquetValue] = [:]

    init(_ exported: ExportedBatch, _ calendar: CalendarBuckets) {
        type = .text(exported.type.identifier)
        sampleType = exported.type
        batch = exported.batch
        self.calendar = calendar
    }

    mutating func origin(_ sample: Sample) -> OriginValues {
        if let known = origins[sample.origin] { return known }
        var values = OriginValues()
        if sample.origin >= 0 {
            let origin = batch.origins[Int(sample.origin)]
            values.unit = .text(orNull: origin.unit)
            values.version = .text(orNull: origin.version)
            values.device = .text(orNull: origin.device?.name)
            values.deviceJSON = .text(orNull: origin.device.map { JSONText.device($0).text })
            if origin.source >= 0 {
                let source = batch.sources[Int(origin.source)]
                values.source = .text(source.name)
                values.bundleIdentifier = .text(source.bundleIdentifier)
            }
        }
        origins[sample.origin] = values
        return values
    }

    mutating func metadata(_ sample: Sample) -> ParquetValue {
        if sample.metadata < 0 { return .null }
        if let known = sets[sample.metadata] { return known }
        let value = metadata(batch.metadata[Int(sample.metadata)])
        sets[sample.metadata] = value
        return value
    }

    func metadata(_ metadata: Metadata) -> ParquetValue {
        metadata.isEmpty ? .null : .text(JSONText.metadata(metadata, calendar).text)
    }

    mutating func valueName(_ value: Double) -> ParquetValue {
        guard sampleType.kind == .category, value.isFinite else { return .null }
        if let known = names[value] { return known }
        let name = ParquetValue.text(orNull: SampleLines.valueName(value, sampleType))
        names[value] = name
        return name
    }

    /// Returns a sample's details as JSON, without the points of routes, which have their own
    /// table.
    func detail(_ detail: SampleDetail?) -> ParquetValue {
        switch detail {
        case nil, .route: return .null
        case .workout(var workout):
            for index in workout.routes.indices { workout.routes[index].points = [] }
            return .text(JSONText.detail(.workout(workout), calendar).text)
        case .some(let other): return .text(JSONText.detail(other, calendar).text)
        }
    }
}
