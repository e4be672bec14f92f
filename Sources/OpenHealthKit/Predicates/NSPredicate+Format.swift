public import Foundation

#if !canImport(ObjectiveC)
    extension NSPredicate: _Substitutable {}

    // Foundation on Linux has no predicate language. These have its signatures and win over its
    // unavailable ones; arguments are `Any`, since Date and UUID travel without a bridge.
    extension NSPredicate {
        /// A predicate of Foundation's predicate language over health samples.
        ///
        /// ```
        /// NSPredicate(format: "%K >= %@ AND metadata.HKWasUserEntered != YES",
        ///     HKPredicateKeyPathStartDate, date as NSDate)
        /// ```
        ///
        /// It knows comparisons (`= == != <> < <= =< > >= =>`), `IN`, `BETWEEN`, `CONTAINS`,
        /// `BEGINSWITH`, `ENDSWITH`, `LIKE`, `[c]`, `AND`, `OR`, `NOT` and their signs,
        /// parentheses, `nil`, `YES` and `NO`, `%@`, `%K` and numbers' placeholders; key paths are
        /// the `HKPredicateKeyPath…` constants and `metadata.KEY`.
        ///
        /// A format that Foundation would raise an exception for is kept: whoever runs the
        /// predicate gets an `errorInvalidArgument` that says where and what is wrong, and
        /// `evaluate(with:)` is false. ``checked(format:_:)`` says so at once.
        public convenience init(format predicateFormat: String, _ args: Any...) {
            self.init(format: predicateFormat, argumentArray: args)
        }

        /// As ``init(format:_:)``, with the placeholders' values in an array.
        public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
            guard Self.self == NSPredicate.self else {
                // A subclass decides for itself what it evaluates to; no store runs it.
                self.init(value: false)
                return
            }
            self.init(substituting: HKPredicate(PredicateNode(predicateFormat, arguments ?? [])))
        }
    }
#endif

extension NSPredicate {
    /// A predicate of the predicate language over health samples, checked at once; not Apple's.
    ///
    /// - Throws: `errorInvalidArgument` that names the character where the trouble begins. Key paths
    ///   and units are checked when a query runs, as only then a type is known.
    public static func checked(
        format: String, _ arguments: Any...
    ) throws(HKError) -> NSPredicate {
        let node = PredicateNode(format, arguments)
        if case .refused(let reason, _) = node { throw HKError(.errorInvalidArgument, reason) }
        return HKPredicate(node)
    }
}

extension PredicateNode {
    /// The predicate of a format; ``refused(_:text:)`` where the format is none.
    init(_ format: String, _ arguments: [Any]) {
        do {
            self = try PredicateFormat.node(format, arguments)
        } catch {
            self = .refused(
                "Predicate format: \(error.reason) at character \(error.position).", text: format)
        }
    }
}
