public import Foundation

/// A sample as the mirror keeps it.
public struct Entry: Hashable, Sendable, Codable, Identifiable {
    /// What was measured.
    public enum Content: Hashable, Sendable, Codable {
        /// A quantity in the unit it is kept in.
        case quantity(Double, unit: String)
        /// A category's value.
        case category(Int)
        /// A workout's activity.
        case workout(activity: UInt)
        /// Anything else: only its times and source are kept.
        case none
    }

    /// Whether the health store shows it.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// As in the health store when last looked.
        case synced
        /// The health store no longer shows it, and nothing proves that it was deleted.
        case notVisible
    }

    /// A metadata value.
    public enum MetadataValue: Hashable, Sendable, Codable {
        case text(String)
        case number(Double)
        case date(Date)
        case quantity(Double, unit: String)
    }

    /// The UUID of the sample in the health store.
    public let id: UUID
    /// The type's identifier, "HKQuantityTypeIdentifierBodyMass".
    public let type: String
    public let start: Date
    public let end: Date
    public let content: Content
    public let sourceName: String
    public let bundleIdentifier: String
    /// The device's name or model, if one is known.
    public let device: String?
    /// Metadata of the keys that the mirror was told to keep, sync identifier and version always.
    public let metadata: [String: MetadataValue]
    public let syncIdentifier: String?
    public let syncVersion: Int?
    public let state: State
}
