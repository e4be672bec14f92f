import Foundation
import HealthArchive
import HealthCalendar
import HealthEngine
import HealthFormats
import HealthServer
import HealthStorage

/// An export: what it contains, and the functions that write it in each format.
struct ExportJob {
    var store: SampleStore
    var selection: ExportSelection
    var calendar: CalendarBuckets
    var interruption: Interruption

    /// Whether a file contains the person's characteristics, such as the date of birth.
    enum Characteristics {
        case included, withheld
    }

    /// The program in the metadata of Parquet files.
    static let creator = "OpenHealthKit \(ProgramVersion.text)"

    func write(_ lines: SampleLines, to output: inout Output) throws -> ExportReport {
        var report = ExportReport()
        var routes = 0
        try output.write(lines.sampleHeader)
        try store.forEachExportedBatch(
            selection, routes: lines.format == .csv ? .separate : .inline
        ) { exported in
            try check()
            try output.write(lines.text(exported))
            report.count(exported)
            if lines.format == .csv { routes += exported.routesWithSeparatePoints }
        }
        report.add(.routePoints, routes)
        if lines.format == .jsonLines {
            report.dayNotes = try writeDayNotes { try output.write(lines.text(dayNotes: $0)) }
            report.medications = try writeMedications(lines, to: &output)
        } else if selection.isEverything {
            report.add(.dayNotes, try store.dayNoteCount())
        }
        try addNonSamples(to: &report)
        return report
    }

    func writeMergedIntervals(_ lines: SampleLines, to output: inout Output) throws -> ExportReport
    {
        try output.write(lines.intervalHeader)
        return try writeMergedIntervals { mergedIntervals, type, unit in
            try output.write(lines.text(mergedIntervals, of: type, unit: unit))
        }
    }

    func writeDatabase(
        to path: String, named name: String, _ content: ExportDatabase.Content,
        _ characteristics: Characteristics
    ) throws -> ExportReport {
        let database = try ExportDatabase(at: path, named: name, content, calendar)
        if selection.from > -.infinity {
            try database.note("from", calendar.text(selection.from))
        }
        if selection.to < .infinity { try database.note("to", calendar.text(selection.to)) }
        if characteristics == .included {
            try database.write(characteristics: try store.characteristics())
        }
        var report = ExportReport()
        switch content {
        case .samples:
            try store.forEachExportedBatch(selection, routes: .inline) { exported in
                try check()
                try database.write(exported)
                report.count(exported)
            }
            report.dayNotes = try writeDayNotes { try database.write(dayNotes: $0) }
            try addNonSamples(to: &report)
        case .mergedIntervals:
            report = try writeMergedIntervals { try database.write($0, of: $1, unit: $2) }
        }
        try database.close()
        return report
    }

    /// Writes samples or merged intervals as Parquet.
    func writeParquet(
        to files: ParquetFiles, _ content: ExportDatabase.Content, _ columns: ExportColumns
    ) throws -> ExportReport {
        let single = ExportTable.only(of: selection.types)
        let tables =
            content == .mergedIntervals
            ? [ExportTable.intervals]
            : files.isFolder ? ExportTable.tables(of: selection.types) : [single]
        let export = try ParquetExport(
            tables, columns, calendar, metadata: periodFacts,
            creator: ExportJob.creator, to: files.sink)
        var report = ExportReport()
        if content == .mergedIntervals {
            report = try writeMergedIntervals { try export.write($0, of: $1, unit: $2) }
            try export.close()
            return report
        }
        let withPoints = tables.contains(.routePoints)
        var (routes, parts) = (0, 0)
        try forEachBatchReadAhead(routes: withPoints ? .inline : .separate) { exported in
            try check()
            try export.write(exported)
            report.count(exported)
            if !withPoints { routes += exported.routesWithPoints }
            if single == .workouts, !files.isFolder { parts += exported.workoutsWithParts }
        }
        report.add(.routePoints, routes)
        report.add(.workoutParts, parts)
        if tables.contains(.dayNotes) {
            report.dayNotes = try writeDayNotes { try export.write(dayNotes: $0) }
        } else if selection.isEverything {
            report.add(.dayNotes, try store.dayNoteCount())
        }
        try addNonSamples(to: &report)
        try export.close()
        return report
    }

    /// Passes the batches to a closure while the next ones are read on a thread of their own, because
    /// reading and encoding take about the same time.
    ///
    /// Memory: three batches.
    private func forEachBatchReadAhead(
        routes: ExportedRoutes, _ body: (ExportedBatch) throws -> Void
    ) throws {
        let batches = BoundedQueue<ExportedBatch, any Error>(capacity: 1)
        batches.start("export") { [store, selection] queue in
            try store.forEachExportedBatch(selection, routes: routes) { batch in
                guard queue.put(batch) else { throw CancellationError() }
            }
        }
        defer { batches.stop() }
        while let batch = try batches.take() { try body(batch) }
    }

    /// The period that was asked for, if it isn't everything.
    private var periodFacts: [(key: String, value: String)] {
        var facts: [(key: String, value: String)] = []
        if selection.from > -.infinity {
            facts.append(("openhealth.from", calendar.text(selection.from)))
        }
        if selection.to < .infinity {
            facts.append(("openhealth.to", calendar.text(selection.to)))
        }
        return facts
    }

    /// Passes the merged intervals to a closure: of summed types by day, of other types in chunks.
    private func writeMergedIntervals(
        _ write: ([Explanation.Segment], SampleType, String) throws -> Void
    ) throws -> ExportReport {
        var report = ExportReport()
        report.content = .intervals
        var rules = StatisticsRules()
        rules.horizon = Date().timeIntervalSinceReferenceDate
        for type in try mergedTypes() {
            let query = SampleQuery(type, from: selection.from, to: selection.to)
            let unit = type.kind == .quantity ? type.resultUnit ?? "" : ""
            guard type.aggregation == .cumulative else {
                let mergedIntervals = try store.mergedIntervals(query, rules: rules)
                for part in mergedIntervals.chunked(by: ExportJob.maximumIntervals) {
                    try check()
                    try write(Array(part), type, unit)
                }
                report.types[type.identifier, default: 0] += mergedIntervals.count
                continue
            }
            try store.forEachMergedDay(query, in: calendar, unit: unit, rules: rules) { day in
                try check()
                try write(day.intervals, type, unit)
                report.types[type.identifier, default: 0] += day.intervals.count
            }
        }
        return report
    }

    /// Passes the notes on days to a closure, some at a time.
    ///
    /// - Returns: Their number.
    private func writeDayNotes(_ write: ([DayNote]) throws -> Void) throws -> Int {
        var count = 0
        try store.forEachExportedDayNotes(selection) { notes in
            try check()
            try write(notes)
            count += notes.count
        }
        return count
    }

    /// Adds the numbers of files and raw elements, which only Apple's format can hold, to the
    /// losses. Only an export of the whole store counts them.
    private func addNonSamples(to report: inout ExportReport) throws {
        guard selection.isEverything else { return }
        let gaps = try store.exportGaps()
        report.add(.files, gaps.files)
        report.add(.rawElements, gaps.rawElements)
        if report.medications == 0 { report.add(.medications, gaps.medications) }
    }

    /// Writes the medications, which have no time: with all types or with their doses.
    ///
    /// - Returns: Their number.
    private func writeMedications(_ lines: SampleLines, to output: inout Output) throws -> Int {
        guard
            selection.types.isEmpty
                || selection.types.contains(where: { $0.name == "medicationDoseEvent" })
        else { return 0 }
        let medications = try store.medications()
        try output.write(lines.text(medications: medications))
        return medications.count
    }

    func writeArchive(to path: String, named name: String) throws -> ExportReport {
        let now = Date()
        let offset = calendar.calendar.offset(at: now)
        let export = StoreExport(
            store, madeAt: now.timeIntervalSinceReferenceDate.rounded(.down), offset: offset)
        let tally: StoreExportTally
        do {
            tally = try export.write(selection, to: path, pulse: check)
        } catch let error as ArchiveError {
            // The file has a temporary name until it is complete.
            throw ArchiveError(error.code, in: name, at: error.offset)
        }
        var report = ExportReport()
        report.types = tally.samples
        report.losses = ExportLoss.allCases.compactMap { loss in
            tally.losses[loss].map {
                .init(
                    what: loss.rawValue, description: loss.sentence, count: $0,
                    names: tally.names[loss] ?? [])
            }
        }
        return report
    }

    /// The maximum number of merged intervals in a chunk.
    private static let maximumIntervals = 4_096

    /// Returns the requested types that the store has, or all its summed types if none are
    /// requested.
    ///
    /// - Throws: ``UsageError`` if a requested type has no merged timeline.
    private func mergedTypes() throws -> [SampleType] {
        if let other = selection.types.first(where: { $0.kind != .quantity && $0.kind != .category }
        ) {
            throw UsageError(
                "\(other.name) has no merged timeline. Omit --merged to export its samples.")
        }
        let wanted = Set(selection.types.map(\.identifier))
        return try store.types().map(\.type).filter {
            wanted.isEmpty ? $0.aggregation == .cumulative : wanted.contains($0.identifier)
        }
    }

    /// Throws ``CommandError`` if the user has pressed Ctrl-C.
    func check() throws {
        if interruption.isRequested { throw CommandError("Stopped. No file was written.") }
    }
}

extension ExportedBatch {
    /// The number of workout routes whose points are in the store but not in this batch.
    fileprivate var routesWithSeparatePoints: Int {
        batch.details.values.reduce(0) { count, detail in
            guard case .workout(let workout) = detail else { return count }
            return count + workout.routes.count { $0.storedPoints != nil && $0.points.isEmpty }
        }
    }
}

extension ExportedBatch {
    /// The number of workouts with statistics, events or routes, which are other tables.
    fileprivate var workoutsWithParts: Int {
        details.count { detail in
            guard case .workout(let workout) = detail else { return false }
            return !workout.statistics.isEmpty || !workout.events.isEmpty
                || !workout.routes.isEmpty
        }
    }

    /// The number of routes with points, loaded or not.
    fileprivate var routesWithPoints: Int {
        details.reduce(0) { count, detail in
            switch detail {
            case .workout(let workout):
                count + workout.routes.count { $0.storedPoints != nil || !$0.points.isEmpty }
            case .route(let points): count + (points.isEmpty ? 0 : 1)
            default: count
            }
        }
    }

    private var details: Dictionary<Int, SampleDetail>.Values { batch.details.values }
}

extension Array {
    /// Returns the elements in order, in chunks of a given size.
    fileprivate func chunked(by size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
