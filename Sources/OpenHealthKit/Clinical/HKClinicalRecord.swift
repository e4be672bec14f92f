public import Foundation

/// A clinical record. The family is left for later: none is stored, so none is ever read.
// Immutable.
open class HKClinicalRecord: HKSample, @unchecked Sendable {
    /// What kind of record.
    open var clinicalType: HKClinicalType {
        sampleType as? HKClinicalType ?? HKClinicalType(_identifier: sampleType.identifier)
    }

    /// What people read.
    open var displayName: String { sampleType.identifier }

    /// The record itself; nil, as none is kept.
    open var fhirResource: HKFHIRResource? { nil }
}

/// A record as a hospital sent it.
// Immutable.
open class HKFHIRResource: NSObject, @unchecked Sendable {
    /// Which FHIR it is written in.
    public let fhirVersion: HKFHIRVersion
    /// What it is.
    public let resourceType: HKFHIRResourceType
    /// Who it is, within its source.
    public let identifier: String
    /// Its JSON.
    public let data: Data
    /// Where it came from.
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
// Immutable.
open class HKFHIRVersion: NSObject, NSCopying, @unchecked Sendable {
    /// 4 of "4.0.1".
    public let majorVersion: Int
    /// 0 of "4.0.1".
    public let minorVersion: Int
    /// 1 of "4.0.1".
    public let patchVersion: Int

    /// A version by its three numbers; not Apple's.
    public required init(_major: Int, minor: Int, patch: Int) {
        majorVersion = _major
        minorVersion = minor
        patchVersion = patch
    }

    /// The version of "4.0.1".
    ///
    /// - Throws: `errorInvalidArgument` unless it is three whole numbers between points.
    public convenience init(fromVersionString versionString: String) throws {
        let numbers = versionString.split(separator: ".", omittingEmptySubsequences: false)
            .map { Int($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
            let patch = numbers[2]
        else {
            throw HKError(.errorInvalidArgument, "No FHIR version: three numbers are needed")
        }
        self.init(_major: major, minor: minor, patch: patch)
    }

    /// 1.0.2.
    open class func primaryDSTU2() -> Self { self.init(_major: 1, minor: 0, patch: 2) }
    /// 4.0.1.
    open class func primaryR4() -> Self { self.init(_major: 4, minor: 0, patch: 1) }

    /// Which release the version belongs to.
    open var fhirRelease: HKFHIRRelease {
        switch majorVersion {
        case 1: .dstu2
        case 4: .r4
        default: .unknown
        }
    }

    /// "4.0.1".
    open var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override var hash: Int { stringRepresentation.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFHIRVersion)?.stringRepresentation == stringRepresentation
    }
}

/// A document. The family is left for later: none is stored, so none is ever read.
// Immutable.
open class HKDocumentSample: HKSample, @unchecked Sendable {
    /// What kind of document.
    open var documentType: HKDocumentType {
        sampleType as? HKDocumentType ?? HKDocumentType(_identifier: sampleType.identifier)
    }
}

/// A document in the Clinical Document Architecture.
// Immutable.
open class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
    /// The document; nil, as none is kept.
    open var document: HKCDADocument? { nil }
}

/// The text of a document.
// Immutable.
open class HKCDADocument: NSObject, @unchecked Sendable {
    /// Its XML; nil, as none is kept.
    open var documentData: Data? { nil }
    /// What it is called.
    open var title: String { "" }
    /// Whom it is about.
    open var patientName: String { "" }
    /// Who wrote it.
    open var authorName: String { "" }
    /// Who keeps it.
    open var custodianName: String { "" }
}
