import Foundation
package import HealthEngine

/// The metadata of an object, both as stored and as apps read it.
///
/// Objects that are read together and have equal metadata share an instance. The dictionary for
/// apps is created on first access. Numbers are returned as NSNumber, so that `as? Bool`, `as? Int`
/// and `as? Double` all work.
// Unchecked: the values given by an app and those derived from them are never mutated.
public final class SampleMetadata: @unchecked Sendable {
    /// The metadata as stored. Values of unsupported classes are omitted; see ``unsupportedKeys``.
    package let stored: Metadata
    /// The keys whose values are not a string, number, date or quantity, in ascending order. `save`
    /// rejects an object with such keys (Semantics §9.5).
    package let unsupportedKeys: [String]
    private let original: [String: Any]?
    private let bridged = Locked<[String: Any]?>(nil)

    /// Creates metadata from its stored form.
    ///
    /// - Parameter stored: The stored form.
    package init(_ stored: Metadata) {
        self.stored = stored
        unsupportedKeys = []
        original = nil
    }

    /// Creates metadata from the dictionary that an app passed to an initializer.
    ///
    /// - Parameter values: The dictionary.
    package init(values: [String: Any]) {
        var stored: Metadata = [:]
        var unsupportedKeys: [String] = []
        for (key, value) in values {
            if let value = MetadataValue(value) {
                stored[key] = value
            } else {
                unsupportedKeys.append(key)
            }
        }
        self.stored = stored
        self.unsupportedKeys = unsupportedKeys.sorted()
        original = unsupportedKeys.isEmpty ? nil : values
    }

    /// The metadata as apps read it, including the values that `save` rejects.
    package var values: [String: Any] {
        bridged { bridged in
            if let bridged { return bridged }
            var values = original ?? [:]
            for (key, value) in stored { values[key] = value.bridged(for: key) }
            bridged = values
            return values
        }
    }
}

extension MetadataValue {
    /// Converts a value from an app's metadata dictionary; nil for an unsupported class.
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

    /// Returns the value as apps read it.
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
    /// Returns the number as apps read it: 0 and 1 of a Boolean key as a Boolean, other whole
    /// numbers as integers, so that they print without a decimal point.
    fileprivate static func number(_ number: Double, for key: String) -> NSNumber {
        if Catalogue.metadataKey(key)?.valueKind == .boolean, number == 0 || number == 1 {
            return NSNumber(value: number == 1)
        }
        if let whole = Int(exactly: number) { return NSNumber(value: whole) }
        return NSNumber(value: number)
    }

    /// Returns a quantity, or a string if the unit is unknown.
    fileprivate static func quantity(_ value: Double, _ unit: String) -> Any {
        UnitCache.unit(unit).map { HKQuantity(_unit: $0, value: value) } ?? "\(value) \(unit)"
    }
}
