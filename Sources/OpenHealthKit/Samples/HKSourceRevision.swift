public import Foundation

/// Any operating system, for a revision that a predicate looks for.
///
/// Apple's numbers are not public; ours are all -1.
public let HKSourceRevisionAnyOperatingSystem = OperatingSystemVersion(
    majorVersion: -1, minorVersion: -1, patchVersion: -1)

/// A source as it was when it wrote: its version, on which product and system.
///
/// Revisions are equal when all their parts are (Semantics §9.9).
// Immutable.
open class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let writer: HKSource
    private let revision: String?
    private let product: String?
    private let system: OperatingSystemVersion

    /// A revision, also as a pattern: ``HKSourceRevisionAnyVersion`` stands for every version.
    public init(
        source: HKSource, version: String?, productType: String?,
        operatingSystemVersion: OperatingSystemVersion
    ) {
        writer = source
        revision = version
        product = productType
        system = operatingSystemVersion
    }

    /// A version of a source on any product and system.
    public convenience init(source: HKSource, version: String?) {
        self.init(
            source: source, version: version, productType: HKSourceRevisionAnyProductType,
            operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived revision; nil without its source.
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

    /// Who wrote.
    open var source: HKSource { writer }

    /// The app's version: "4.2.1".
    open var version: String? { revision }

    /// The hardware it ran on: "Watch6,2".
    open var productType: String? { product }

    /// The system it ran on; 0.0.0 where nobody knows.
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
    /// "17.1.2", as a store keeps it.
    var text: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    /// Reads "17.1.2", "17.1" and "17"; what is missing or no number is 0.
    init(text: String?) {
        let parts = (text ?? "").split(separator: ".").map { Int($0) ?? 0 } + [0, 0, 0]
        self.init(majorVersion: parts[0], minorVersion: parts[1], patchVersion: parts[2])
    }
}
