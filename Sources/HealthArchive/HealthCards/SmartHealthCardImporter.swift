import Foundation
import HealthEngine
package import HealthStorage

/// Imports a file of SMART Health Cards into a store, in one transaction.
///
/// ```swift
/// let importer = SmartHealthCardImporter(
///     path: "card.smart-health-card", store: "health.sqlite", systemTimeZone: "UTC", now: now)
/// try importer.run().new   // 1; the same file again: 0
/// ```
/// A card is a sample of type `HKVerifiableClinicalRecord`. Its UUID depends on the card alone, so
/// that it is stored once. Signatures are not verified (Semantics §10.11).
package struct SmartHealthCardImporter {
    private let path: String
    private let store: String
    private let timeZone: String?
    private let systemTimeZone: String
    private let now: Double

    private static let maximumByteCount = 4 << 20
    private static let source = Source(
        name: "SMART Health Cards", bundleIdentifier: "cards.smarthealth")

    /// The result of an import.
    package struct Report: Sendable {
        /// The name of the file, without its folder.
        package var file: String
        /// The number of cards in the file.
        package var cards = 0
        /// The number of cards that are new in the store.
        package var new = 0
        /// The number of cards that can't be read, by reason.
        package var unread: [String: Int] = [:]
        /// The time zone of the store's days.
        package var homeZone: HomeZone
    }

    /// Why a file has no cards.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file can't be read or is larger than 4 MB.
        case unreadable
        /// The file isn't JSON with `verifiableCredential`.
        case notCards

        package var description: String {
            switch self {
            case .unreadable: "The file can't be read or is larger than 4 MB."
            case .notCards: "The file has no SMART Health Cards."
            }
        }
    }

    /// Creates an importer.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - store: The path of the store, which is created if it doesn't exist.
    ///   - timeZone: The home zone to set; nil to keep that of the store.
    ///   - systemTimeZone: The home zone of a store without one.
    ///   - now: When the import runs, in reference seconds.
    package init(
        path: String, store: String, timeZone: String? = nil, systemTimeZone: String, now: Double
    ) {
        self.path = path
        self.store = store
        self.timeZone = timeZone
        self.systemTimeZone = systemTimeZone
        self.now = now
    }

    /// Returns whether a path is named like a file of cards.
    package static func canRead(_ path: String) -> Bool {
        path.lowercased().hasSuffix(".smart-health-card")
    }

    /// Runs the import.
    ///
    /// - Returns: What was read and what is new.
    /// - Throws: ``Fault`` if the file has no cards; `StoreError` if the store can't be written.
    ///   Then the store doesn't change.
    package func run() throws -> Report {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw StoreError(.unknownTimeZone(timeZone))
        }
        let data = try contents()
        guard let file = try? JSONDecoder().decode(CardFile.self, from: data) else {
            throw Fault.notCards
        }
        let name = (path as NSString).lastPathComponent
        let description = SnapshotDescription(
            file: name, bytes: Int64(data.count), importedAt: now)
        return try SampleStore.importSnapshot(into: store, description) { writer, context in
            let zone = try context.settleHomeZone(specified: timeZone, system: systemTimeZone)
            var report = Report(file: name, homeZone: zone)
            let type = try writer.type(identifier: VerifiableClinicalRecord.typeIdentifier)
            let (batch, uuids) = cards(file, type, &report)
            _ = try writer.finish(.complete)
            if !uuids.isEmpty { report.new = try context.save(batch, uuids: uuids, at: now) }
            try context.buildSegments()
            try writer.record(ledger: report.ledger)
            return report
        }
    }

    private func contents() throws(Fault) -> Data {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: SmartHealthCardImporter.maximumByteCount + 1),
            data.count <= SmartHealthCardImporter.maximumByteCount
        else { throw .unreadable }
        return data
    }

    private func cards(
        _ file: CardFile, _ type: Int32, _ report: inout Report
    ) -> (SampleBatch, [SampleUUID]) {
        var batch = SampleBatch(
            sources: [SmartHealthCardImporter.source], origins: [Origin(source: 0)])
        var uuids: [SampleUUID] = []
        for element in file.verifiableCredential {
            report.cards += 1
            do throws(SmartHealthCard.Fault) {
                guard let jws = element.text else { throw .notSigned }
                let card = try SmartHealthCard(jws)
                batch.details[uuids.count] = .verifiableClinicalRecord(card.record)
                batch.samples.append(
                    Sample(type: type, origin: 0, start: card.relevant, end: card.relevant))
                uuids.append(SmartHealthCardImporter.uuid(of: jws))
            } catch {
                report.unread[error.rawValue, default: 0] += 1
            }
        }
        return (batch, uuids)
    }

    /// Returns a UUID (version 8) from the digest of a card.
    private static func uuid(of jws: String) -> SampleUUID {
        let digits = SHA256.hexadecimal(jws.utf8)
        let high = UInt64(digits.prefix(16), radix: 16) ?? 0
        let low = UInt64(digits.dropFirst(16).prefix(16), radix: 16) ?? 0
        // Bit 11 distinguishes the UUIDs of imported samples, which have a 0 there.
        return SampleUUID(
            high: high & 0xFFFF_FFFF_FFFF_07FF | 0x8800, low: low & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
    }

    /// A file of cards.
    private struct CardFile: Decodable {
        var verifiableCredential: [Element]

        /// A card; nil for a value that isn't a string, which must not hide the other cards.
        struct Element: Decodable {
            var text: String?

            init(from decoder: any Decoder) throws {
                text = try? decoder.singleValueContainer().decode(String.self)
            }
        }
    }
}

extension SmartHealthCardImporter.Report {
    /// The report as the ledger of the import.
    fileprivate var ledger: String {
        let none = JSONText.object([
            "read": .integer(0), "new": .integer(0), "unchanged": .integer(0),
            "changed": .integer(0), "repeated": .integer(0), "quarantined": .integer(0),
        ])
        return JSONText.object([
            "format": .string("smartHealthCard"), "records": none, "correlations": none,
            "workouts": none, "activitySummaries": none, "vanished": .integer(0),
            "replaced": .integer(0), "samples": .integer(cards), "newSamples": .integer(new),
            "rejected": .integer(unread.values.reduce(0, +)),
        ]).text
    }
}
