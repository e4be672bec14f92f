import Foundation
public import HealthEngine

/// What an object's `metadata` says, kept both as stores hold it and as apps read it.
///
/// Objects of one batch share theirs, and the dictionary apps read is made when first asked for.
/// Numbers come back as NSNumber, so that `as? Bool`, `as? Int` and `as? Double` all work.
// `bridged` is guarded by `lock`; all else is immutable.
public final class SampleMetadata: @unchecked Sendable {
    /// As stores hold it. Values of kinds that HealthKit doesn't have are left out; see ``strangers``.
    public let stored: Metadata
    /// The keys whose values are neither text, number, date nor quantity, in order: reason to
    /// refuse the object (Semantics §9.5).
    public let strangers: [String]
    private let given: [String: Any]?
    private var bridged: [String: Any]?
    private let lock = NSLock()

    /// What a store holds.
    public init(_ stored: Metadata) {
        self.stored = stored
        strangers = []
        given = nil
    }

    /// What an app gave an initializer.
    public init(given: [String: Any]) {
        var stored: Metadata = [:]
        var strangers: [String] = []
        for (key, value) in given {
            if let value = MetadataValue(value) {
                stored[key] = value
            } else {
                strangers.append(key)
            }
        }
        self.stored = stored
        self.strangers = strangers.sorted()
        self.given = strangers.isEmpty ? nil : given
    }

    /// As apps read it.
    public var values: [String: Any] {
        lock.withLock {
            if let bridged { return bridged }
            var values = given ?? [:]
            for (key, value) in stored { values[key] = value.bridged(for: key) }
            bridged = values
            return values
        }
    }
}

extension MetadataValue {
    /// What an app wrote into a metadata dictionary; nil for kinds that HealthKit refuses.
    init?(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let quantity as HKQuantity:
            self = .quantity(quantity.value, unit: quantity.unit.unitString)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let text as NSString: self = .string(text as String)
        case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
        default: return nil
        }
    }

    /// As an app reads it.
    func bridged(for key: String) -> Any {
        switch self {
        case .string(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .quantity(let value, let unit): SampleMetadata.quantity(value, unit)
        case .number(let number): SampleMetadata.number(number, for: key)
        }
    }
}

extension SampleMetadata {
    /// Whole numbers as integers, so that they print without a point.
    fileprivate static func number(_ number: Double, for key: String) -> NSNumber {
        if Catalogue.metadataKey(key)?.valueKind == .boolean, number == 0 || number == 1 {
            return NSNumber(value: number == 1)
        }
        if let whole = Int(exactly: number) { return NSNumber(value: whole) }
        return NSNumber(value: number)
    }

    /// Text where an import met a unit that nobody knows.
    fileprivate static func quantity(_ value: Double, _ unit: String) -> Any {
        KnownUnits.unit(unit).map { HKQuantity(_unit: $0, value: value) } ?? "\(value) \(unit)"
    }
}
