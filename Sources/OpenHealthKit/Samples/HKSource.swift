public import Foundation
import HealthEngine

/// Who wrote an object: an app, a device of Apple's, or the Health app itself.
///
/// Sources are equal when their bundle identifiers are (Semantics §9.9); ``default()`` is
/// equal to what a handle of a store says that its own app wrote.
// Immutable.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The engine's source; not Apple's.
    let value: Source
    /// Whom it stands for, as far as a store's handle has told.
    private let meaning: Meaning

    private enum Meaning {
        /// Its bundle identifier alone.
        case itself
        /// The app of whichever handle it meets.
        case anyOwn
        /// The app that runs in this scope; in predicates that of the handle.
        case own
        /// Told by a handle: its own app, or another.
        case deliveredOwn, deliveredOther
    }

    /// A source by name and bundle identifier; not Apple's, where sources only come from a store.
    public required init(_name: String, bundleIdentifier: String) {
        value = Source(name: _name, bundleIdentifier: bundleIdentifier)
        meaning = .itself
    }

    /// A source of a store's, as the handle has it whose query or change is running.
    init(_ source: Source) {
        value = source
        meaning =
            switch AppIdentity.acting?.bundleIdentifier {
            case nil: .itself
            case source.bundleIdentifier: .deliveredOwn
            default: .deliveredOther
            }
    }

    private init(_ identity: AppIdentity, _ meaning: Meaning) {
        value = Source(name: identity.name, bundleIdentifier: identity.bundleIdentifier)
        self.meaning = meaning
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived source; nil without its bundle identifier.
    public required init?(coder: NSCoder) {
        guard let bundleIdentifier = coder.string("bundleIdentifier") else { return nil }
        value = Source(name: coder.string("name") ?? "", bundleIdentifier: bundleIdentifier)
        meaning = .itself
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

    /// This app: ``AppIdentity/current``.
    ///
    /// ```swift
    /// samples.filter { $0.sourceRevision.source == .default() }
    /// sources.filter { $0.bundleIdentifier == HKSource.default().bundleIdentifier }
    /// ```
    /// Inside a predicate it stands for the app of the store that runs it, and compared to a source that
    /// a handle delivered for the app of that handle (``HKHealthStore/withIdentity(_:)``). Its name, its
    /// identifier and its hash are those of ``AppIdentity/current``, which is the process unless
    /// ``AppIdentity/withCurrent(_:_:)`` or a handler of a handle says otherwise.
    open class func `default`() -> HKSource {
        AppIdentity.acting.map { HKSource($0, .own) } ?? thisProcess
    }

    /// Whether this stands for the app of whichever store it meets.
    var isDefault: Bool {
        meaning == .anyOwn || meaning == .own || self === HKSource.unsaved
    }

    /// The source of an object that no store has: without a name and an identifier, as on Apple's
    /// platforms, and to predicates the app itself.
    static let unsaved = HKSource(_name: "", bundleIdentifier: "")

    /// The process, whatever acts in it at present.
    static let thisProcess = HKSource(.process, .anyOwn)

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSource else { return false }
        return switch (meaning, other.meaning) {
        case (.anyOwn, .deliveredOwn), (.deliveredOwn, .anyOwn): true
        case (.anyOwn, .deliveredOther), (.deliveredOther, .anyOwn): false
        default: value == other.value
        }
    }

    open override var hash: Int { value.hashValue }
    open override var description: String { "\(name) (\(bundleIdentifier))" }
}
