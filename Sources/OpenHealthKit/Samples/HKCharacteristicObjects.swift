public import Foundation

/// A person's sex.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKBiologicalSexObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let value: HKBiologicalSex

    /// Creates an object from a value. Not part of Apple's API.
    ///
    /// - Parameter _value: The value.
    public init(_value: HKBiologicalSex) { value = _value }

    /// Creates an object with the value `notSet`.
    public override convenience init() { self.init(_value: .notSet) }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an object; an unknown value becomes `notSet`.
    public required init?(coder: NSCoder) {
        value = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "value")) ?? .notSet
    }

    open func encode(with coder: NSCoder) { coder.encode(value.rawValue, forKey: "value") }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The value.
    open var biologicalSex: HKBiologicalSex { value }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBiologicalSexObject)?.value == value
    }
    open override var hash: Int { value.hashValue }
    open override var description: String { "HKBiologicalSexObject \(value)" }
}

/// A person's blood type.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKBloodTypeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let value: HKBloodType

    /// Creates an object from a value. Not part of Apple's API.
    ///
    /// - Parameter _value: The value.
    public init(_value: HKBloodType) { value = _value }

    /// Creates an object with the value `notSet`.
    public override convenience init() { self.init(_value: .notSet) }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an object; an unknown value becomes `notSet`.
    public required init?(coder: NSCoder) {
        value = HKBloodType(rawValue: coder.decodeInteger(forKey: "value")) ?? .notSet
    }

    open func encode(with coder: NSCoder) { coder.encode(value.rawValue, forKey: "value") }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The value.
    open var bloodType: HKBloodType { value }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBloodTypeObject)?.value == value
    }
    open override var hash: Int { value.hashValue }
    open override var description: String { "HKBloodTypeObject \(value)" }
}

/// A person's skin type on the Fitzpatrick scale.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKFitzpatrickSkinTypeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let value: HKFitzpatrickSkinType

    /// Creates an object from a value. Not part of Apple's API.
    ///
    /// - Parameter _value: The value.
    public init(_value: HKFitzpatrickSkinType) { value = _value }

    /// Creates an object with the value `notSet`.
    public override convenience init() { self.init(_value: .notSet) }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an object; an unknown value becomes `notSet`.
    public required init?(coder: NSCoder) {
        value = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "value")) ?? .notSet
    }

    open func encode(with coder: NSCoder) { coder.encode(value.rawValue, forKey: "value") }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The value.
    open var skinType: HKFitzpatrickSkinType { value }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFitzpatrickSkinTypeObject)?.value == value
    }
    open override var hash: Int { value.hashValue }
    open override var description: String { "HKFitzpatrickSkinTypeObject \(value)" }
}

/// Whether a person uses a wheelchair.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKWheelchairUseObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let value: HKWheelchairUse

    /// Creates an object from a value. Not part of Apple's API.
    ///
    /// - Parameter _value: The value.
    public init(_value: HKWheelchairUse) { value = _value }

    /// Creates an object with the value `notSet`.
    public override convenience init() { self.init(_value: .notSet) }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an object; an unknown value becomes `notSet`.
    public required init?(coder: NSCoder) {
        value = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "value")) ?? .notSet
    }

    open func encode(with coder: NSCoder) { coder.encode(value.rawValue, forKey: "value") }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The value.
    open var wheelchairUse: HKWheelchairUse { value }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWheelchairUseObject)?.value == value
    }
    open override var hash: Int { value.hashValue }
    open override var description: String { "HKWheelchairUseObject \(value)" }
}

/// Whether a person's move ring measures energy or time.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKActivityMoveModeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let value: HKActivityMoveMode

    /// Creates an object from a value. Not part of Apple's API.
    ///
    /// - Parameter _value: The value.
    public init(_value: HKActivityMoveMode) { value = _value }

    /// Creates an object with the value `activeEnergy`.
    public override convenience init() { self.init(_value: .activeEnergy) }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an object; an unknown value becomes `activeEnergy`.
    public required init?(coder: NSCoder) {
        value = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "value")) ?? .activeEnergy
    }

    open func encode(with coder: NSCoder) { coder.encode(value.rawValue, forKey: "value") }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The value.
    open var activityMoveMode: HKActivityMoveMode { value }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKActivityMoveModeObject)?.value == value
    }
    open override var hash: Int { value.hashValue }
    open override var description: String { "HKActivityMoveModeObject \(value)" }
}
