import Foundation
import HealthArchive
import HealthDashboard
import HealthStorage

extension ImportPage {
    /// Creates the page for the state of imports into a store.
    ///
    /// - Parameters:
    ///   - imports: The imports into the store.
    ///   - person: The name of the store's person; nil for the store without one.
    /// - Throws: `StoreError` if the store exists and can't be read.
    init(_ imports: PageImports, of person: String?) async throws {
        let (state, progress) = imports.status
        freshness = Freshness(asOf: .now, isCurrent: true)
        timeZone = TimeZone.current.identifier
        self.person = person
        maximumBytes = imports.limits.bytes
        (phase, sentence) = Self.words(state, progress)
        switch state {
        case .receiving: percent = progress.percent
        case .importing:
            percent = progress.percent
            samplesRead = progress.samples
        case .failed(let sentence): problem = sentence
        case .finished(let result):
            report = Report(result)
            timeZone = result.homeZone.identifier
        case .idle, .undoing, .undone, .asking: break
        }
        if !state.isBusy {
            let stored = try await imports.spooling.run { [store = imports.store] in
                try Self.stored(in: store)
            }
            newest = stored.newest
            timeZone = stored.zone ?? timeZone
        }
    }

    private static func words(
        _ state: ImportState, _ progress: ImportProgress
    ) -> (Phase, String) {
        switch state {
        case .idle: return (.ready, "Import your data from the Health app")
        case .receiving: return (.receiving, "Receiving the file: \(progress.percent) %")
        case .importing:
            let isRead = progress.total > 0 && progress.done >= progress.total
            return (
                .importing, isRead ? "Completing the import" : "Importing: \(progress.percent) %"
            )
        case .undoing: return (.undoing, "Undoing the import")
        case .asking(_, let mismatch): return (.asking, mismatch.reason)
        case .finished(let report): return (.finished, result(report))
        case .failed: return (.failed, UploadRefusal.title)
        case .undone(let number, let outcome):
            return (
                .undone,
                "Import \(number) is undone: \(counted(outcome.removed, "sample", "samples")) "
                    + "removed, \(count(outcome.reverted)) changed back, "
                    + "\(count(outcome.restored)) restored"
            )
        }
    }

    private static func result(_ report: ImportReport) -> String {
        let records = report.outcome.records
        let removed = report.outcome.vanished
        if records.new + records.changed + removed == 0, records.read > 0 {
            return "Nothing new: all \(counted(records.unchanged, "record", "records")) were "
                + "already imported"
        }
        return counted(records.new, "new record", "new records")
            + (records.changed > 0 ? ", \(count(records.changed)) changed" : "")
            + (removed > 0 ? ", \(count(removed)) removed" : "")
    }

    /// Returns the newest import of a store, and its home time zone; nil if there is no store or none of
    /// them. It blocks.
    private static func stored(in path: String) throws -> (newest: Newest?, zone: String?) {
        let store: SampleStore
        do {
            store = try SampleStore(at: path, access: .reading)
        } catch let error as StoreError where error.code == .missing {
            return (nil, nil)
        }
        // Nothing was written, so an error of close loses nothing.
        defer { try? store.close() }
        let zone = try store.homeZone?.identifier
        guard let summary = try store.imports().first else { return (nil, zone) }
        let newest = Newest(
            number: summary.number, file: PrintableText.text(summary.file),
            importedAt: Date(timeIntervalSinceReferenceDate: summary.importedAt),
            effect: effect(ImportCounts(summary.ledger)))
        return (newest, zone)
    }

    /// Describes what an undo does: "This removes 29 samples and restores 3."
    private static func effect(_ counts: ImportCounts) -> String {
        let new = counts.tallies.reduce(0) { $0 + $1.new }
        let changed = counts.tallies.reduce(0) { $0 + $1.changed }
        let restored = (counts.vanished ?? 0) + (counts.replaced ?? 0)
        var effects = ["removes \(counted(new, "sample", "samples"))"]
        if changed > 0 { effects.append("changes \(count(changed)) back") }
        if restored > 0 { effects.append("restores \(count(restored))") }
        let last = effects.removeLast()
        let rest = effects.joined(separator: ", ")
        return "This \(rest.isEmpty ? last : rest + " and " + last)."
    }

    private static func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }
}
