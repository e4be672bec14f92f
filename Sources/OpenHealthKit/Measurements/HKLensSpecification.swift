public import Foundation
import HealthEngine

/// The optical properties of a lens. Specifications are equal if all their properties are equal.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKLensSpecification: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The stored form. Not part of Apple's API.
    let content: VisionPrescription.Lens

    init(_content: VisionPrescription.Lens) { content = _content }

    /// Creates the specification of a stored lens; nil without a readable sphere, because a sphere
    /// of 0 would be a finding that nobody recorded.
    convenience init?(_stored: VisionPrescription.Lens) {
        guard HKQuantity.recorded(_stored.sphere, .diopter()) != nil else { return nil }
        self.init(_content: _stored)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a specification; nil if its content is missing or damaged.
    public required init?(coder: NSCoder) {
        guard let content = coder.property(VisionPrescription.Lens.self, "lens") else {
            return nil
        }
        self.content = content
    }

    open func encode(with coder: NSCoder) { coder.encode(property: content, for: "lens") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The correction for near- or farsightedness, in dioptres.
    open var sphere: HKQuantity {
        .recorded(content.sphere, .diopter()) ?? HKQuantity(unit: .diopter(), doubleValue: 0)
    }
    /// The correction for astigmatism, in dioptres.
    open var cylinder: HKQuantity? { .recorded(content.cylinder, .diopter()) }
    /// The angle of the cylinder.
    open var axis: HKQuantity? { .recorded(content.axis, .degreeAngle()) }
    /// The additional power for reading, in dioptres.
    open var addPower: HKQuantity? { .recorded(content.addPower, .diopter()) }

    /// All measures, in one order.
    var measures: [HKQuantity?] { [sphere, cylinder, axis, addPower] }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKLensSpecification, type(of: other) == type(of: self) else {
            return false
        }
        return measures == other.measures
    }

    open override var hash: Int { sphere.hash }
}

/// The optical properties of a spectacle lens.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKGlassesLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// Creates a specification. `save` checks the units.
    ///
    /// - Parameters:
    ///   - sphere: The correction for near- or farsightedness, in dioptres.
    ///   - cylinder: The correction for astigmatism, in dioptres.
    ///   - axis: The angle of the cylinder.
    ///   - addPower: The additional power for reading, in dioptres.
    ///   - vertexDistance: The distance from the lens to the eye.
    ///   - prism: The prism of the lens.
    ///   - farPupillaryDistance: The distance from the middle of the face to the pupil, looking
    ///     far.
    ///   - nearPupillaryDistance: The distance from the middle of the face to the pupil, looking
    ///     near.
    public convenience init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        vertexDistance: HKQuantity?, prism: HKVisionPrism?, farPupillaryDistance: HKQuantity?,
        nearPupillaryDistance: HKQuantity?
    ) {
        var lens = VisionPrescription.Lens(sphere, cylinder, axis, addPower)
        lens.vertexDistance = vertexDistance?.recorded
        lens.prism = prism?.content
        lens.farPupillaryDistance = farPupillaryDistance?.recorded
        lens.nearPupillaryDistance = nearPupillaryDistance?.recorded
        self.init(_content: lens)
    }

    /// The distance from the lens to the eye.
    open var vertexDistance: HKQuantity? { .recorded(content.vertexDistance, .meter()) }
    /// The prism of the lens.
    open var prism: HKVisionPrism? { content.prism.flatMap { HKVisionPrism(_content: $0) } }
    /// The distance from the middle of the face to the pupil when looking into the distance.
    open var farPupillaryDistance: HKQuantity? {
        .recorded(content.farPupillaryDistance, .meter())
    }
    /// The distance from the middle of the face to the pupil when looking at something near.
    open var nearPupillaryDistance: HKQuantity? {
        .recorded(content.nearPupillaryDistance, .meter())
    }

    override var measures: [HKQuantity?] {
        super.measures + [vertexDistance, farPupillaryDistance, nearPupillaryDistance]
    }

    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? HKGlassesLensSpecification)?.prism == prism
    }
}

/// The properties of a contact lens.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKContactsLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// Creates a specification. `save` checks the units.
    ///
    /// - Parameters:
    ///   - sphere: The correction for near- or farsightedness, in dioptres.
    ///   - cylinder: The correction for astigmatism, in dioptres.
    ///   - axis: The angle of the cylinder.
    ///   - addPower: The additional power for reading, in dioptres.
    ///   - baseCurve: The radius of curvature of the back of the lens.
    ///   - diameter: The diameter of the lens.
    public convenience init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        baseCurve: HKQuantity?, diameter: HKQuantity?
    ) {
        var lens = VisionPrescription.Lens(sphere, cylinder, axis, addPower)
        lens.baseCurve = baseCurve?.recorded
        lens.diameter = diameter?.recorded
        self.init(_content: lens)
    }

    /// The radius of curvature of the back of the lens.
    open var baseCurve: HKQuantity? { .recorded(content.baseCurve, .meter()) }
    /// The diameter of the lens.
    open var diameter: HKQuantity? { .recorded(content.diameter, .meter()) }

    override var measures: [HKQuantity?] { super.measures + [baseCurve, diameter] }
}

extension VisionPrescription.Lens {
    fileprivate init(
        _ sphere: HKQuantity, _ cylinder: HKQuantity?, _ axis: HKQuantity?, _ addPower: HKQuantity?
    ) {
        self.init(sphere: sphere.recorded)
        self.cylinder = cylinder?.recorded
        self.axis = axis?.recorded
        self.addPower = addPower?.recorded
    }
}
