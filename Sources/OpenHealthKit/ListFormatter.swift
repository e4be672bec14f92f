#if !canImport(Darwin)
    public import Foundation

    /// Foundation's formatter of lists, which Foundation on Linux lacks.
    ///
    /// `ListFormatter().string(from: ["steps", "sleep", "weight"])` is `steps, sleep, and weight`
    /// in American English; the words between are the locale's.
    // Its state is one locked value.
    open class ListFormatter: Formatter, @unchecked Sendable {
        private let state = Locked<(locale: Locale, items: Formatter?)>((.autoupdatingCurrent, nil))

        /// A formatter for the current locale.
        public override init() { super.init() }

        /// A formatter as ``init()`` makes it: settings have no archived form.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// Whose words and signs stand between the items; the current one for nil.
        open var locale: Locale! {
            get { state { $0.locale } }
            set { state { $0.locale = newValue ?? .autoupdatingCurrent } }
        }

        /// What writes each item; nil, as at first, for items' descriptions.
        open var itemFormatter: Formatter? {
            get { state { $0.items } }
            set { state { $0.items = newValue } }
        }

        /// The items in a list; nil if one has no text.
        open func string(from items: [Any]) -> String? {
            let (locale, formatter) = state { $0 }
            let texts = items.compactMap { item in
                guard let formatter else { return "\(item)" }
                return formatter.string(for: item)
            }
            guard texts.count == items.count else { return nil }
            return texts.formatted(.list(type: .and).locale(locale))
        }

        /// The list of an array's items; nil for anything else.
        open override func string(for obj: Any?) -> String? {
            (obj as? [Any]).flatMap { string(from: $0) }
        }

        /// Strings in a list of the current locale.
        open class func localizedString(byJoining strings: [String]) -> String {
            strings.formatted(.list(type: .and))
        }
    }
#endif
