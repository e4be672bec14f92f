public import Foundation
import HealthEngine

/// A FHIR resource of a clinical record.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKFHIRResource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let content: ClinicalRecord

    init(_content content: ClinicalRecord) { self.content = content }

    /// True: resources can be archived.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a resource; nil if its content is missing.
    public required init?(coder: NSCoder) {
        guard let content = coder.property(ClinicalRecord.self, "resource") else { return nil }
        self.content = content
    }

    open func encode(with coder: NSCoder) { coder.encode(property: content, for: "resource") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The FHIR version that the resource is written in; 0.0.0 if it is not known.
    open var fhirVersion: HKFHIRVersion {
        (try? HKFHIRVersion(fromVersionString: content.fhirVersion))
            ?? HKFHIRVersion(_major: 0, minor: 0, patch: 0)
    }

    /// The type of the resource.
    open var resourceType: HKFHIRResourceType {
        HKFHIRResourceType(rawValue: content.resourceType)
    }

    /// The identifier of the resource within its source.
    open var identifier: String { content.identifier }

    /// The resource as JSON, byte by byte as received.
    open var data: Data { Data(content.resource.utf8) }

    /// The URL the resource was downloaded from; nil if it is not known.
    open var sourceURL: URL? { content.sourceURL.flatMap { URL(string: $0) } }

    open override var hash: Int { content.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFHIRResource)?.content == content
    }
}
