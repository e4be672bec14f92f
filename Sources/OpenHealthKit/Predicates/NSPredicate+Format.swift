public import Foundation

#if !canImport(ObjectiveC)
    // Foundation on Linux has no predicate language. It declares these initializers as unavailable.
    // Overload resolution prefers the ones here. The variadic arguments are `Any` and not CVarArg,
    // because Date and UUID are not bridged.
    extension NSPredicate {
        /// Parses a predicate for health samples in Foundation's predicate language.
        ///
        /// ```
        /// NSPredicate(format: "%K >= %@ AND metadata.HKWasUserEntered != YES",
        ///     HKPredicateKeyPathStartDate, date as NSDate)
        /// ```
        ///
        /// Supported syntax:
        ///
        /// - comparisons: `= == != <> < <= =< > >= =>`, `IN`, `BETWEEN`, `CONTAINS`, `BEGINSWITH`,
        ///   `ENDSWITH`, `LIKE`; `==`, `!=`, `IN` and the text operators also with `[c]`;
        /// - compounds: `AND`, `OR`, `NOT` and their symbols, parentheses, `TRUEPREDICATE` and
        ///   `FALSEPREDICATE`;
        /// - constants: strings, numbers, dates as `CAST(…, "NSDate")`, `nil`, `YES`, `NO` and
        ///   lists in braces;
        /// - placeholders: `%@`, `%K` and the numeric ones;
        /// - variables such as `$START`, which `withSubstitutionVariables(_:)` replaces.
        ///
        /// Key paths are `HKPredicateKeyPath…` constants, `metadata.KEY`, properties of source,
        /// source revision and device such as `device.name`, and properties of states of mind such
        /// as `valence`. A query rejects constants for data that is not stored.
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
                // A subclass ignores the format: it implements its own evaluation, and queries
                // reject it.
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
        if case .invalid(let reason, _) = node { throw HKError(.errorInvalidArgument, reason) }
        return HKPredicate(node)
    }
}

extension PredicateNode {
    /// Parses a format; the result is ``invalid(_:text:)`` if the format is invalid.
    init(_ format: String, _ arguments: [Any]) {
        do {
            self = try PredicateFormatParser.node(format, arguments)
        } catch {
            self = .invalid(
                "Predicate format: \(error.reason) at character \(error.position).", text: format)
        }
    }
}
