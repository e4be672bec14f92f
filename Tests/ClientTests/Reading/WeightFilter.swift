import Foundation
import HealthKit

/// The filter form of a weight list: each row becomes a comparison, and all rows must match.
// Foundation on Linux marks the expression classes as deprecated; on a phone this needs no mark.
@available(*, deprecated)
struct WeightFilter: Sendable {
    enum Row: Sendable {
        case since(Date)
        case between(Double, Double)
        case note(contains: String)
        case device(names: [String])
        case not(tag: String)
    }

    var rows: [Row] = []

    var predicate: NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: rows.map { $0.predicate })
    }

    /// What the form shows above the list.
    var summary: String {
        guard let compound = predicate as? NSCompoundPredicate else { return "" }
        return compound.subpredicates.map { part in
            guard let comparison = part as? NSComparisonPredicate else { return "other" }
            return comparison.leftExpression.keyPath
        }.joined(separator: ", ")
    }

    /// The weights of the days of a month, for any month: the dates are filled in later.
    static var month: NSPredicate {
        NSPredicate(format: "startDate >= $START AND startDate < $END")
    }

    static func month(from start: Date, to end: Date) -> NSPredicate {
        month.withSubstitutionVariables(["START": start, "END": end])
    }
}

@available(*, deprecated)
extension WeightFilter.Row {
    var predicate: NSPredicate {
        switch self {
        case .since(let date):
            return compare(
                HKPredicateKeyPathStartDate, .greaterThanOrEqualTo,
                NSExpression(forConstantValue: date))
        case .between(let lowest, let highest):
            let limits = [lowest, highest].map {
                NSExpression(
                    forConstantValue: HKQuantity(
                        unit: .gramUnit(with: .kilo), doubleValue: $0))
            }
            return compare(
                HKPredicateKeyPathQuantity, .between, NSExpression(forAggregate: limits))
        case .note(let text):
            return compare(
                "metadata.note", .contains, NSExpression(forConstantValue: text),
                .caseInsensitive)
        case .device(let names):
            return compare("device.name", .in, NSExpression(forConstantValue: names))
        case .not(let tag):
            return NSCompoundPredicate(
                notPredicateWithSubpredicate: compare(
                    "metadata.tag", .equalTo, NSExpression(forConstantValue: tag)))
        }
    }

    private func compare(
        _ keyPath: String, _ type: NSComparisonPredicate.Operator, _ value: NSExpression,
        _ options: NSComparisonPredicate.Options = []
    ) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: keyPath), rightExpression: value,
            modifier: .direct, type: type, options: options)
    }
}
