public import Foundation

/// A version of FHIR.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKFHIRVersion: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The first number: 4 for "4.0.1".
    public let majorVersion: Int
    /// The second number: 0 for "4.0.1".
    public let minorVersion: Int
    /// The third number: 1 for "4.0.1".
    public let patchVersion: Int

    /// True: versions can be archived.
    open class var supportsSecureCoding: Bool { true }

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

    /// Decodes a version; nil if its numbers are missing or negative.
    public required init?(coder: NSCoder) {
        let keys = ["major", "minor", "patch"]
        guard keys.allSatisfy({ coder.containsValue(forKey: $0) }) else { return nil }
        let numbers = keys.map { coder.decodeInteger(forKey: $0) }
        guard numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        (majorVersion, minorVersion, patchVersion) = (numbers[0], numbers[1], numbers[2])
    }

    open func encode(with coder: NSCoder) {
        coder.encode(majorVersion, forKey: "major")
        coder.encode(minorVersion, forKey: "minor")
        coder.encode(patchVersion, forKey: "patch")
    }

    /// Parses a version string such as "4.0.1".
    ///
    /// - Parameter versionString: Three numbers separated by dots, without signs.
    /// - Throws: `errorInvalidArgument` for any other string.
    public convenience init(fromVersionString versionString: String) throws {
        let numbers = versionString.split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
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
