import Foundation
import HealthEngine
import HealthStorage

/// Brings an Apple Health export into a store: zip, folder or bare xml, found by content.
///
/// ```swift
/// let importer = ExportImporter(
///     path: "export.zip", store: "health.sqlite", systemTimeZone: "Europe/Berlin", now: now)
/// let report = try importer.run()
/// report.outcome.records.new   // 1204332; the same file again: 0
/// ```
/// The store is changed wholly or not at all: one transaction, or a new file put in place when done.
/// Memory doesn't grow with the file, but for a bit for each row the store had and the members of
/// correlations and workouts that were matched.
public struct ExportImporter: Sendable {
    /// A zip, a folder, or an xml file.
    public var path: String
    /// The store's file; it is made if there is none.
    public var store: String
    /// The zone to cut days in, if a person says so.
    public var timeZone: String?
    /// The computer's own zone.
    public var systemTimeZone: String
    /// When this happens, in reference seconds.
    public var now: Double
    /// Whether somebody has said that the export is the store's person's.
    public var person: Person
    /// Told now and then how many of how many bytes of the xml are read.
    public var progress: @Sendable (Int64, Int64) -> Void
    /// Asked now and then; true ends the import, the store being as before.
    public var isCancelled: @Sendable () -> Bool

    /// An import that has yet to run.
    public init(
        path: String, store: String, timeZone: String? = nil, systemTimeZone: String, now: Double,
        person: Person = .unconfirmed,
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.path = path
        self.store = store
        self.timeZone = timeZone
        self.systemTimeZone = systemTimeZone
        self.now = now
        self.person = person
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Runs the import.
    ///
    /// - Throws: ``ArchiveError`` if the file is no readable export, ``PersonDoubt`` if it looks like
    ///   another person's, `StoreError` if the store can't be opened or written, another import is
    ///   running, or ``isCancelled`` said so.
    public func run() throws -> ImportReport {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw StoreError(.invalidArgument, "“\(timeZone)” is not an IANA time zone.")
        }
        let source = try ExportLocator.locate(path)
        let header = try ExportPreface(source)
        let description = SnapshotDescription(
            file: (path as NSString).lastPathComponent, bytes: source.byteCount,
            exportDate: header.exportDate, exportOffset: header.exportOffset,
            locale: header.locale, importedAt: now)
        let clock = ContinuousClock()
        let begin = clock.now
        var report = try SampleStore.importSnapshot(
            into: store, description, isCancelled: isCancelled
        ) {
            writer, context in
            let known = try context.characteristics()
            // Before anything is read, by what the head of the export says of the person.
            try refuse(PersonDoubt.differences(known, header.characteristics))
            var reading = try ExportReading.run(source, into: writer) {
                progress($0, source.byteCount)
            }
            // A `Me` may stand behind the records.
            try refuse(PersonDoubt.differences(known, reading.characteristics))
            let files = try CompanionFiles(source)
            files.use(reading.usedFiles)
            reading.tally.files = try files.keep(in: writer)
            let zone = try homeZone(context, header, reading)
            try context.setHomeZone(zone)
            let outcome = try writer.finish(reading.completeness)
            if person == .unconfirmed {
                try refuse(
                    PersonDoubt.differences(known, reading.characteristics, writer.personEvidence())
                )
            }
            let report = ImportReport(
                source, header, outcome, reading.tally, files, zone,
                seconds: (clock.now - begin) / .seconds(1))
            try writer.record(ledger: report.json)
            return report
        }
        report.addContents(of: store)
        report.seconds = (clock.now - begin) / .seconds(1)
        return report
    }

    /// Ends the import where something doesn't fit and nobody has said that it is the same person.
    private func refuse(_ differences: [PersonDoubt.Difference]) throws {
        guard person == .unconfirmed, !differences.isEmpty else { return }
        throw PersonDoubt(file: (path as NSString).lastPathComponent, differences: differences)
    }

    private func homeZone(
        _ context: SampleStore.ImportContext, _ header: ExportPreface, _ reading: ExportReading
    ) throws -> HomeZone {
        if timeZone == nil, let zone = try context.homeZone() { return zone }
        return HomeZoneEvidence(
            given: timeZone, votes: reading.zoneVotes, system: systemTimeZone,
            exportDate: header.exportDate, exportOffset: header.exportOffset,
            locale: header.locale
        ).zone()
    }
}

/// What stands at the head of an export, before its records.
struct ExportPreface {
    var locale: String?
    var exportDate: Double?
    var exportOffset: Int?
    /// What it says of the person, by Apple's identifiers.
    var characteristics: [String: String] = [:]

    /// Elements looked at before giving up: hand-trimmed files may have no date at all.
    private static let reach = 64

    init(_ source: ExportSource) throws {
        var scanner = ElementScanner(reading: try source.open(), name: source.name)
        var seen = 0
        while seen < ExportPreface.reach, let event = try scanner.next() {
            guard case .start(let tag) = event else { continue }
            seen += 1
            if tag.name.equals("HealthData") { locale = tag.string("locale") }
            if tag.name.equals("ExportDate") {
                let value = tag.attributes.first { $0.name.equals("value") }
                if let date = value.flatMap({ ExportDate.parse($0.value) }) {
                    exportDate = Double(date.milliseconds) / 1000
                    exportOffset = date.offset
                }
            }
            if tag.name.equals("Me") {
                characteristics = ExportReader.facts(of: tag).known
                return
            }
        }
    }
}

extension ImportReport {
    init(
        _ source: ExportSource, _ header: ExportPreface, _ outcome: SnapshotOutcome,
        _ tally: ReadingTally, _ files: CompanionFiles, _ zone: HomeZone, seconds: Double
    ) {
        self.init(
            file: (source.path as NSString).lastPathComponent, exportDate: header.exportDate,
            exportOffset: header.exportOffset, locale: header.locale, bytes: source.byteCount,
            seconds: seconds, homeZone: zone, outcome: outcome, elements: tally.elementCounts,
            cutShort: tally.cutShort, superseded: tally.superseded, repairs: tally.repairs,
            unknownElements: tally.unknownElements.counts,
            unknownAttributes: tally.unknownAttributes.counts,
            unknownTypes: tally.unknownTypes.counts,
            unknownUnits: tally.unknownUnits.counts, unknownValues: tally.unknownValues.counts,
            untyped: tally.untyped, quarantineReasons: tally.quarantined,
            quarantinePlaces: tally.quarantinePlaces, lost: tally.lost,
            firstLoss: tally.firstLoss, truncatedAt: tally.truncatedAt,
            routes: tally.routes, files: tally.files, companions: files.unusedByFolder, period: nil,
            sources: [],
            inflations: [])
    }

    /// Types whose doubles people meet first.
    private static let doubled = [
        "stepCount", "distanceWalkingRunning", "activeEnergyBurned", "flightsClimbed",
    ]

    /// Looks at the store after the import: what it covers, and what merging made of the doubles.
    ///
    /// The import is done by then, so what fails here leaves the report without its extras and says so
    /// in ``contentsFailure``. Costs a pass over the store's order of samples, and the statistics of
    /// the four types.
    mutating func addContents(of path: String) {
        do {
            let store = try SampleStore(at: path, access: .reading)
            defer { try? store.close() }
            let contents = try store.contents()
            sources = contents.sources
            let types = contents.types
            // Rings belong to days without a zone and would seem to begin a day early west of it.
            let timed = types.filter { $0.type.kind != .activitySummary }
            if let first = timed.map(\.first).min(), let last = timed.map(\.last).max() {
                period = (first, last)
            }
            for name in ImportReport.doubled {
                guard let type = types.first(where: { $0.type.name == name }),
                    contents.sourceCounts[type.type.code] ?? 0 > 1
                else { continue }
                if let inflation = try ImportReport.inflation(of: type, in: store) {
                    inflations.append(inflation)
                }
            }
        } catch {
            contentsFailure = "\(error)"
        }
    }

    /// What adding every source up would give, against what counts once.
    private static func inflation(
        of summary: TypeSummary, in store: SampleStore
    ) throws -> Inflation? {
        var rules = StatisticsRules()
        rules.separation = .bySource
        rules.horizon = summary.last
        // Some thirty days at a time, in no calendar: only the total counts.
        let edges =
            Array(stride(from: summary.first, to: summary.last, by: 30 * 86_400)) + [
                summary.last + 1
            ]
        guard edges.count > 1 else { return nil }
        let answer = try store.statistics(SampleQuestion(summary.type), over: edges, rules: rules)
        var result = Inflation(type: summary.type.name, unit: answer.unit, naive: 0, merged: 0)
        for bucket in answer.buckets {
            result.merged += bucket.merged.sum ?? 0
            for values in (bucket.bySource ?? [:]).values { result.naive += values.sum ?? 0 }
        }
        return result
    }
}
