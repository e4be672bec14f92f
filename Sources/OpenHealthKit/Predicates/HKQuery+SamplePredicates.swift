public import Foundation

extension HKQuery {
    /// Matches samples that overlap an interval or lie in it, depending on the options.
    ///
    /// | options | condition |
    /// |---|---|
    /// | `[]` | `end >= startDate && start < endDate` |
    /// | `.strictStartDate` | `start >= startDate && start < endDate` |
    /// | `.strictEndDate` | `end >= startDate && end < endDate` |
    /// | both | both of the last two conditions |
    ///
    /// Without options, a sample that ends exactly at `startDate` matches. A sample that starts
    /// exactly at `endDate` never matches (Semantics §2.1).
    ///
    /// - Parameters:
    ///   - startDate: The start of the interval (inclusive); nil removes the conditions that use
    ///     it.
    ///   - endDate: The end of the interval (exclusive); nil removes the conditions that use it.
    ///   - options: Which dates of a sample must be in the interval.
    /// - Returns: The predicate.
    public class func predicateForSamples(
        withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        HKPredicate(
            .range(
                (HKPredicateKeyPathStartDate, HKPredicateKeyPathEndDate),
                from: startDate, to: endDate, options))
    }

    /// Matches quantity samples whose quantity compares to another as the operator requires.
    ///
    /// The units may differ. If the type's unit is incompatible, the query reports
    /// `errorInvalidArgument` (Semantics §2.9). The quantity of a series is its sum for a
    /// cumulative type and its average for a discrete type.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForQuantitySamples(
        with operatorType: _ComparisonOperator, quantity: HKQuantity
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathQuantity, PredicateOperator(operatorType), .quantity(quantity)))
    }

    /// Matches category samples whose raw value compares to another as the operator requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - value: The raw value to compare with.
    /// - Returns: The predicate.
    public class func predicateForCategorySamples(
        with operatorType: _ComparisonOperator, value: Int
    ) -> NSPredicate {
        HKPredicate(.category(PredicateOperator(operatorType), .number(Double(value))))
    }

    /// Matches states of mind whose valence compares to a number as the operator requires.
    ///
    /// - Parameters:
    ///   - valence: The number to compare with, from -1 to 1.
    ///   - operatorType: The comparison operator; the property is on the left side.
    /// - Returns: The predicate.
    public class func predicateForStatesOfMind(
        withValence valence: Double, operatorType: _ComparisonOperator
    ) -> NSPredicate {
        HKPredicate(.test("valence", PredicateOperator(operatorType), .number(valence)))
    }

    /// Matches states of mind of a kind.
    ///
    /// - Parameter kind: A momentary emotion or the mood of a day.
    /// - Returns: The predicate.
    public class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
        HKPredicate(.test("kind", .equal, .number(Double(kind.rawValue))))
    }

    /// Matches states of mind with a label.
    ///
    /// - Parameter label: The label.
    /// - Returns: The predicate.
    public class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
        HKPredicate(.test("labels", .contains, .number(Double(label.rawValue))))
    }

    /// Matches states of mind with an association.
    ///
    /// - Parameter association: The association.
    /// - Returns: The predicate.
    public class func predicateForStatesOfMind(
        with association: HKStateOfMind.Association
    ) -> NSPredicate {
        HKPredicate(.test("associations", .contains, .number(Double(association.rawValue))))
    }

    /// Matches the activity summary of a day (Semantics §10.1).
    ///
    /// - Parameter dateComponents: Era, year, month and day with their calendar; without a calendar
    ///   the query reports `errorInvalidArgument`.
    /// - Returns: The predicate.
    public class func predicateForActivitySummary(
        with dateComponents: DateComponents
    ) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathDateComponents, .equal, .day(dateComponents)))
    }

    /// Matches the activity summaries of a range of days (Semantics §10.1).
    ///
    /// - Parameters:
    ///   - startDateComponents: The first day (inclusive), as for
    ///     ``predicateForActivitySummary(with:)``.
    ///   - endDateComponents: The last day (inclusive), as for
    ///     ``predicateForActivitySummary(with:)``.
    /// - Returns: The predicate.
    public class func predicate(
        forActivitySummariesBetweenStart startDateComponents: DateComponents,
        end endDateComponents: DateComponents
    ) -> NSPredicate {
        HKPredicate(
            .and([
                .test(HKPredicateKeyPathDateComponents, .atLeast, .day(startDateComponents)),
                .test(HKPredicateKeyPathDateComponents, .atMost, .day(endDateComponents)),
            ]))
    }
}

extension HKCategoryValuePredicateProviding where RawValue == Int {
    /// Matches category samples whose value compares to another as the operator requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - value: The value to compare with.
    /// - Returns: The predicate.
    public static func predicateForSamples(
        _ operatorType: _ComparisonOperator, value: Self
    ) -> NSPredicate {
        HKPredicate(
            .category(PredicateOperator(operatorType), .number(Double(value.rawValue))))
    }

    /// Matches category samples that have one of the given values.
    ///
    /// ```
    /// HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: .allAsleepValues)
    /// ```
    ///
    /// - Parameter values: The values; an empty set matches no sample.
    /// - Returns: The predicate.
    public static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate {
        let numbers = values.map { Double($0.rawValue) }.sorted()
        return HKPredicate(.category(.oneOf, .list(numbers.map { .number($0) })))
    }
}

extension PredicateNode {
    /// Creates the conditions for an interval, given the key paths of a start and an end
    /// (Semantics §2.1).
    static func range(
        _ paths: (start: String, end: String), from start: Date?, to end: Date?,
        _ options: HKQueryOptions
    ) -> PredicateNode {
        func tests(_ lower: String, _ upper: String) -> [PredicateNode] {
            [
                start.map { .test(lower, .atLeast, .date($0)) },
                end.map { .test(upper, .less, .date($0)) },
            ].compactMap { $0 }
        }
        var nodes: [PredicateNode] = []
        if options.contains(.strictStartDate) { nodes += tests(paths.start, paths.start) }
        if options.contains(.strictEndDate) { nodes += tests(paths.end, paths.end) }
        let isStrict = !options.isDisjoint(with: [.strictStartDate, .strictEndDate])
        return .and(isStrict ? nodes : tests(paths.end, paths.start))
    }

    fileprivate static func category(
        _ comparison: PredicateOperator, _ constant: PredicateConstant
    ) -> PredicateNode {
        .test(HKPredicateKeyPathCategoryValue, comparison, constant)
    }
}

/// An enumeration of category values that can create predicates.
public protocol HKCategoryValuePredicateProviding: Hashable, RawRepresentable {}

extension HKCategoryValueSleepAnalysis {
    /// All values that mean sleep: unspecified, core, deep and REM.
    public static var allAsleepValues: Set<HKCategoryValueSleepAnalysis> {
        [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
    }
}
