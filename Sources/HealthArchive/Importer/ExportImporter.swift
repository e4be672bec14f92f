import Foundation
import HealthEngine
package import HealthStorage

/// Imports an Apple Health export into a store: a zip, folder or XML file, recognized by content.
///
/// ```swift
/// let importer = ExportImporter(
///     path: "\(folder)/export.zip", store: "\(folder)/health.sqlite",
///     systemTimeZone: "Europe/Berlin", now: now)
/// let report = try importer.run()
/// report.outcome.records.new   // 1204332; the same file again: 0
/// ```
/// An import is atomic: one transaction, or a new file that is moved into place at the end. Memory
/// doesn't grow with the number of records, except one bit for each existing row of the store and
/// the members of matched correlations and workouts.
public struct ExportImporter: Sendable {
    /// The path of a zip, a folder, or an XML file.
    public var path: String
    /// The path of the store's file, which is created if missing.
    public var store: String
    /// The IANA time zone for days, if the user specified one.
    public var timeZone: String?
    /// The IANA time zone of the computer.
    public var systemTimeZone: String
    /// The time of the import, in seconds since 2001-01-01T00:00:00Z.
    public var now: Double
    /// Whether the user has confirmed that the export belongs to the store's person.
    public var person: PersonConfirmation
    /// Called after each write to the store, with the number of XML bytes read before that write
    /// and the size of the XML in bytes.
    public var progress: @Sendable (Int64, Int64) -> Void
    /// Called for each batch and, while the import is completed, for every thousandth row.
    /// Returning true cancels the import and leaves the store unchanged.
    public var isCancelled: @Sendable () -> Bool
    /// The name of the export in the store's history and in the report; nil for the name of the
    /// file at ``path``. An uploaded export has a temporary file, whose name says nothing.
    package var name: String?
    /// Called after each write to the store, with the number of samples read before that write.
    package var samplesRead: @Sendable (Int) -> Void = { _ in }

    /// What an import does with text that the store knows from the latest export.
    package enum KnownText: Sendable { case passed, read }

    /// Whether known text is passed, or read to find rows that another program changed unnoticed.
    package var knownText = KnownText.passed
    /// The sizes of chunks of text that a later import needn't read again; nil to read every record.
    var chunks: RecordChunks? = .standard

    /// Creates an importer. Nothing is read until ``run()``.
    ///
    /// - Parameters:
    ///   - path: The path of a zip, a folder, or an XML file.
    ///   - store: The path of the store's file, which is created if missing.
    ///   - timeZone: The IANA time zone of the store's days, if the user specified one; nil to keep
    ///     the store's zone or determine one.
    ///   - systemTimeZone: The IANA time zone of the computer.
    ///   - now: The time of the import, in seconds since 2001-01-01T00:00:00Z.
    ///   - person: Whether the user has confirmed whose export it is.
    ///   - progress: Called after each write, with the number of XML bytes read and their total.
    ///   - isCancelled: Called periodically. Returning true cancels the import.
    public init(
        path: String, store: String, timeZone: String? = nil, systemTimeZone: String, now: Double,
        person: PersonConfirmation = .unconfirmed,
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

    /// Runs the import. Blocks until the import has ended.
    ///
    /// - Returns: The report of the import.
    /// - Throws: ``ArchiveError`` if the file is not a readable export. ``PersonMismatch`` if it
    ///   looks like another person's and ``person`` is `unconfirmed`. `StoreError` if the time zone
    ///   is invalid, the store can't be opened or written, another import is running, or
    ///   ``isCancelled`` returned true.
    /// - Complexity: O(*b* + *m* log *n* + *n*) for *b* bytes and *m* samples of the export, and
    ///   *n* samples of the store afterwards.
    public func run() throws -> ImportReport {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw StoreError(.unknownTimeZone(timeZone))
        }
        let source = try ExportLocator.locate(path)
        let header = try ExportPreface(source)
        var description = SnapshotDescription(
            file: fileName, bytes: source.byteCount,
            exportDate: header.exportDate, exportOffset: header.exportOffset,
            locale: header.locale, importedAt: now)
        description.digest = try source.digest()
        let clock = ContinuousClock()
        let begin = clock.now
        var report = try SampleStore.importSnapshot(
            into: store, description, isCancelled: isCancelled
        ) {
            writer, context in
            let known = try context.characteristics()
            // Check the characteristics at the head of the export before reading the rest.
            try refuse(PersonMismatch.differences(known, header.characteristics))
            var samples = 0
            var reading = try ExportReading.run(
                source, into: writer, chunks: chunks, knownText: knownText
            ) {
                parsed in
                samples += parsed.sampleCount
                progress(parsed.offset, source.byteCount)
                samplesRead(samples)
            }
            // Check again, since a `Me` element may follow the records.
            try refuse(PersonMismatch.differences(known, reading.characteristics))
            let files = try CompanionFiles(source)
            files.use(reading.usedFiles)
            try reading.writeFiles(files, to: writer)
            let zone = try homeZone(context, header, reading)
            try context.setHomeZone(zone)
            let outcome = try writer.finish(reading.completeness)
            reading.tally.files.unnamedAttachments = try writer.unnamedAttachments(
                among: files.attachmentPaths)
            if person == .unconfirmed {
                try refuse(
                    PersonMismatch.differences(
                        known, reading.characteristics, writer.personEvidence())
                )
            }
            var report = ImportReport(
                source, header, outcome, reading.tally, files, zone,
                seconds: (clock.now - begin) / .seconds(1))
            if let name { report.file = name }
            try writer.record(ledger: report.json)
            return report
        }
        report.addContents(of: store)
        report.seconds = (clock.now - begin) / .seconds(1)
        return report
    }

    private var fileName: String { name ?? (path as NSString).lastPathComponent }

    /// Throws if there are differences and the user hasn't confirmed the person.
    private func refuse(_ differences: [PersonMismatch.Difference]) throws {
        guard person == .unconfirmed, !differences.isEmpty else { return }
        throw PersonMismatch(file: fileName, differences: differences)
    }

    private func homeZone(
        _ context: SampleStore.ImportContext, _ header: ExportPreface, _ reading: ExportReading
    ) throws -> HomeZone {
        if timeZone == nil, let zone = try context.homeZone() { return zone }
        return HomeZoneEvidence(
            specified: timeZone, zoneCounts: reading.zoneCounts, system: systemTimeZone,
            exportDate: header.exportDate, exportOffset: header.exportOffset,
            locale: header.locale
        ).zone()
    }
}

/// The data at the head of an export: locale, date and characteristics.
struct ExportPreface {
    var locale: String?
    var exportDate: Double?
    var exportOffset: Int?
    /// The attributes of the first `Me` element, by Apple's identifiers.
    var characteristics: [String: String] = [:]

    /// The maximum number of elements to search. The search ends at `Me`, which a file edited by
    /// hand may lack.
    private static let maximumTags = 64

    init(_ source: ExportSource) throws {
        var scanner = ElementScanner(reading: try source.open(), name: source.name)
        var seen = 0
        while seen < ExportPreface.maximumTags, let event = try scanner.next() {
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
            truncatedElements: tally.truncatedElements, superseded: tally.superseded,
            repairs: tally.repairs,
            unknownElements: tally.unknownElements.counts,
            unknownAttributes: tally.unknownAttributes.counts,
            unknownTypes: tally.unknownTypes.counts,
            unknownUnits: tally.unknownUnits.counts, unknownValues: tally.unknownValues.counts,
            untyped: tally.untyped, quarantineReasons: tally.quarantined,
            quarantineLocations: tally.quarantineLocations, lost: tally.lost,
            firstLoss: tally.firstLoss, truncatedAt: tally.truncatedAt,
            routes: tally.routes, files: tally.files, companions: files.unusedByFolder, period: nil,
            sources: [],
            doubleCounting: [])
    }
}

extension ExportImporter {
    /// Returns the import after which nothing changed, if it was of the same zip.
    ///
    /// Only zips are recognized, by the checksums in their directory, of which a folder has none.
    /// A specified ``timeZone`` is a reason to import again.
    ///
    /// - Returns: The import; nil if this one could change the store.
    /// - Throws: ``ArchiveError`` if the file is not a readable export, `StoreError` if an existing
    ///   store can't be read.
    /// - Complexity: O(*f* log *f*) for *f* files in the zip.
    package func unchangedImport() throws -> ImportSummary? {
        guard timeZone == nil, let digest = try ExportLocator.locate(path).digest() else {
            return nil
        }
        let store: SampleStore
        do {
            store = try SampleStore(at: self.store, access: .reading)
        } catch let error as StoreError where error.code == .missing {
            return nil
        }
        defer { try? store.close() }
        return try store.unchangedImport(ofDigest: digest)
    }

    /// Returns the newest earlier import that seems to be of this export; nil if there is none or
    /// no store. Partial imports, which lost data, are ignored.
    ///
    /// Two exports are considered equal if the size of their XML and their export date are equal.
    /// Records aren't compared.
    ///
    /// - Returns: The earlier import, or nil.
    /// - Throws: ``ArchiveError`` if the file is not a readable export, `StoreError` if an existing
    ///   store can't be read.
    /// - Complexity: O(*f* log *f* + *i*) for *f* files at the path, with up to 16 KiB read of
    ///   each, and *i* imports.
    package func earlierImport() throws -> ImportSummary? {
        let source = try ExportLocator.locate(path)
        let date = try ExportPreface(source).exportDate
        let store: SampleStore
        do {
            store = try SampleStore(at: self.store, access: .reading)
        } catch let error as StoreError where error.code == .missing {
            return nil
        }
        defer { try? store.close() }
        return try store.imports().first {
            $0.kind != .partial && $0.bytes == source.byteCount && $0.exportDate == date
        }
    }
}
