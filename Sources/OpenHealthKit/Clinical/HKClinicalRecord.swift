public import Foundation

/// A clinical record. Clinical records are not implemented: none are stored and no query returns
/// any.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKClinicalRecord: HKSample, @unchecked Sendable {
    /// The type of the record.
    open var clinicalType: HKClinicalType {
        sampleType as? HKClinicalType ?? HKClinicalType(_identifier: sampleType.identifier)
    }

    /// The identifier of the sample type, since no name is stored.
    open var displayName: String { sampleType.identifier }

    /// The FHIR resource of the record; always nil, because none are stored.
    open var fhirResource: HKFHIRResource? { nil }
}

/// A FHIR resource of a clinical record.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKFHIRResource: NSObject, @unchecked Sendable {
    /// The FHIR version that the resource is written in.
    public let fhirVersion: HKFHIRVersion
    /// The type of the resource.
    public let resourceType: HKFHIRResourceType
    /// The identifier of the resource within its source.
    public let identifier: String
    /// The resource as JSON.
    public let data: Data
    /// The URL the resource was downloaded from.
    public let sourceURL: URL?

    init(
        _version: HKFHIRVersion, resourceType: HKFHIRResourceType, identifier: String, data: Data,
        sourceURL: URL?
    ) {
        fhirVersion = _version
        self.resourceType = resourceType
        self.identifier = identifier
        self.data = data
        self.sourceURL = sourceURL
    }
}

/// A version of FHIR.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKFHIRVersion: NSObject, NSCopying, @unchecked Sendable {
    /// The first number: 4 for "4.0.1".
    public let majorVersion: Int
    /// The second number: 0 for "4.0.1".
    public let minorVersion: Int
    /// The third number: 1 for "4.0.1".
    public let patchVersion: Int

    /// Creates a version from its three numbers. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _major: The first number.
    ///   - minor: The second number.
    ///   - patch: The third number.
    public required init(_major: Int, minor: Int, patch: Int) {
        majorVersion = _major
        minorVersion = minor
        patchVersion = patch
    }

    /// Parses a version string such as "4.0.1".
    ///
    /// - Parameter versionString: Three integers separated by dots.
    /// - Throws: `errorInvalidArgument` unless the string is three integers separated by dots.
    public convenience init(fromVersionString versionString: String) throws {
        let numbers = versionString.split(separator: ".", omittingEmptySubsequences: false)
            .map { Int($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
            let patch = numbers[2]
        else {
            throw HKError(.errorInvalidArgument, "Not a FHIR version: three numbers are required")
        }
        self.init(_major: major, minor: minor, patch: patch)
    }

    /// Returns version 1.0.2.
    ///
    /// - Returns: The version.
    open class func primaryDSTU2() -> Self { self.init(_major: 1, minor: 0, patch: 2) }
    /// Returns version 4.0.1.
    ///
    /// - Returns: The version.
    open class func primaryR4() -> Self { self.init(_major: 4, minor: 0, patch: 1) }

    /// The FHIR release of the version: DSTU2 for major version 1, R4 for 4, otherwise unknown.
    open var fhirRelease: HKFHIRRelease {
        switch majorVersion {
        case 1: .dstu2
        case 4: .r4
        default: .unknown
        }
    }

    /// The version as a string, such as "4.0.1".
    open var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override var hash: Int { stringRepresentation.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFHIRVersion)?.stringRepresentation == stringRepresentation
    }
}

/// A clinical document. Documents are not implemented: none are stored and no query returns any.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKDocumentSample: HKSample, @unchecked Sendable {
    /// The type of the document.
    open var documentType: HKDocumentType {
        sampleType as? HKDocumentType ?? HKDocumentType(_identifier: sampleType.identifier)
    }
}

/// A document in the Clinical Document Architecture (CDA).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
    /// The contents of the document; always nil, because none are stored.
    open var document: HKCDADocument? { nil }
}

/// The contents of a CDA document.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCDADocument: NSObject, @unchecked Sendable {
    /// The document as XML; always nil, because none are stored.
    open var documentData: Data? { nil }
    /// The title of the document; always empty.
    open var title: String { "" }
    /// The name of the patient; always empty.
    open var patientName: String { "" }
    /// The name of the author; always empty.
    open var authorName: String { "" }
    /// The name of the organization that keeps the document; always empty.
    open var custodianName: String { "" }
}
