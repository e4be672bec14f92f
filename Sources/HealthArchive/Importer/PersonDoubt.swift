import HealthStorage

/// An export looks like another person's than the store's; nothing was imported.
///
/// ```swift
/// do {
///     report = try importer.run()
/// } catch let doubt as PersonDoubt {
///     doubt.differences   // [.dateOfBirth, .sources]
///     importer.person = .confirmed
/// }
/// ```
/// It names what differs and holds no value of it.
public struct PersonDoubt: Error, Hashable, Sendable, CustomStringConvertible {
    /// What doesn't fit.
    public enum Difference: Hashable, Sendable {
        case dateOfBirth
        case biologicalSex
        /// No source of the file is one that the store knows.
        case sources
        /// The file covers days that the store has, and none of its records is there.
        case records
        /// No iPhone or Watch of the file ever occurs in the store, and none of its records does.
        case devices
    }

    /// The export's name.
    public var file: String
    public var differences: [Difference]

    public init(file: String, differences: [Difference]) {
        self.file = file
        self.differences = differences
    }

    /// What doesn't fit, in a sentence.
    public var reason: String {
        let parts = differences.map { difference in
            switch difference {
            case .dateOfBirth: "the date of birth differs from the store's"
            case .biologicalSex: "the sex differs from the store's"
            case .sources: "it shares no source with the store"
            case .records: "it covers the same days as the store, without a record in common"
            case .devices: "its devices never occur in the store"
            }
        }
        return "\(file) looks like another person's export: "
            + parts.joined(separator: ", and ") + "."
    }

    public var description: String {
        "\(reason) Nothing was imported. Is it the same person's? Then add --same-person. "
            + "If not, --as NAME gives that person a store of their own."
    }

    /// What two descriptions of a person disagree in; what one of them leaves open is no difference.
    static func differences(
        _ known: [String: String], _ told: [String: String]
    ) -> [Difference] {
        [
            ("HKCharacteristicTypeIdentifierDateOfBirth", Difference.dateOfBirth),
            ("HKCharacteristicTypeIdentifierBiologicalSex", .biologicalSex),
        ].compactMap { identifier, difference in
            guard let known = said(known[identifier]), let told = said(told[identifier]),
                known != told
            else { return nil }
            return difference
        }
    }

    /// What a whole file tells beyond what it says.
    ///
    /// Whoever exports again exports the earlier records again, also from a new phone; so one record in
    /// common is enough, and the same date of birth too.
    static func differences(
        _ known: [String: String], _ told: [String: String], _ evidence: PersonEvidence
    ) -> [Difference] {
        if !evidence.sharesSources { return [.sources] }
        let birth = "HKCharacteristicTypeIdentifierDateOfBirth"
        if let date = said(known[birth]), date == said(told[birth]) { return [] }
        if evidence.sharesRecords { return [] }
        return (evidence.overlapsInTime ? [.records] : [])
            + (evidence.sharesDevices ? [] : [.devices])
    }

    private static func said(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value != "HKBiologicalSexNotSet" else { return nil }
        return value
    }
}

extension ExportImporter {
    /// Whose export it is, as far as somebody has said so.
    public enum Person: Sendable {
        /// Nobody has: an export that looks like another person's is refused.
        case unconfirmed
        /// The store's person.
        case confirmed
    }
}
