public import Foundation
public import HealthEngine

/// A prescription for glasses or contact lenses. Queries return the subclass of its type:
/// ``HKGlassesPrescription`` or ``HKContactsPrescription``.
///
/// Apps read prescriptions of others only if a person chooses them:
/// ``HKHealthStore/requestPerObjectReadAuthorization(for:predicate:completion:)``. `save` refuses
/// measures in other units than Apple documents, and numbers that are not finite (Semantics §10.5e).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVisionPrescription: HKSample, @unchecked Sendable {
    /// The stored form. Not part of Apple's API.
    let content: VisionPrescription

    /// Creates a prescription from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - content: The type, the expiration date and the lenses.
    public init(_record: SampleRecord, content: VisionPrescription) {
        self.content = content
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
            content: VisionPrescription(
                type: Int(type.rawValue),
                expiration: expirationDate?.timeIntervalSinceReferenceDate))
    }

    /// Decodes a prescription; nil if its UUID, type or content is missing.
    public required init?(coder: NSCoder) {
        guard let content = coder.property(VisionPrescription.self, "prescription") else {
            return nil
        }
        self.content = content
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: content, for: "prescription")
    }

    /// Glasses or contact lenses.
    open var prescriptionType: HKVisionPrescriptionType {
        content.type == VisionPrescription.contacts ? .contacts : .glasses
    }
    /// The date of the prescription: the start date.
    open var dateIssued: Date { startDate }
    /// When the prescription expires, or nil.
    open var expirationDate: Date? {
        content.expiration.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    override var detail: SampleDetail? { .visionPrescription(content) }

    override var valueDescription: String {
        "\(sampleType.identifier) \(prescriptionType == .contacts ? "contacts" : "glasses")"
    }

    /// Creates a stored prescription as an instance of the subclass of its type.
    static func instance(_ record: SampleRecord, _ content: VisionPrescription)
        -> HKVisionPrescription
    {
        content.type == VisionPrescription.contacts
            ? HKContactsPrescription(_record: record, content: content)
            : HKGlassesPrescription(_record: record, content: content)
    }
}

/// A prescription for glasses.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
    /// Creates a prescription for glasses.
    ///
    /// - Parameters:
    ///   - rightEyeSpecification: The right lens, or nil.
    ///   - leftEyeSpecification: The left lens, or nil.
    ///   - dateIssued: The date of the prescription: start and end of the sample.
    ///   - expirationDate: When the prescription expires, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        rightEyeSpecification: HKGlassesLensSpecification?,
        leftEyeSpecification: HKGlassesLensSpecification?, dateIssued: Date,
        expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            _record: SampleRecord(
                .visionPrescriptionType(), start: dateIssued, end: dateIssued, device: device,
                metadata: metadata),
            content: VisionPrescription(
                type: VisionPrescription.glasses,
                expiration: expirationDate?.timeIntervalSinceReferenceDate,
                rightEye: rightEyeSpecification?.content, leftEye: leftEyeSpecification?.content))
        validateIfStrict()
    }

    /// The right lens; nil without one, or for an imported lens without a readable sphere.
    open var rightEye: HKGlassesLensSpecification? {
        content.rightEye.flatMap { HKGlassesLensSpecification(_stored: $0) }
    }
    /// The left lens; nil without one, or for an imported lens without a readable sphere.
    open var leftEye: HKGlassesLensSpecification? {
        content.leftEye.flatMap { HKGlassesLensSpecification(_stored: $0) }
    }
}

/// A prescription for contact lenses.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
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
    public convenience init(
        rightEyeSpecification: HKContactsLensSpecification?,
        leftEyeSpecification: HKContactsLensSpecification?, brand: String, dateIssued: Date,
        expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            _record: SampleRecord(
                .visionPrescriptionType(), start: dateIssued, end: dateIssued, device: device,
                metadata: metadata),
            content: VisionPrescription(
                type: VisionPrescription.contacts,
                expiration: expirationDate?.timeIntervalSinceReferenceDate, brand: brand,
                rightEye: rightEyeSpecification?.content, leftEye: leftEyeSpecification?.content))
        validateIfStrict()
    }

    /// The right lens; nil without one, or for an imported lens without a readable sphere.
    open var rightEye: HKContactsLensSpecification? {
        content.rightEye.flatMap { HKContactsLensSpecification(_stored: $0) }
    }
    /// The left lens; nil without one, or for an imported lens without a readable sphere.
    open var leftEye: HKContactsLensSpecification? {
        content.leftEye.flatMap { HKContactsLensSpecification(_stored: $0) }
    }
    /// The brand of the lenses; empty if an import names none.
    open var brand: String { content.brand ?? "" }
}
