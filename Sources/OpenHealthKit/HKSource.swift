public import Foundation
import HealthEngine

/// Who wrote an object: an app, a device of Apple's, or the Health app itself.
///
/// Sources are equal when their bundle identifiers are (healthkit-semantics §9.9).
// Immutable.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The engine's source; not Apple's.
    let value: Source

    /// A source by name and bundle identifier; not Apple's, where sources only come from a store.
    public required init(_name: String, bundleIdentifier: String) {
        value = Source(name: _name, bundleIdentifier: bundleIdentifier)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived source; nil without its bundle identifier.
    public required init?(coder: NSCoder) {
        guard let bundleIdentifier = coder.string("bundleIdentifier") else { return nil }
        value = Source(name: coder.string("name") ?? "", bundleIdentifier: bundleIdentifier)
    }

    open func encode(with coder: NSCoder) {
        coder.encode(name, for: "name")
        coder.encode(bundleIdentifier, for: "bundleIdentifier")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The name a person sees: "Sam’s iPhone".
    open var name: String { value.name }

    /// Reverse-DNS identifier; derived for sources of imported data.
    open var bundleIdentifier: String { value.bundleIdentifier }

    /// This app.
    ///
    /// Inside a predicate it stands for the app of the store that runs it.
    open class func `default`() -> HKSource { thisApp }

    /// Whether this stands for the app of whichever store it meets.
    var isDefault: Bool { self === HKSource.thisApp || self === HKSource.unsaved }

    /// The source of an object that no store has: without a name and an identifier, as on Apple's
    /// platforms, and to predicates the app itself.
    static let unsaved = HKSource(_name: "", bundleIdentifier: "")

    private static let thisApp = HKSource(
        _name: ProcessInfo.processInfo.processName,
        bundleIdentifier: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)

    open override func isEqual(_ object: Any?) -> Bool { (object as? HKSource)?.value == value }
    open override var hash: Int { value.hashValue }
    open override var description: String { "\(name) (\(bundleIdentifier))" }
}
