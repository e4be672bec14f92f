public import Foundation

#if !canImport(ObjectiveC)
    extension NSPredicate: _Substitutable {}

    // Foundation on Linux has no predicate language. These initializers have the signatures of its
    // unavailable ones and are preferred by overload resolution. Arguments are `Any`, because Date
    // and UUID are not bridged.
    extension NSPredicate {
        /// Parses a predicate for health samples in Foundation's predicate language.
        ///
        /// ```
        /// NSPredicate(format: "%K >= %@ AND metadata.HKWasUserEntered != YES",
        ///     HKPredicateKeyPathStartDate, date as NSDate)
        /// ```
        ///
        /// Supported are comparisons (`= == != <> < <= =< > >= =>`), `IN`, `BETWEEN`, `CONTAINS`,
        /// `BEGINSWITH`, `ENDSWITH`, `LIKE`, `[c]`, `AND`, `OR`, `NOT` and their symbols,
        /// parentheses, lists in braces, `TRUEPREDICATE` and `FALSEPREDICATE`, texts and numbers,
        /// `nil`, `YES` and `NO`, `%@`, `%K` and the numeric placeholders. Key paths are the
        /// `HKPredicateKeyPath…` constants, `metadata.KEY`, properties of source, source revision
        /// and device such as `device.name`, and properties of states of mind such as `valence`.
        ///
        /// Foundation raises an exception for an invalid format. Here the predicate is created: a
        /// query that uses it reports `errorInvalidArgument` with the position and the reason, and
        /// `evaluate(with:)` returns false. Use ``checked(format:_:)`` to detect it at once.
        ///
        /// - Parameters:
        ///   - predicateFormat: The format.
        ///   - args: The values of the placeholders, in order.
        public convenience init(format predicateFormat: String, _ args: Any...) {
            self.init(format: predicateFormat, argumentArray: args)
        }

        /// Parses a predicate like ``init(format:_:)``, with the values of the placeholders in an
        /// array.
        ///
        /// - Parameters:
        ///   - predicateFormat: The format.
        ///   - arguments: The values of the placeholders, in order.
        public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
            guard Self.self == NSPredicate.self else {
                // The format is ignored: a subclass evaluates itself, and queries reject it.
                self.init(value: false)
                return
            }
            self.init(substituting: HKPredicate(PredicateNode(predicateFormat, arguments ?? [])))
        }
    }
#endif

extension NSPredicate {
    /// Parses a predicate for health samples and checks its syntax. Not part of Apple's API.
    ///
    /// Key paths and units are checked when a query runs, because they depend on the type.
    ///
    /// - Parameters:
    ///   - format: The format, as for `NSPredicate(format:)`.
    ///   - arguments: The values of the placeholders, in order.
    /// - Returns: The predicate.
    /// - Throws: `errorInvalidArgument` with the reason and the place of the error, in characters
    ///   from the start of the format.
    public static func checked(
        format: String, _ arguments: Any...
    ) throws(HKError) -> NSPredicate {
        let node = PredicateNode(format, arguments)
        if case .refused(let reason, _) = node { throw HKError(.errorInvalidArgument, reason) }
        return HKPredicate(node)
    }
}

extension PredicateNode {
    /// Parses a format; the result is ``refused(_:text:)`` if the format is invalid.
    init(_ format: String, _ arguments: [Any]) {
        do {
            self = try PredicateFormat.node(format, arguments)
        } catch {
            self = .refused(
                "Predicate format: \(error.reason) at character \(error.position).", text: format)
        }
    }
}
