import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Variables of predicates")
struct SubstitutionTests {
    private typealias Q = QueriedStore
    private let early = PredicateSamples.steps(3, from: 0, to: 10, metadata: ["lap": 1])
    private let late = PredicateSamples.steps(7, from: 10, to: 20, metadata: ["lap": 2])

    private func matches(_ predicate: NSPredicate) -> [Bool] {
        [early, late].map { predicate.evaluate(with: $0) }
    }

    @Test("§2.9 a format with variables is the format with their values")
    func formats() {
        let template = NSPredicate(
            format: "startDate >= $START AND (metadata.lap IN {$A, 9} OR NOT metadata.lap IN $L)")
        let values: [String: Any] = [
            "START": PredicateSamples.at(10), "A": 2, "L": [1, 2], "unused": "x",
        ]
        let predicate = template.withSubstitutionVariables(values)
        #expect(predicate.rejectionReason() == nil)
        #expect(matches(predicate) == [false, true])
        #expect(
            predicate
                == NSPredicate(
                    format:
                        "startDate >= %@ AND (metadata.lap IN {2, 9} OR NOT metadata.lap IN %@)",
                    PredicateSamples.at(10), [1, 2]))
        #expect(template.evaluate(with: late, substitutionVariables: values))
        #expect(!template.evaluate(with: early, substitutionVariables: values))
        #expect(template.description.contains("$START"))
        let none = NSPredicate(format: "metadata.lap == $N")
            .withSubstitutionVariables(["N": NSNull()])
        #expect(none == NSPredicate(format: "metadata.lap == nil"))
        #expect(
            NSPredicate(format: "$A < metadata.lap") == NSPredicate(format: "metadata.lap > $A"))
    }

    @Test("§2.9 a query rejects a variable without a value, by its name")
    func unbound() async throws {
        let store = try await Q.open()
        let template = NSPredicate(format: "startDate >= $START AND device == $DEVICE")
        #expect(matches(template) == [false, false])
        #expect(template.rejectionReason()?.contains("the variable $START") == true)
        let half = template.withSubstitutionVariables(["START": Q.midnight])
        #expect(half.rejectionReason()?.contains("the variable $DEVICE") == true)
        #expect(
            await code { _ = try await store.querySamples(Q.steps, template) }
                == .errorInvalidArgument)
        let whole = half.withSubstitutionVariables(["DEVICE": NSNull()])
        try await store.save(Q.walk(1, from: 0, to: 1))
        #expect(try await store.querySamples(Q.steps, whole).map(\.steps) == [1])
    }

    @Test("variables are replaced inside compounds and comparisons of expressions")
    func expressions() {
        let comparison = _ComparisonPredicate(
            leftExpression: _Expression(forKeyPath: "metadata.lap"),
            rightExpression: _Expression(forAggregate: [_Expression(forVariable: "A"), 9]),
            modifier: .direct, type: .in)
        #expect(matches(comparison) == [false, false])
        let compound = NSCompoundPredicate(
            orPredicateWithSubpredicates: [
                NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(value: true)),
                comparison,
            ])
        let substituted = compound.withSubstitutionVariables(["A": 1])
        #expect(substituted.compoundPredicateType == .or && substituted.subpredicates.count == 2)
        #expect(substituted.rejectionReason() == nil)
        #expect(matches(substituted) == [true, false])
        #expect(compound.evaluate(with: early, substitutionVariables: ["A": 1]))
        #expect(!compound.evaluate(with: late, substitutionVariables: ["A": 1]))
        let inner = substituted.subpredicates.last as? _ComparisonPredicate
        #expect(inner?.rightExpression.description == "{1, 9}")
        #expect(inner?.predicateOperatorType == .in)
    }

    @Test("a predicate with a block receives the values as its bindings; constants stay")
    func blocks() {
        let block = NSPredicate { object, bindings in
            (object as? HKQuantitySample)?.steps == bindings?["COUNT"] as? Double
        }
        #expect(matches(block.withSubstitutionVariables(["COUNT": 7.0])) == [false, true])
        let always = NSPredicate(value: true)
        #expect(always.withSubstitutionVariables(["COUNT": 7.0]) === always)
        var nested = NSPredicate(format: "metadata.lap == $A")
        for _ in 0..<5_000 { nested = NSCompoundPredicate(notPredicateWithSubpredicate: nested) }
        let deep = nested.withSubstitutionVariables(["A": 1])
        #expect(deep.rejectionReason()?.contains("nested more than 200 deep") == true)
    }
}
