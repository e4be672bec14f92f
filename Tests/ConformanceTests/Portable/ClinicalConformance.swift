import Foundation
import Testing

#if !os(watchOS)
    /// §10.10: versions of FHIR and clinical documents. Records need a provider, so none are here.
    @Suite(.reported) struct ClinicalConformance {
        @Test(
            "§10.10 a version of FHIR has three numbers and a release",
            .covers("HKFHIRVersion.init(fromVersionString:)", "HKFHIRVersion.fhirRelease"))
        func versions() throws {
            let version = try HKFHIRVersion(fromVersionString: "4.0.1")
            #expect(version == HKFHIRVersion.primaryR4())
            #expect(version.fhirRelease == .r4 && version.stringRepresentation == "4.0.1")
            let older = HKFHIRVersion.primaryDSTU2()
            #expect(older.fhirRelease == .dstu2 && older.stringRepresentation == "1.0.2")
            #expect(throws: (any Error).self) { try HKFHIRVersion(fromVersionString: "four") }
        }

        @Test(
            "§10.10 a clinical document is read from its XML, and other data is refused",
            .covers("HKCDADocumentSample.init(data:start:end:metadata:)"))
        func documents() throws {
            let day = Date(timeIntervalSinceReferenceDate: 8e8)
            #expect(throws: (any Error).self) {
                try HKCDADocumentSample(data: Data("a".utf8), start: day, end: day, metadata: nil)
            }
            let type = HKDocumentType(.CDA)
            #expect(type.isMaximumDurationRestricted && type.maximumAllowedDuration == 345_600)
        }
    }
#endif
