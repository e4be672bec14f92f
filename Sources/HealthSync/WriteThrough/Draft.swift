public import Foundation
import HealthEngine

/// A sample to be written, with its attachments.
///
/// ```swift
/// var weight = Draft(HKQuantityType(.bodyMass), 82.4, unit: .gramUnit(with: .kilo), at: Date())
/// weight.attachments = [.note("after the holidays"), .tag("fasted")]
/// weight.photos = [scale]
/// let entry = try await writing.log(weight)
/// ```
/// A draft has an identifier from the start, so writing it twice creates one sample. It contains
/// all values that are needed to show the input again, and it can be encoded.
public struct Draft: Hashable, Sendable, Codable, Identifiable {
    /// The value of a draft.
    public enum Content: Hashable, Sendable, Codable {
        /// A quantity with HealthKit's symbol for the unit, for example "kg". If the text is no
        /// unit, or not one of the type's dimension, writing the draft fails with
        /// ``DraftFault/unit``.
        case quantity(Double, unit: String)
        /// The raw value of a category sample.
        case category(Int)
    }

    /// The identifier of the draft, which is also the sync identifier of the sample to be written.
    /// ``WriteThrough/edit(_:to:)`` ignores it and uses the entry's sync identifier.
    public let id: String
    /// The identifier of the sample's type, for example "HKQuantityTypeIdentifierBodyMass".
    public let type: String
    /// The value of the sample.
    public var content: Content
    /// When the sample starts.
    public var start: Date
    /// When the sample ends; not before ``start``, and equal to it for an instant.
    public var end: Date
    /// The metadata of the sample. Writing sets the sync identifier and version, and overwrites
    /// values given for these keys.
    public var metadata: [String: MirrorEntry.MetadataValue] = [:]
    /// The attachments to add to the entry: notes, tags, numbers, and photos that the mirror has
    /// already.
    public var attachments: [Attachment.Content] = []
    /// Photo files, which writing copies to the mirror and attaches to the entry.
    public var photos: [URL] = []

    /// Creates a draft of a quantity sample.
    ///
    /// - Parameters:
    ///   - type: The quantity type.
    ///   - value: The value in `unit`.
    ///   - unit: The unit; it must be compatible with the type.
    ///   - start: When the sample starts.
    ///   - end: When the sample ends; nil for `start`.
    ///   - id: The sync identifier, unique for the app and the type; by default a new UUID.
    public init(
        _ type: HKQuantityType, _ value: Double, unit: HKUnit, at start: Date, to end: Date? = nil,
        id: String = UUID().uuidString
    ) {
        self.init(
            type.identifier, .quantity(value, unit: unit.unitString), start, end ?? start, id)
    }

    /// Creates a draft of a category sample.
    ///
    /// - Parameters:
    ///   - type: The category type.
    ///   - value: The raw value, for example `HKCategoryValueSleepAnalysis.asleepREM.rawValue`.
    ///   - start: When the sample starts.
    ///   - end: When the sample ends.
    ///   - id: The sync identifier, unique for the app and the type; by default a new UUID.
    public init(
        _ type: HKCategoryType, value: Int, from start: Date, to end: Date,
        id: String = UUID().uuidString
    ) {
        self.init(type.identifier, .category(value), start, end, id)
    }

    /// Creates a draft for changing an entry. It contains no attachments, and only the metadata
    /// that the mirror keeps. The edited sample therefore lacks the other metadata.
    ///
    /// The result is nil for entries that cannot be written: workouts, types that are neither
    /// quantity nor category types, and quantities without a stored value.
    ///
    /// - Parameter entry: The entry to change.
    /// - SeeAlso: ``WriteThrough/edit(_:to:)``
    public init?(_ entry: MirrorEntry) {
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

    /// Returns the draft with a new identifier, for writing a deleted sample again.
    ///
    /// - Returns: A draft with the same content.
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

    /// Returns the draft with another sync identifier.
    func identified(by id: String) -> Draft {
        var draft = Draft(type, content, start, end, id)
        draft.metadata = metadata
        draft.attachments = attachments
        draft.photos = photos
        return draft
    }
}

extension Draft {
    /// The draft's sample type; nil if HealthKit has no type of that identifier and of the
    /// content's kind.
    var sampleType: HKSampleType? {
        switch content {
        case .quantity:
            HKObjectType.quantityType(
                forIdentifier: HKQuantityTypeIdentifier(rawValue: type))
        case .category:
            HKObjectType.categoryType(
                forIdentifier: HKCategoryTypeIdentifier(rawValue: type))
        }
    }

    /// Returns the sample to save.
    ///
    /// - Throws: ``DraftFault`` for an invalid draft, for which Apple's HealthKit may raise an
    ///   exception.
    func sample(version: Int) throws(DraftFault) -> HKSample {
        guard !id.isEmpty else { throw .identifier }
        guard start <= end else { throw .times }
        guard start.timeIntervalSinceReferenceDate.isFinite,
            end.timeIntervalSinceReferenceDate.isFinite
        else { throw .times }
        let metadata = try healthKitMetadata(version: version)
        switch content {
        case .quantity(let value, let unit):
            guard let type = sampleType as? HKQuantityType else { throw .type }
            guard let unit = HKUnit(text: unit), type.is(compatibleWith: unit) else {
                throw .unit
            }
            guard value.isFinite else { throw .value }
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
                end: end, metadata: metadata)
        case .category(let value):
            guard let type = sampleType as? HKCategoryType else { throw .type }
            return HKCategorySample(
                type: type, value: value, start: start, end: end, metadata: metadata)
        }
    }

    private func healthKitMetadata(version: Int) throws(DraftFault) -> [String: Any] {
        var all: [String: Any] = [:]
        for (key, value) in metadata {
            switch value {
            case .text(let text): all[key] = text
            case .number(let number):
                guard number.isFinite else { throw .metadata }
                all[key] = NSNumber(value: number)
            case .date(let date): all[key] = date
            case .quantity(let number, let unit):
                guard number.isFinite, let unit = HKUnit(text: unit) else { throw .metadata }
                all[key] = HKQuantity(unit: unit, doubleValue: number)
            }
        }
        all[HKMetadataKeySyncIdentifier] = id
        all[HKMetadataKeySyncVersion] = NSNumber(value: version)
        return all
    }

    /// Returns whether an entry has the same type and times, and the same value up to a relative
    /// difference of 10⁻⁹.
    func matches(_ entry: MirrorEntry) -> Bool {
        guard entry.type == type, entry.start == start, entry.end == end else { return false }
        switch (content, entry.content) {
        case (.quantity(let mine, let unit), .quantity(let theirs, let theirUnit)):
            guard let unit = HKUnit(text: unit), let other = HKUnit(text: theirUnit) else {
                return false
            }
            let quantity = HKQuantity(unit: unit, doubleValue: mine)
            guard quantity.is(compatibleWith: other) else { return false }
            let value = quantity.doubleValue(for: other)
            return abs(value - theirs) <= 1e-9 * max(abs(value), abs(theirs))
        case (.category(let mine), .category(let theirs)): return mine == theirs
        default: return false
        }
    }
}

/// Why a draft is invalid.
public enum DraftFault: Error, Hashable, Sendable {
    /// The sync identifier is empty, or the journal contains a pending write or removal of another
    /// type with the same sync identifier.
    case identifier
    /// HealthKit has no such type, its kind differs from the content's, or an edit would change the
    /// type.
    case type
    /// The end precedes the start, or a time isn't finite.
    case times
    /// The value of the quantity isn't finite.
    case value
    /// The text for the value's unit isn't a unit, or the unit isn't compatible with the type.
    case unit
    /// A number in the metadata isn't finite, or the text for its unit isn't a unit.
    case metadata
    /// An attachment is invalid: a note has no text, a tag or number has no name, or a number isn't
    /// finite. Or the mirror doesn't have a photo, or a photo's file cannot be read.
    case attachment
    /// HealthKit rejected the sample as invalid, for example for its value or its dates.
    case refusedByHealthKit
}

extension HKUnit {
    /// Creates the unit of a text; nil if the text isn't a unit, for which `init(from:)` raises an
    /// exception.
    convenience init?(text: String) {
        guard (try? HealthUnit(text)) != nil else { return nil }
        self.init(from: text)
    }
}
