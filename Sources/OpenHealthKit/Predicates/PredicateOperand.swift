import Foundation
import HealthEngine

/// One side of a comparison.
enum PredicateOperand: Hashable {
    case keyPath(String)
    case constant(PredicateConstant)
}

/// The reason why a health store can't run a comparison.
struct UnsupportedComparison: Error {
    let reason: String
}

extension PredicateNode {
    /// Combines two operands, at most one of which is a key path. A comparison of two constants is
    /// evaluated; it supports only <, <=, >, >=, == and !=.
    init(
        _ left: PredicateOperand, _ comparison: PredicateOperator,
        _ caseSensitivity: SampleFilter.CaseSensitivity, _ right: PredicateOperand
    ) throws(UnsupportedComparison) {
        switch (left, right) {
        case (.keyPath(let path), .constant(let constant)):
            self = .comparison(
                PredicateComparison(
                    keyPath: path, comparison: comparison, caseSensitivity: caseSensitivity,
                    constant: constant))
        case (.constant(let constant), .keyPath(let path)):
            guard let mirrored = comparison.mirrored else {
                throw UnsupportedComparison(
                    reason: "\(comparison.symbol) needs the key path first")
            }
            self = .comparison(
                PredicateComparison(
                    keyPath: path, comparison: mirrored, caseSensitivity: caseSensitivity,
                    constant: constant))
        case (.constant(let left), .constant(let right)):
            guard let order = comparison.order, caseSensitivity == .significant,
                !left.isVariable, !right.isVariable
            else { throw UnsupportedComparison(reason: "expected a key path on one side") }
            self = left.isTrue(order, to: right) ? .always : .never
        case (.keyPath, .keyPath):
            throw UnsupportedComparison(
                reason: "a health store compares a key path with a constant, not with another")
        }
    }
}

extension PredicateConstant {
    /// Whether the comparison of two constants is true, as in `1 == 1`.
    fileprivate func isTrue(
        _ order: SampleFilter.Comparison, to other: PredicateConstant
    ) -> Bool {
        SampleFilter.Relation.compare(order, other.value).holds(for: value)
    }

    fileprivate var isVariable: Bool {
        if case .variable = self { true } else { false }
    }

    private var value: SampleFilter.Value {
        switch self {
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid): .uuid(SampleUUID(uuid))
        case .quantity(let quantity):
            .quantity(quantity.value, unit: quantity.unit.unitString)
        default: .null
        }
    }
}
