import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite struct HKFHIRVersionTests {
    @Test(
        "a version has three numbers and a release",
        .covers(
            "HKFHIRVersion", "HKFHIRVersion.init(fromVersionString:)",
            "HKFHIRVersion.majorVersion", "HKFHIRVersion.minorVersion",
            "HKFHIRVersion.patchVersion", "HKFHIRVersion.stringRepresentation",
            "HKFHIRVersion.fhirRelease"))
    func numbers() throws {
        let version = try HKFHIRVersion(fromVersionString: "4.3.12")
        let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
        #expect(numbers == [4, 3, 12])
        #expect(version.stringRepresentation == "4.3.12" && version.fhirRelease == .r4)
        #expect(HKFHIRVersion.primaryR4().stringRepresentation == "4.0.1")
        #expect(HKFHIRVersion.primaryDSTU2().stringRepresentation == "1.0.2")
        #expect(HKFHIRVersion.primaryDSTU2().fhirRelease == .dstu2)
        #expect(try HKFHIRVersion(fromVersionString: "3.0.1").fhirRelease == .unknown)
        #expect(try HKFHIRVersion(fromVersionString: "4.0.1") == .primaryR4())
        #expect(try archived(version) == version)
    }

    @Test(
        "other texts are no versions",
        arguments: [
            "", "4", "4.0", "4.0.1.2", "4.0.x", "4.-0.1", "+4.0.1", "4..1", " 4.0.1", "٤.0.1",
        ])
    func invalid(_ text: String) {
        #expect {
            try HKFHIRVersion(fromVersionString: text)
        } throws: { ($0 as? HKError)?.code == .errorInvalidArgument }
    }
}
