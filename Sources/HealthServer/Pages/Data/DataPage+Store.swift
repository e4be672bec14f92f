public import Foundation
import HealthDashboard
import HealthEngine
public import HealthStorage

extension DataPage {
    /// Describes a store.
    ///
    /// - Parameters:
    ///   - contents: What ``SampleStore/contents(visibility:)`` said when the store had its present
    ///     ``SampleStore/lastSequence``; nil to count now, which takes a second for five million
    ///     samples. Whoever serves the page keeps it until that number changes.
    ///   - calendar: Where days begin.
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(types + sources + imports) with contents, O(samples) without.
    public init(
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
        guard let zone, zone.identifier == used.identifier else { return "asked for" }
        switch zone.reason {
        case .given: return "you said so"
        case .metadata: return "most records that name a zone name this one"
        case .system: return "this computer's zone, which fits the export"
        case .guess: return "guessed from the export's offset and language"
        }
    }

    private static func sentence(
        _ contents: StoreContents, _ imports: Int, _ calendar: CalendarBuckets
    ) -> String {
        let timed = contents.types.filter { $0.type.kind != .activitySummary }
        let told = timed.isEmpty ? contents.types : timed
        guard let first = told.map(\.first).min(), let last = told.map(\.last).max() else {
            return "The store holds no samples yet. Fill it with: openhealth import export.zip"
        }
        let samples = contents.types.reduce(0) { $0 + $1.samples }
        return "\(counted(samples, "sample", "samples")) of "
            + "\(counted(contents.types.count, "type", "types")) from "
            + "\(counted(contents.sources.count, "source", "sources")), "
            + "\(DayWords.long(calendar.day(first))) to \(DayWords.long(calendar.day(last))), in "
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
                        type: $0.type.name, words: TypeWords.words($0.type),
                        reason: ExclusionWords.why($0.excluded.reason))
                })
        }
    }

    private static func typeWords(code: Int32) -> String {
        Catalogue.type(code: code).map(TypeWords.words)
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
        // Rings belong to days without a zone, which the store holds as midnights of UTC.
        let calendar =
            summary.type.kind == .activitySummary ? CalendarBuckets(timeZone: .gmt) : calendar
        let metric = Metric(summary.type)
        self.init(
            name: summary.type.name, words: TypeWords.words(summary.type),
            unit: metric.flatMap { $0.kind == .state ? nil : $0.unit },
            samples: summary.samples,
            first: calendar.civilDate(summary.first), last: calendar.civilDate(summary.last),
            link: metric == nil ? nil : "/trends?metric=" + summary.type.name)
    }
}

extension DataPage.Import {
    init(_ summary: ImportSummary) throws {
        let ledger = ImportLedger(summary.ledger)
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
        case .snapshot: "Complete, and newer than all before it."
        case .addition: "Not newer than one before it, so it only added what was never seen."
        case .partial: "Damaged, so it only added what was never seen."
        }
    }
}

/// The numbers of a report that an import left in the store; what it doesn't hold is missing.
struct ImportLedger: Decodable {
    struct Tally: Decodable {
        var read: Int
        var new: Int
        var unchanged: Int
        var changed: Int
        var repeated: Int
        var quarantined: Int
    }

    var records: Tally?
    var workouts: Tally?
    var correlations: Tally?
    var activitySummaries: Tally?
    var vanished: Int?
    var quarantineReasons: [String: Int]?

    /// A ledger that can't be read says nothing.
    init(_ text: String) {
        let ledger = try? JSONDecoder().decode(ImportLedger.self, from: Data(text.utf8))
        self = ledger ?? ImportLedger()
    }

    private init() {}

    private enum CodingKeys: CodingKey {
        case records, workouts, correlations, activitySummaries, vanished, quarantineReasons
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        records = try? container.decode(Tally.self, forKey: .records)
        workouts = try? container.decode(Tally.self, forKey: .workouts)
        correlations = try? container.decode(Tally.self, forKey: .correlations)
        activitySummaries = try? container.decode(Tally.self, forKey: .activitySummaries)
        vanished = try? container.decode(Int.self, forKey: .vanished)
        quarantineReasons = try? container.decode([String: Int].self, forKey: .quarantineReasons)
    }

    var quarantined: Int {
        [records, workouts, correlations, activitySummaries].reduce(0) {
            $0 + ($1?.quarantined ?? 0)
        }
    }
}

/// Sizes of files: "1.2 GB", as most file managers count.
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
