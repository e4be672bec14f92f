public import Foundation
import HealthEngine

/// The app or device that saved an object.
///
/// Sources are equal if their bundle identifiers are equal (Semantics §9.9).
///
/// The exception is ``default()``, if it is called outside handlers and
/// ``AppIdentity/withCurrent(_:_:)``. It equals a source that a handle returned exactly if that
/// source is the app of the handle.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The engine's source. Not part of Apple's API.
    let value: Source
    /// Whether the source is a fixed one, or stands for the current app or the app of a handle. It
    /// affects ``isEqual(_:)`` and predicates.
    private let role: Role

    private enum Role {
        /// A fixed bundle identifier.
        case fixed
        /// `default()` of the process. Compared with a source that a handle returned, it stands for
        /// the app of that handle; in predicates, for the app of the query.
        case processDefault
        /// `default()` inside handlers and ``AppIdentity/withCurrent(_:_:)``: the current app; in
        /// predicates, the app of the query.
        case currentApp
        /// A source that a handle returned: the app of this handle, or another source.
        case returnedOwn, returnedOther
    }

    /// Creates a source. Not part of Apple's API, where sources come from stores only.
    ///
    /// - Parameters:
    ///   - _name: The name shown to people.
    ///   - bundleIdentifier: The bundle identifier.
    public required init(_name: String, bundleIdentifier: String) {
        value = Source(name: _name, bundleIdentifier: bundleIdentifier)
        role = .fixed
    }

    /// Creates a source from the engine's source. If an app is current, as inside a query or save
    /// of a handle, the new source also records whether it is that app.
    init(_ source: Source) {
        value = source
        role =
            switch AppIdentity.acting?.bundleIdentifier {
            case nil: .fixed
            case source.bundleIdentifier: .returnedOwn
            default: .returnedOther
            }
    }

    private init(_ identity: AppIdentity, _ role: Role) {
        value = Source(name: identity.name, bundleIdentifier: identity.bundleIdentifier)
        self.role = role
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a source; nil if its bundle identifier is missing.
    public required init?(coder: NSCoder) {
        guard let bundleIdentifier = coder.string("bundleIdentifier") else { return nil }
        value = Source(name: coder.string("name") ?? "", bundleIdentifier: bundleIdentifier)
        role = .fixed
    }

    open func encode(with coder: NSCoder) {
        coder.encode(name, for: "name")
        coder.encode(bundleIdentifier, for: "bundleIdentifier")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The name shown to people, such as "Sam’s iPhone".
    open var name: String { value.name }

    /// The reverse-DNS identifier; derived for sources of imported data.
    open var bundleIdentifier: String { value.bundleIdentifier }

    /// Returns the source of this app: ``AppIdentity/current``.
    ///
    /// ```swift
    /// samples.filter { $0.sourceRevision.source == .default() }
    /// sources.filter { $0.bundleIdentifier == HKSource.default().bundleIdentifier }
    /// ```
    /// In a predicate, the source stands for the app of the handle that executes the query. Its
    /// name, identifier and hash are those of ``AppIdentity/current``: the process, except inside
    /// ``AppIdentity/withCurrent(_:_:)`` and handlers. Created outside of these and compared with a
    /// source that a handle returned, it stands for the app of that handle
    /// (``HKHealthStore/withIdentity(_:)``).
    ///
    /// - Returns: The source.
    open class func `default`() -> HKSource {
        AppIdentity.acting.map { HKSource($0, .currentApp) } ?? thisProcess
    }

    /// Whether the source in a predicate stands for the app of the handle that executes the query.
    var isDefault: Bool {
        role == .processDefault || role == .currentApp || self === HKSource.unsaved
    }

    /// The source of unsaved objects: without a name and an identifier, as on Apple's platforms.
    /// Predicates treat it as the app of the handle that executes the query.
    static let unsaved = HKSource(_name: "", bundleIdentifier: "")

    /// The value of ``default()`` where no other app is current.
    static let thisProcess = HKSource(.process, .processDefault)

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSource else { return false }
        return switch (role, other.role) {
        case (.processDefault, .returnedOwn), (.returnedOwn, .processDefault): true
        case (.processDefault, .returnedOther), (.returnedOther, .processDefault): false
        default: value == other.value
        }
    }

    open override var hash: Int { value.hashValue }
    open override var description: String { "\(name) (\(bundleIdentifier))" }
}
