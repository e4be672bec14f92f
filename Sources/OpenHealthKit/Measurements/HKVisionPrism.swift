public import Foundation
import HealthEngine

/// The prism of a lens, in the polar and the rectangular notation.
///
/// ```swift
/// let prism = HKVisionPrism(
///     amount: HKQuantity(unit: .prismDiopter(), doubleValue: 2),
///     angle: HKQuantity(unit: .degreeAngle(), doubleValue: 90), eye: .left)
/// prism.verticalBase      // .up
/// prism.horizontalBase    // .none
/// ```
/// A prism has the notation that it was created with, unchanged, and the other one computed from
/// it, in prism dioptres and degrees. Angles are counterclockwise as an examiner sees them who faces
/// the person: 0° points to the person's left, which is in (towards the nose) for the right eye and
/// out for the left eye; 90° is up. A part of 0 has no base (Semantics §10.5e).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVisionPrism: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The stored form. Not part of Apple's API.
    let content: VisionPrescription.Prism
    /// The amount of the polar notation, in prism dioptres.
    public let amount: HKQuantity
    /// The direction of the base in the polar notation: of a computed one from 0 (inclusive) to 360
    /// (exclusive) degrees.
    public let angle: HKQuantity
    /// The vertical amount of the rectangular notation, in prism dioptres. A computed one is not
    /// negative.
    public let verticalAmount: HKQuantity
    /// The vertical direction: up or down; none for an amount of 0.
    public let verticalBase: HKPrismBase
    /// The horizontal amount of the rectangular notation, in prism dioptres. A computed one is not
    /// negative.
    public let horizontalAmount: HKQuantity
    /// The horizontal direction: in or out; none for an amount of 0.
    public let horizontalBase: HKPrismBase
    /// The eye that the lens is for.
    public let eye: HKVisionEye

    /// Creates a prism in polar notation.
    ///
    /// - Parameters:
    ///   - amount: The amount, in prism dioptres.
    ///   - angle: The direction of the base.
    ///   - eye: The eye that the lens is for.
    public init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        content = VisionPrescription.Prism(
            .polar(amount: amount.recorded, angle: angle.recorded), eye: eye.rawValue)
        self.amount = amount
        self.angle = angle
        self.eye = eye
        let vector = content.vector ?? PrismVector(up: 0, inward: 0)
        verticalAmount = .prism(abs(vector.up))
        verticalBase = HKPrismBase(vector.verticalBase)
        horizontalAmount = .prism(abs(vector.inward))
        horizontalBase = HKPrismBase(vector.horizontalBase)
    }

    /// Creates a prism in rectangular notation.
    ///
    /// - Parameters:
    ///   - verticalAmount: The vertical amount, in prism dioptres.
    ///   - verticalBase: Up or down; none for an amount of 0.
    ///   - horizontalAmount: The horizontal amount, in prism dioptres.
    ///   - horizontalBase: In or out; none for an amount of 0.
    ///   - eye: The eye that the lens is for.
    public init(
        verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
        horizontalBase: HKPrismBase, eye: HKVisionEye
    ) {
        content = VisionPrescription.Prism(
            .rectangular(
                vertical: verticalAmount.recorded, verticalBase: verticalBase.rawValue,
                horizontal: horizontalAmount.recorded, horizontalBase: horizontalBase.rawValue),
            eye: eye.rawValue)
        self.verticalAmount = verticalAmount
        self.verticalBase = verticalBase
        self.horizontalAmount = horizontalAmount
        self.horizontalBase = horizontalBase
        self.eye = eye
        let vector = content.vector ?? PrismVector(up: 0, inward: 0)
        amount = .prism(vector.amount)
        angle = HKQuantity(unit: .degreeAngle(), doubleValue: vector.degrees(eye: eye.rawValue))
    }

    /// Creates a prism from its stored form; nil for an unknown eye or base, and for amounts and
    /// angles in other units.
    convenience init?(_content: VisionPrescription.Prism) {
        guard let eye = HKVisionEye(rawValue: _content.eye) else { return nil }
        switch _content.notation {
        case .polar(let amount, let angle):
            guard let amount = HKQuantity.recorded(amount, .prismDiopter()),
                let angle = HKQuantity.recorded(angle, .degreeAngle())
            else { return nil }
            self.init(amount: amount, angle: angle, eye: eye)
        case .rectangular(let vertical, let verticalBase, let horizontal, let horizontalBase):
            guard let vertical = HKQuantity.recorded(vertical, .prismDiopter()),
                let horizontal = HKQuantity.recorded(horizontal, .prismDiopter()),
                let verticalBase = HKPrismBase(rawValue: verticalBase),
                let horizontalBase = HKPrismBase(rawValue: horizontalBase)
            else { return nil }
            self.init(
                verticalAmount: vertical, verticalBase: verticalBase,
                horizontalAmount: horizontal, horizontalBase: horizontalBase, eye: eye)
        }
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a prism; nil if its content is missing or damaged.
    public required convenience init?(coder: NSCoder) {
        guard let content = coder.property(VisionPrescription.Prism.self, "prism") else {
            return nil
        }
        self.init(_content: content)
    }

    open func encode(with coder: NSCoder) { coder.encode(property: content, for: "prism") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Prisms are equal if all their properties are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKVisionPrism else { return false }
        return eye == other.eye && amount == other.amount && angle == other.angle
            && verticalAmount == other.verticalAmount && verticalBase == other.verticalBase
            && horizontalAmount == other.horizontalAmount
            && horizontalBase == other.horizontalBase
    }

    open override var hash: Int { amount.hash }
}

extension HKQuantity {
    fileprivate static func prism(_ amount: Double) -> HKQuantity {
        HKQuantity(unit: .prismDiopter(), doubleValue: amount)
    }
}

extension HKPrismBase {
    fileprivate init(_ base: VisionPrescription.Prism.Direction) {
        switch base {
        case .none: self = .none
        case .up: self = .up
        case .down: self = .down
        case .inward: self = .in
        case .outward: self = .out
        }
    }
}
