public import Foundation

extension HKQuery {
    /// Samples in a stretch of time.
    ///
    /// | options | condition |
    /// |---|---|
    /// | `[]` | `end >= startDate && start < endDate` |
    /// | `.strictStartDate` | `start >= startDate && start < endDate` |
    /// | `.strictEndDate` | `end >= startDate && end < endDate` |
    /// | both | the last two together |
    ///
    /// A sample that ends exactly at `startDate` matches without options, one that starts exactly
    /// at `endDate` never does. A date that is nil drops the conditions it stands in
    /// (Semantics §2.1).
    public class func predicateForSamples(
        withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        HKPredicate(
            .range(
                (HKPredicateKeyPathStartDate, HKPredicateKeyPathEndDate),
                from: startDate, to: endDate, options))
    }

    /// Quantity samples whose quantity stands so to another, in whatever unit either is.
    ///
    /// A unit that the queried type doesn't convert to is `errorInvalidArgument` when the query
    /// runs (Semantics §2.9).
    public class func predicateForQuantitySamples(
        with operatorType: _ComparisonOperator, quantity: HKQuantity
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathQuantity, PredicateOperator(operatorType), .quantity(quantity)))
    }

    /// Category samples whose raw value stands so to another.
    public class func predicateForCategorySamples(
        with operatorType: _ComparisonOperator, value: Int
    ) -> NSPredicate {
        HKPredicate(.category(PredicateOperator(operatorType), .number(Double(value))))
    }

    /// States of mind whose valence stands so to a number from -1 to 1.
    public class func predicateForStatesOfMind(
        withValence valence: Double, operatorType: _ComparisonOperator
    ) -> NSPredicate {
        HKPredicate(.test("valence", PredicateOperator(operatorType), .number(valence)))
    }

    /// States of mind of a moment, or of a day.
    public class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
        HKPredicate(.test("kind", .equal, .number(Double(kind.rawValue))))
    }

    /// States of mind that have a label among theirs.
    public class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
        HKPredicate(.test("labels", .contains, .number(Double(label.rawValue))))
    }

    /// States of mind that have an association among theirs.
    public class func predicateForStatesOfMind(
        with association: HKStateOfMind.Association
    ) -> NSPredicate {
        HKPredicate(.test("associations", .contains, .number(Double(association.rawValue))))
    }

    /// The activity summary of a day.
    ///
    /// - Parameter dateComponents: Era, year, month and day with their calendar; without one the
    ///   query reports `errorInvalidArgument` (Semantics §10.1).
    public class func predicateForActivitySummary(
        with dateComponents: DateComponents
    ) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathDateComponents, .equal, .day(dateComponents)))
    }

    /// The activity summaries from one day through another, both included
    /// (Semantics §10.1); components as in ``predicateForActivitySummary(with:)``.
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
    /// Category samples whose value stands so to this enumeration's.
    public static func predicateForSamples(
        _ operatorType: _ComparisonOperator, value: Self
    ) -> NSPredicate {
        HKPredicate(
            .category(PredicateOperator(operatorType), .number(Double(value.rawValue))))
    }

    /// Category samples that have one of these values; none if the set is empty.
    ///
    /// ```
    /// HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: .allAsleepValues)
    /// ```
    public static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate {
        let numbers = values.map { Double($0.rawValue) }.sorted()
        return HKPredicate(.category(.oneOf, .list(numbers.map { .number($0) })))
    }
}

extension PredicateNode {
    /// The stretch of time between two dates, of the key paths of a start and an end
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
