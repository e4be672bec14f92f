public import Foundation

/// A sample that a person wants to keep, before HealthKit has it, with what is to hang on it.
///
/// ```swift
/// var weight = Draft(HKQuantityType(.bodyMass), 82.4, unit: .gramUnit(with: .kilo), at: Date())
/// weight.attachments = [.note("after the holidays"), .tag("fasted")]
/// weight.photos = [scale]
/// let entry = try await writing.log(weight)
/// ```
/// A draft has an identifier from the start: logged twice, before or after a crash, it is one sample.
/// What the app may be asked to show again is all in it; it can be encoded.
public struct Draft: Hashable, Sendable, Codable, Identifiable {
    /// What was measured.
    public enum Content: Hashable, Sendable, Codable {
        /// A quantity in a unit, by HealthKit's text for it: "kg".
        case quantity(Double, unit: String)
        /// A category's value.
        case category(Int)
    }

    /// The sync identifier that HealthKit will know the sample by.
    public let id: String
    /// The type's identifier, "HKQuantityTypeIdentifierBodyMass".
    public let type: String
    public var content: Content
    public var start: Date
    /// Not before ``start``; the same for what happens in a moment.
    public var end: Date
    /// What HealthKit is to keep with the sample; sync identifier and version are set by writing.
    public var metadata: [String: Entry.MetadataValue] = [:]
    /// What is to hang on the entry: notes, tags, numbers, photos that the mirror has already.
    public var attachments: [Attachment.Content] = []
    /// Files that are copied into the mirror and hang on the entry then.
    public var photos: [URL] = []

    /// A quantity.
    ///
    /// - Parameters:
    ///   - end: The start if nil.
    ///   - id: Unique within the app and the type; a new UUID unless given.
    public init(
        _ type: HKQuantityType, _ value: Double, unit: HKUnit, at start: Date, to end: Date? = nil,
        id: String = UUID().uuidString
    ) {
        self.init(
            type.identifier, .quantity(value, unit: unit.unitString), start, end ?? start, id)
    }

    /// A category's value, `HKCategoryValueSleepAnalysis.asleepREM.rawValue`.
    public init(
        _ type: HKCategoryType, value: Int, from start: Date, to end: Date,
        id: String = UUID().uuidString
    ) {
        self.init(type.identifier, .category(value), start, end, id)
    }

    /// The draft of a change to an entry: what the entry says, without metadata that the mirror
    /// wasn't told to keep.
    ///
    /// Nil for what can't be written: workouts and types that are neither quantity nor category.
    /// - SeeAlso: ``WriteThrough/edit(_:to:)``
    public init?(_ entry: Entry) {
        let content: Content
        switch entry.content {
        case .quantity(let value, let unit): content = .quantity(value, unit: unit)
        case .category(let value): content = .category(value)
        case .workout, .none: return nil
        }
        self.init(
            entry.type, content, entry.start, entry.end, entry.syncIdentifier ?? UUID().uuidString)
        metadata = entry.metadata
        metadata[HKMetadataKeySyncIdentifier] = nil
        metadata[HKMetadataKeySyncVersion] = nil
    }

    /// The same wish under a new identifier: to write once more what was deleted.
    public func renewed() -> Draft {
        var draft = Draft(type, content, start, end, UUID().uuidString)
        draft.metadata = metadata
        draft.attachments = attachments
        draft.photos = photos
        return draft
    }

    init(_ type: String, _ content: Content, _ start: Date, _ end: Date, _ id: String) {
        self.type = type
        self.content = content
        self.start = start
        self.end = end
        self.id = id
    }

    /// The draft under another sync identifier.
    func identified(by id: String) -> Draft {
        var draft = Draft(type, content, start, end, id)
        draft.metadata = metadata
        draft.attachments = attachments
        draft.photos = photos
        return draft
    }
}
