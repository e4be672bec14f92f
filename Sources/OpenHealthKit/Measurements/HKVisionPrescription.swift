public import Foundation

/// A prescription for glasses or contacts. The family is left for later: `save` refuses it, and
/// nothing is read.
// Immutable.
open class HKVisionPrescription: HKSample, @unchecked Sendable {
    private let kind: HKVisionPrescriptionType
    private let expiry: Date?

    /// A prescription by its parts; not Apple's.
    public init(_record: SampleRecord, type: HKVisionPrescriptionType, expirationDate: Date?) {
        kind = type
        expiry = expirationDate
        super.init(_record: _record)
    }

    /// A prescription without its lenses.
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

    /// Archives of this family can't be read yet.
    public required init?(coder: NSCoder) { return nil }

    /// For glasses or for contacts.
    open var prescriptionType: HKVisionPrescriptionType { kind }
    /// When it was written.
    open var dateIssued: Date { startDate }
    /// Until when it holds; nil where it doesn't say.
    open var expirationDate: Date? { expiry }
}

/// A prescription for glasses.
// Immutable.
open class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
    private let lenses: (right: HKGlassesLensSpecification?, left: HKGlassesLensSpecification?)

    /// A prescription by its lenses.
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

    /// Archives of this family can't be read yet.
    public required init?(coder: NSCoder) { return nil }

    /// The right lens.
    open var rightEye: HKGlassesLensSpecification? { lenses.right }
    /// The left lens.
    open var leftEye: HKGlassesLensSpecification? { lenses.left }
}

/// A prescription for contacts.
// Immutable.
open class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
    private let lenses: (right: HKContactsLensSpecification?, left: HKContactsLensSpecification?)
    private let brandName: String

    /// A prescription by its lenses.
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

    /// Archives of this family can't be read yet.
    public required init?(coder: NSCoder) { return nil }

    /// The right lens.
    open var rightEye: HKContactsLensSpecification? { lenses.right }
    /// The left lens.
    open var leftEye: HKContactsLensSpecification? { lenses.left }
    /// Who makes them.
    open var brand: String { brandName }
}

/// What a lens must do.
// Immutable.
open class HKLensSpecification: NSObject, @unchecked Sendable {
    /// Dioptres for near- or farsightedness.
    public let sphere: HKQuantity
    /// Dioptres for astigmatism.
    public let cylinder: HKQuantity?
    /// Where the cylinder stands.
    public let axis: HKQuantity?
    /// Dioptres more for reading.
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

/// What a lens of glasses must do.
// Immutable.
open class HKGlassesLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// From the lens to the eye.
    public let vertexDistance: HKQuantity?
    /// How it bends light.
    public let prism: HKVisionPrism?
    /// Between the middle of the face and the pupil, looking far.
    public let farPupillaryDistance: HKQuantity?
    /// Between the middle of the face and the pupil, looking near.
    public let nearPupillaryDistance: HKQuantity?

    /// What a lens of glasses must do.
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

/// What a contact lens must do.
// Immutable.
open class HKContactsLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// How curved its back is.
    public let baseCurve: HKQuantity?
    /// How wide it is.
    public let diameter: HKQuantity?

    /// What a contact lens must do.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        baseCurve: HKQuantity?, diameter: HKQuantity?
    ) {
        self.baseCurve = baseCurve
        self.diameter = diameter
        super.init(_sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
    }
}

/// How a lens bends light; how its two notations convert isn't worked out yet, so each keeps what
/// it was given and the other's amounts are 0.
// Immutable.
open class HKVisionPrism: NSObject, @unchecked Sendable {
    /// How much, in prism dioptres.
    public let amount: HKQuantity
    /// Which way, as an angle.
    public let angle: HKQuantity
    /// How much up or down.
    public let verticalAmount: HKQuantity
    /// Up or down.
    public let verticalBase: HKPrismBase
    /// How much in or out.
    public let horizontalAmount: HKQuantity
    /// In or out.
    public let horizontalBase: HKPrismBase
    /// Whose lens.
    public let eye: HKVisionEye

    /// A prism by amount and angle.
    public init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        self.amount = amount
        self.angle = angle
        self.eye = eye
        verticalAmount = HKQuantity(unit: amount.unit, doubleValue: 0)
        horizontalAmount = HKQuantity(unit: amount.unit, doubleValue: 0)
        verticalBase = .none
        horizontalBase = .none
    }

    /// A prism by its two directions.
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
