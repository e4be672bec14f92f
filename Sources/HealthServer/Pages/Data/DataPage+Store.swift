package import Foundation
package import HealthCalendar
import HealthDashboard
import HealthEngine
package import HealthStorage

extension DataPage {
    /// Describes a store.
    ///
    /// - Parameters:
    ///   - store: The store to describe.
    ///   - contents: The result of ``SampleStore/contents(visibility:)`` at the store's current
    ///     ``SampleStore/lastSequence``; nil to count now, which takes about a second for five
    ///     million samples.
    ///   - calendar: The calendar and time zone of days.
    ///   - now: The current time.
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(*t* + *s* + *i*) in the types, sources and imports if `contents` is given,
    ///   else O(*n*) in the samples.
    package init(
        _ store: SampleStore, contents: StoreContents? = nil, in calendar: CalendarBuckets,
        now: Date
    ) throws {
        let contents = try contents ?? store.contents()
        let zone = try store.homeZone
        let imports = try store.imports().map { try Import($0) }
        let samples = contents.types.reduce(0) { $0 + $1.samples }
        let bytes = store.fileSize
        self.init(
            freshness: Freshness(asOf: now, isCurrent: true),
            timeZone: calendar.calendar.timeZone.identifier,
            timeZoneReason: DataPage.reason(of: zone, calendar.calendar.timeZone),
            sentence: DataPage.sentence(contents, imports.count, calendar), imports: imports,
            types: contents.types.map { TypeRow($0, calendar) }
                .sorted { ($1.samples, $0.name) < ($0.samples, $1.name) },
            sources: try DataPage.sources(contents, try store.exclusions(), calendar),
            grants: try DataPage.grants(store), samples: samples, bytes: bytes,
            sizeText: SizeText.text(bytes),
            file: store.path.split(separator: "/").last.map(String.init) ?? store.path)
    }

    private static func reason(of zone: HomeZone?, _ used: TimeZone) -> String {
        guard let zone, zone.identifier == used.identifier else { return "as requested" }
        switch zone.reason {
        case .specified: return "as specified"
        case .metadata: return "the time zone of most records"
        case .system: return "the time zone of this computer, which fits the export"
        case .device: return "the time zone of a device that sends data"
        case .guessed: return "guessed from the export's UTC offset and language"
        }
    }

    /// The summary of an empty store, which ends with a command.
    static let emptySentence =
        "The store has no samples yet. Import an export: openhealth import export.zip"

    private static func sentence(
        _ contents: StoreContents, _ imports: Int, _ calendar: CalendarBuckets
    ) -> String {
        let timed = contents.types.filter { $0.type.kind != .activitySummary }
        let listed = timed.isEmpty ? contents.types : timed
        guard let first = listed.map(\.first).min(), let last = listed.map(\.last).max() else {
            return emptySentence
        }
        let samples = contents.types.reduce(0) { $0 + $1.samples }
        return "\(counted(samples, "sample", "samples")) of "
            + "\(counted(contents.types.count, "type", "types")) from "
            + "\(counted(contents.sources.count, "source", "sources")), "
            + "\(DateText.long(calendar.day(first))) to \(DateText.long(calendar.day(last))), in "
            + "\(counted(imports, "import", "imports"))."
    }

    private static func sources(
        _ contents: StoreContents, _ exclusions: [(type: SampleType, excluded: ExcludedSource)],
        _ calendar: CalendarBuckets
    ) throws -> [SourceRow] {
        let excluded = Dictionary(grouping: exclusions) { $0.excluded.source.bundleIdentifier }
        return contents.sources.filter { $0.samples > 0 }.map { source in
            SourceRow(
                name: PrintableText.text(source.name), bundleIdentifier: source.bundleIdentifier,
                rank: source.rank, samples: source.samples,
                first: calendar.civilDate(source.first), last: calendar.civilDate(source.last),
                excludedFrom: (excluded[source.bundleIdentifier] ?? []).map {
                    Exclusion(
                        type: $0.type.name, words: TypeText.name($0.type),
                        reason: ExclusionReasonText.why($0.excluded.reason))
                })
        }
    }

    private static func typeWords(code: Int32) -> String {
        Catalogue.type(code: code).map(TypeText.name)
            ?? Catalogue.characteristic(code: code)?.name ?? "type \(code)"
    }

    private static func grants(_ store: SampleStore) throws -> [Grant] {
        try store.authorizedClients().map { client in
            let rows = try store.authorization(of: client)
            func words(_ isMeant: (AuthorizationRow) -> Bool) throws -> [String] {
                rows.filter { isMeant($0.value) }.map { typeWords(code: $0.key) }.sorted()
            }
            return Grant(
                program: PrintableText.text(client),
                reads: try words { $0.read == .granted },
                saves: try words { $0.share == .granted },
                denied: try words { $0.read == .denied || $0.share == .denied })
        }
    }
}

extension DataPage.TypeRow {
    init(_ summary: TypeSummary, _ calendar: CalendarBuckets) {
        // Activity summaries have days without a time zone, stored as midnights in UTC.
        let calendar =
            summary.type.kind == .activitySummary ? CalendarBuckets(timeZone: .gmt) : calendar
        let metric = Metric(summary.type)
        self.init(
            name: summary.type.name, words: TypeText.name(summary.type),
            unit: metric.flatMap { $0.kind == .state ? nil : $0.unit },
            samples: summary.samples,
            first: calendar.civilDate(summary.first), last: calendar.civilDate(summary.last),
            link: summary.type.pageAddress)
    }
}

extension DataPage.Import {
    init(_ summary: ImportSummary) throws {
        let ledger = ImportCounts(summary.ledger)
        self.init(
            file: PrintableText.text(summary.file),
            exportDate: summary.exportDate.map(Date.init(timeIntervalSinceReferenceDate:)),
            importedAt: Date(timeIntervalSinceReferenceDate: summary.importedAt),
            kind: summary.kind.rawValue, kindText: DataPage.Import.words(summary.kind),
            bytes: summary.bytes, sizeText: SizeText.text(summary.bytes),
            tallies: [
                ("records", ledger.records), ("workouts", ledger.workouts),
                ("correlations", ledger.correlations),
                ("activity summaries", ledger.activitySummaries),
            ].compactMap { kind, tally in
                guard let tally, tally.read > 0 else { return nil }
                return Tally(
                    kind: kind, read: tally.read, new: tally.new, unchanged: tally.unchanged,
                    changed: tally.changed, repeated: tally.repeated,
                    quarantined: tally.quarantined)
            }, vanished: ledger.vanished ?? 0)
    }

    private static func words(_ kind: SnapshotOutcome.Kind) -> String {
        switch kind {
        case .snapshot: "Complete, and newer than all earlier imports."
        case .addition: "Not newer than an earlier import, so it only added missing samples."
        case .partial: "Damaged, so it only added missing samples."
        }
    }
}

/// Formats file sizes with decimal prefixes, as in "1.2 GB".
enum SizeText {
    static func text(_ bytes: Int64) -> String {
        var value = Double(bytes)
        for unit in ["bytes", "kB", "MB"] {
            if value < 999.5 {
                return NumberText.grouped(value, digits: unit == "bytes" || value >= 99.95 ? 0 : 1)
                    + " " + unit
            }
            value /= 1000
        }
        return NumberText.grouped(value, digits: 1) + " GB"
    }
}
