import HealthStorage

/// The error for an export that looks like another person's. Nothing was imported.
///
/// ```swift
/// var importer = ExportImporter(
///     path: "\(folder)/export.zip", store: "\(folder)/health.sqlite",
///     systemTimeZone: "Europe/Berlin", now: now)
/// do {
///     show(try importer.run())
/// } catch let mismatch as PersonMismatch {
///     mismatch.differences   // [.dateOfBirth]
///     // The user has confirmed whose export it is.
///     importer.person = .confirmed
///     show(try importer.run())
/// }
/// ```
/// It names the differences, but contains no health or personal value.
public struct PersonMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// A difference between the export and the store.
    public enum Difference: Hashable, Sendable {
        case dateOfBirth
        case biologicalSex
        /// The file and the store have no source in common.
        case sources
        /// The time range of the file's samples overlaps that of the store's, without a record in
        /// common.
        case records
        /// No iPhone, iPod or Apple Watch in the file occurs in the store, and there is no record
        /// in common.
        case devices
    }

    /// The name of the export's file.
    public var file: String
    /// The differences that were found.
    public var differences: [Difference]

    package init(file: String, differences: [Difference]) {
        self.file = file
        self.differences = differences
    }

    /// The differences in one sentence.
    public var reason: String {
        let parts = differences.map { difference in
            switch difference {
            case .dateOfBirth: "the date of birth differs from the store's"
            case .biologicalSex: "the sex differs from the store's"
            case .sources: "it shares no source with the store"
            case .records: "it covers the same days as the store, without a record in common"
            case .devices: "none of its devices occurs in the store"
            }
        }
        return "\(file) looks like another person's export: "
            + parts.joined(separator: ", and ") + "."
    }

    public var description: String { "\(reason) Nothing was imported." }

    /// Returns the differences between the characteristics of the store (`known`) and of the file
    /// (`imported`): date of birth and biological sex. A missing value is no difference.
    static func differences(
        _ known: [String: String], _ imported: [String: String]
    ) -> [Difference] {
        [
            ("HKCharacteristicTypeIdentifierDateOfBirth", Difference.dateOfBirth),
            ("HKCharacteristicTypeIdentifierBiologicalSex", .biologicalSex),
        ].compactMap { identifier, difference in
            guard let known = nonEmpty(known[identifier]),
                let imported = nonEmpty(imported[identifier]),
                known != imported
            else { return nil }
            return difference
        }
    }

    /// Returns the differences that are known once the whole file has been read.
    ///
    /// A file without a source in common with the store is doubtful. Otherwise the same date of
    /// birth excludes doubt. So does a record in common: a new export contains the earlier records
    /// again, even from a new phone.
    static func differences(
        _ known: [String: String], _ imported: [String: String], _ evidence: PersonEvidence
    ) -> [Difference] {
        if !evidence.sharesSources { return [.sources] }
        let birth = "HKCharacteristicTypeIdentifierDateOfBirth"
        if let date = nonEmpty(known[birth]), date == nonEmpty(imported[birth]) { return [] }
        if evidence.sharesRecords { return [] }
        return (evidence.overlapsInTime ? [.records] : [])
            + (evidence.sharesDevices ? [] : [.devices])
    }

    private static func nonEmpty(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value != "HKBiologicalSexNotSet" else { return nil }
        return value
    }
}

extension ExportImporter {
    /// Whether the user has confirmed whose export it is.
    public enum PersonConfirmation: Sendable {
        /// Not confirmed: an export that looks like another person's is rejected.
        case unconfirmed
        /// The export belongs to the store's person.
        case confirmed
    }
}
