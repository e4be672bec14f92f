public import Foundation

/// A prescription for glasses or contact lenses. Prescriptions are not implemented: `save` stores
/// neither their type nor their lenses, and queries return a plain ``HKSample`` with the times,
/// source and metadata.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVisionPrescription: HKSample, @unchecked Sendable {
    private let kind: HKVisionPrescriptionType
    private let expiry: Date?

    /// Creates a prescription from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - type: Glasses or contact lenses.
    ///   - expirationDate: When the prescription expires, or nil.
    public init(_record: SampleRecord, type: HKVisionPrescriptionType, expirationDate: Date?) {
        kind = type
        expiry = expirationDate
        super.init(_record: _record)
    }

    /// Creates a prescription without lens specifications.
    ///
    /// - Parameters:
    ///   - type: Glasses or contact lenses.
    ///   - dateIssued: The date of the prescription: start and end of the sample.
    ///   - expirationDate: When the prescription expires, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            _record: SampleRecord(
                .visionPrescriptionType(), start: dateIssued, end: dateIssued, device: device,
                metadata: metadata),
            type: type, expirationDate: expirationDate)
    }

    /// Returns nil: prescriptions cannot be decoded yet.
    public required init?(coder: NSCoder) { return nil }

    /// Glasses or contact lenses.
    open var prescriptionType: HKVisionPrescriptionType { kind }
    /// The date of the prescription: the start date.
    open var dateIssued: Date { startDate }
    /// When the prescription expires, or nil.
    open var expirationDate: Date? { expiry }
}

/// A prescription for glasses.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
    private let lenses: (right: HKGlassesLensSpecification?, left: HKGlassesLensSpecification?)

    /// Creates a prescription for glasses.
    ///
    /// - Parameters:
    ///   - rightEyeSpecification: The right lens, or nil.
    ///   - leftEyeSpecification: The left lens, or nil.
    ///   - dateIssued: The date of the prescription: start and end of the sample.
    ///   - expirationDate: When the prescription expires, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public init(
        rightEyeSpecification: HKGlassesLensSpecification?,
        leftEyeSpecification: HKGlassesLensSpecification?, dateIssued: Date,
        expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        lenses = (rightEyeSpecification, leftEyeSpecification)
        super.init(
            _record: SampleRecord(
                .visionPrescriptionType(), start: dateIssued, end: dateIssued, device: device,
                metadata: metadata),
            type: .glasses, expirationDate: expirationDate)
    }

    /// Returns nil: prescriptions cannot be decoded yet.
    public required init?(coder: NSCoder) { return nil }

    /// The right lens.
    open var rightEye: HKGlassesLensSpecification? { lenses.right }
    /// The left lens.
    open var leftEye: HKGlassesLensSpecification? { lenses.left }
}

/// A prescription for contact lenses.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
    private let lenses: (right: HKContactsLensSpecification?, left: HKContactsLensSpecification?)
    private let brandName: String

    /// Creates a prescription for contact lenses.
    ///
    /// - Parameters:
    ///   - rightEyeSpecification: The right lens, or nil.
    ///   - leftEyeSpecification: The left lens, or nil.
    ///   - brand: The brand of the lenses.
    ///   - dateIssued: The date of the prescription: start and end of the sample.
    ///   - expirationDate: When the prescription expires, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public init(
        rightEyeSpecification: HKContactsLensSpecification?,
        leftEyeSpecification: HKContactsLensSpecification?, brand: String, dateIssued: Date,
        expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        lenses = (rightEyeSpecification, leftEyeSpecification)
        brandName = brand
        super.init(
            _record: SampleRecord(
                .visionPrescriptionType(), start: dateIssued, end: dateIssued, device: device,
                metadata: metadata),
            type: .contacts, expirationDate: expirationDate)
    }

    /// Returns nil: prescriptions cannot be decoded yet.
    public required init?(coder: NSCoder) { return nil }

    /// The right lens.
    open var rightEye: HKContactsLensSpecification? { lenses.right }
    /// The left lens.
    open var leftEye: HKContactsLensSpecification? { lenses.left }
    /// The brand of the lenses.
    open var brand: String { brandName }
}

/// The optical properties of a lens.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKLensSpecification: NSObject, @unchecked Sendable {
    /// The correction for near- or farsightedness, in dioptres.
    public let sphere: HKQuantity
    /// The correction for astigmatism, in dioptres.
    public let cylinder: HKQuantity?
    /// The angle of the cylinder.
    public let axis: HKQuantity?
    /// The additional power for reading, in dioptres.
    public let addPower: HKQuantity?

    init(
        _sphere sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?
    ) {
        self.sphere = sphere
        self.cylinder = cylinder
        self.axis = axis
        self.addPower = addPower
    }
}

/// The optical properties of a spectacle lens.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKGlassesLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// The distance from the lens to the eye.
    public let vertexDistance: HKQuantity?
    /// The prism of the lens.
    public let prism: HKVisionPrism?
    /// The distance from the middle of the face to the pupil when looking into the distance.
    public let farPupillaryDistance: HKQuantity?
    /// The distance from the middle of the face to the pupil when looking at something near.
    public let nearPupillaryDistance: HKQuantity?

    /// Creates a specification. The units are not checked.
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
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        vertexDistance: HKQuantity?, prism: HKVisionPrism?, farPupillaryDistance: HKQuantity?,
        nearPupillaryDistance: HKQuantity?
    ) {
        self.vertexDistance = vertexDistance
        self.prism = prism
        self.farPupillaryDistance = farPupillaryDistance
        self.nearPupillaryDistance = nearPupillaryDistance
        super.init(_sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
    }
}

/// The properties of a contact lens.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKContactsLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// The radius of curvature of the back of the lens.
    public let baseCurve: HKQuantity?
    /// The diameter of the lens.
    public let diameter: HKQuantity?

    /// Creates a specification. The units are not checked.
    ///
    /// - Parameters:
    ///   - sphere: The correction for near- or farsightedness, in dioptres.
    ///   - cylinder: The correction for astigmatism, in dioptres.
    ///   - axis: The angle of the cylinder.
    ///   - addPower: The additional power for reading, in dioptres.
    ///   - baseCurve: The radius of curvature of the back of the lens.
    ///   - diameter: The diameter of the lens.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        baseCurve: HKQuantity?, diameter: HKQuantity?
    ) {
        self.baseCurve = baseCurve
        self.diameter = diameter
        super.init(_sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
    }
}

/// The prism of a lens.
///
/// The conversion between the polar and the rectangular notation is not implemented. A prism stores
/// the notation it was created with. In the other notation, amounts and angle are 0 and directions
/// are `none`.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVisionPrism: NSObject, @unchecked Sendable {
    /// The amount of the polar notation, in prism dioptres.
    public let amount: HKQuantity
    /// The direction of the polar notation.
    public let angle: HKQuantity
    /// The vertical amount of the rectangular notation, in prism dioptres.
    public let verticalAmount: HKQuantity
    /// The vertical direction: up or down.
    public let verticalBase: HKPrismBase
    /// The horizontal amount of the rectangular notation, in prism dioptres.
    public let horizontalAmount: HKQuantity
    /// The horizontal direction: in or out.
    public let horizontalBase: HKPrismBase
    /// The eye that the lens is for.
    public let eye: HKVisionEye

    /// Creates a prism in polar notation.
    ///
    /// - Parameters:
    ///   - amount: The amount, in prism dioptres.
    ///   - angle: The direction.
    ///   - eye: The eye that the lens is for.
    public init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        self.amount = amount
        self.angle = angle
        self.eye = eye
        verticalAmount = HKQuantity(unit: amount.unit, doubleValue: 0)
        horizontalAmount = HKQuantity(unit: amount.unit, doubleValue: 0)
        verticalBase = .none
        horizontalBase = .none
    }

    /// Creates a prism in rectangular notation.
    ///
    /// - Parameters:
    ///   - verticalAmount: The vertical amount, in prism dioptres.
    ///   - verticalBase: Up or down.
    ///   - horizontalAmount: The horizontal amount, in prism dioptres.
    ///   - horizontalBase: In or out.
    ///   - eye: The eye that the lens is for.
    public init(
        verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
        horizontalBase: HKPrismBase, eye: HKVisionEye
    ) {
        self.verticalAmount = verticalAmount
        self.verticalBase = verticalBase
        self.horizontalAmount = horizontalAmount
        self.horizontalBase = horizontalBase
        self.eye = eye
        amount = HKQuantity(unit: verticalAmount.unit, doubleValue: 0)
        angle = HKQuantity(unit: .degreeAngle(), doubleValue: 0)
    }
}
