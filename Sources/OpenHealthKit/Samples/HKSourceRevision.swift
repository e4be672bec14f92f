public import Foundation

/// The pattern that matches any operating system version in a predicate.
///
/// Apple does not publish its numbers; here all three are -1.
public let HKSourceRevisionAnyOperatingSystem = OperatingSystemVersion(
    majorVersion: -1, minorVersion: -1, patchVersion: -1)

/// A source with its version, product type and operating system at the time of a save.
///
/// Revisions are equal if all their properties are equal (Semantics §9.9).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let writer: HKSource
    private let revision: String?
    private let product: String?
    private let system: OperatingSystemVersion

    /// Creates a revision, or a pattern for predicates: ``HKSourceRevisionAnyVersion`` matches
    /// every version.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - version: The version of the app, or nil.
    ///   - productType: The hardware, such as "Watch6,2", or nil.
    ///   - operatingSystemVersion: The version of the operating system.
    public init(
        source: HKSource, version: String?, productType: String?,
        operatingSystemVersion: OperatingSystemVersion
    ) {
        writer = source
        revision = version
        product = productType
        system = operatingSystemVersion
    }

    /// Creates a pattern for a version of a source on any product type and operating system.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - version: The version of the app, or nil.
    public convenience init(source: HKSource, version: String?) {
        self.init(
            source: source, version: version, productType: HKSourceRevisionAnyProductType,
            operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a revision; nil if its source is missing.
    public required init?(coder: NSCoder) {
        guard let source = coder.value(HKSource.self, "source") else { return nil }
        writer = source
        revision = coder.string("version")
        product = coder.string("productType")
        system = OperatingSystemVersion(
            majorVersion: coder.decodeInteger(forKey: "major"),
            minorVersion: coder.decodeInteger(forKey: "minor"),
            patchVersion: coder.decodeInteger(forKey: "patch"))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(writer, forKey: "source")
        coder.encode(revision, for: "version")
        coder.encode(product, for: "productType")
        coder.encode(system.majorVersion, forKey: "major")
        coder.encode(system.minorVersion, forKey: "minor")
        coder.encode(system.patchVersion, forKey: "patch")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The source.
    open var source: HKSource { writer }

    /// The version of the app, such as "4.2.1".
    open var version: String? { revision }

    /// The hardware that the app ran on, such as "Watch6,2".
    open var productType: String? { product }

    /// The operating system that the app ran on; 0.0.0 if unknown.
    open var operatingSystemVersion: OperatingSystemVersion { system }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSourceRevision else { return false }
        return writer == other.writer && revision == other.revision && product == other.product
            && system.text == other.system.text
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(writer)
        hasher.combine(revision)
        hasher.combine(product)
        hasher.combine(system.text)
        return hasher.finalize()
    }

    open override var description: String {
        [writer.description, revision, product, system.text].compactMap { $0 }
            .joined(separator: ", ")
    }
}

extension OperatingSystemVersion {
    /// The stored form, such as "17.1.2".
    var text: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    /// Parses "17.1.2", "17.1" or "17". Missing and non-numeric parts are 0; a fourth part is
    /// ignored.
    init(text: String?) {
        let parts = (text ?? "").split(separator: ".").map { Int($0) ?? 0 } + [0, 0, 0]
        self.init(majorVersion: parts[0], minorVersion: parts[1], patchVersion: parts[2])
    }
}
