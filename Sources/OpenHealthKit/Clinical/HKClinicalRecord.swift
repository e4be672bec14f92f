public import Foundation
public import HealthEngine

/// A clinical record: a FHIR resource from a health care provider.
///
/// Apps cannot create or save clinical records. They come from an imported export, or from devices
/// (Semantics §10.10). Start and end are the date of receipt, and the source is the provider.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKClinicalRecord: HKSample, @unchecked Sendable {
    private let content: ClinicalRecord?

    /// Creates a record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - content: The resource; nil if none is stored.
    public init(_record: SampleRecord, content: ClinicalRecord?) {
        self.content = content
        super.init(_record: _record)
    }

    /// Decodes a record; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        content = coder.property(ClinicalRecord.self, "clinicalRecord")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: content, for: "clinicalRecord")
    }

    override var detail: SampleDetail? { content.map { .clinicalRecord($0) } }

    override var valueDescription: String { "\(displayName) \(sampleType.identifier)" }

    /// The type of the record.
    open var clinicalType: HKClinicalType {
        sampleType as? HKClinicalType ?? HKClinicalType(_identifier: sampleType.identifier)
    }

    /// The name for people, such as "Hemoglobin": the text or display of the resource's code, or
    /// else the resource type.
    open var displayName: String { content?.displayName ?? "" }

    /// The FHIR resource; nil if another program stored the sample without one.
    open var fhirResource: HKFHIRResource? { content.map { HKFHIRResource(_content: $0) } }
}
