#if !canImport(Darwin)
    public import Foundation
    import Synchronization

    /// A formatter of lists, for Linux, where Foundation has none.
    ///
    /// `ListFormatter().string(from: ["steps", "sleep", "weight"])` is `steps, sleep, and weight`
    /// in American English. The locale determines the separators and the word for "and".
    // Sendable, because a mutex protects all state.
    open class ListFormatter: Formatter, @unchecked Sendable {
        // Sendable, although `Formatter` is not: the caller that sets the item formatter must not
        // use it on several threads at the same time.
        private struct Settings: @unchecked Sendable {
            var locale = Locale.autoupdatingCurrent
            var items: Formatter?
        }

        private let state = Mutex(Settings())

        /// Creates a formatter for the current locale.
        public override init() { super.init() }

        /// Creates a formatter with default settings, because settings are not archived.
        ///
        /// - Parameter coder: An unarchiver.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// The locale of the separators and the conjunction. Nil sets the current locale.
        open var locale: Locale! {
            get { state.withLock { $0.locale } }
            set { state.withLock { $0.locale = newValue ?? .autoupdatingCurrent } }
        }

        /// The formatter of the items. If it is nil, the default, the description of each item is
        /// written.
        open var itemFormatter: Formatter? {
            get { state.withLock { $0 }.items }
            set { state.withLock { $0.items = newValue } }
        }

        /// Formats a list.
        ///
        /// - Parameter items: The items.
        /// - Returns: The text; nil if ``itemFormatter`` returns nil for an item.
        open func string(from items: [Any]) -> String? {
            let settings = state.withLock { $0 }
            let texts = items.compactMap { item in
                guard let formatter = settings.items else { return "\(item)" }
                return formatter.string(for: item)
            }
            guard texts.count == items.count else { return nil }
            return texts.formatted(.list(type: .and).locale(settings.locale))
        }

        /// Formats an array.
        ///
        /// - Parameter obj: An array.
        /// - Returns: The text; nil for other objects.
        open override func string(for obj: Any?) -> String? {
            (obj as? [Any]).flatMap { string(from: $0) }
        }

        /// Formats a list of strings for the current locale.
        ///
        /// - Parameter strings: The items.
        /// - Returns: The text.
        open class func localizedString(byJoining strings: [String]) -> String {
            strings.formatted(.list(type: .and))
        }
    }
#endif
