import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

/// Random predicates over random samples, compared with equivalent Swift code.
@Suite struct PredicateAgreementTests {
    @Test(
        "factory, format and compound predicates select the same samples as a Swift closure",
        arguments: 1...25 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let samples = (0..<40).map { _ in RandomPredicate.sample(&random) }
        var selected = 0
        for _ in 0..<60 {
            let generated = RandomPredicate.compound(depth: 3, &random)
            let found = samples.filter { generated.predicate.evaluate(with: $0) }
            let expected = samples.filter { generated.evaluate($0) }
            #expect(
                found.map(\.uuid) == expected.map(\.uuid), "seed \(seed): \(generated.text)")
            selected += found.count
        }
        #expect(selected > 0)
    }
}

/// A predicate with an equivalent closure.
private struct RandomPredicate {
    let predicate: NSPredicate
    let text: String
    let evaluate: (HKQuantitySample) -> Bool

    static func sample(_ random: inout SeededRandom) -> HKQuantitySample {
        let start = Double(Int.random(in: 0...6, using: &random))
        var metadata: [String: Any] = [:]
        if Bool.random(using: &random) { metadata["lap"] = Int.random(in: 0...3, using: &random) }
        if Bool.random(using: &random) {
            metadata["mood"] = ["low", "High", "higher"].randomElement(using: &random)
        }
        return PredicateSamples.steps(
            Double(Int.random(in: 0...3, using: &random)), from: start,
            to: start + Double(Int.random(in: 0...2, using: &random)), metadata: metadata)
    }

    static func compound(depth: Int, _ random: inout SeededRandom) -> RandomPredicate {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return leaf(&random) }
        let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            compound(depth: depth - 1, &random)
        }
        let (predicates, texts) = (parts.map(\.predicate), parts.map(\.text))
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return RandomPredicate(
                predicate: NSCompoundPredicate(andPredicateWithSubpredicates: predicates),
                text: "and(\(texts))",
                evaluate: { sample in parts.allSatisfy { $0.evaluate(sample) } })
        case 1:
            return RandomPredicate(
                predicate: NSCompoundPredicate(orPredicateWithSubpredicates: predicates),
                text: "or(\(texts))", evaluate: { sample in parts.contains { $0.evaluate(sample) } }
            )
        default:
            let part = compound(depth: depth - 1, &random)
            return RandomPredicate(
                predicate: NSCompoundPredicate(notPredicateWithSubpredicate: part.predicate),
                text: "not(\(part.text))", evaluate: { !part.evaluate($0) })
        }
    }

    private static func leaf(_ random: inout SeededRandom) -> RandomPredicate {
        let number = Int.random(in: 0...8, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return range(number, &random)
        case 1: return steps(number % 4, &random)
        case 2: return lap(number % 4, &random)
        case 3: return laps(&random)
        case 4: return mood(&random)
        default: return endsBefore(number)
        }
    }

    private static func range(_ first: Int, _ random: inout SeededRandom) -> RandomPredicate {
        let last = first + Int.random(in: 0...4, using: &random)
        let (from, to) = (PredicateSamples.at(Double(first)), PredicateSamples.at(Double(last)))
        let strict = Bool.random(using: &random)
        return RandomPredicate(
            predicate: HKQuery.predicateForSamples(
                withStart: from, end: to, options: strict ? .strictStartDate : []),
            text: "range \(first)..<\(last) \(strict)",
            evaluate: { (strict ? $0.startDate >= from : $0.endDate >= from) && $0.startDate < to })
    }

    private static func endsBefore(_ seconds: Int) -> RandomPredicate {
        let date = PredicateSamples.at(Double(seconds))
        return RandomPredicate(
            predicate: NSPredicate(format: "%@ > %K", date, HKPredicateKeyPathEndDate),
            text: "end < \(seconds)", evaluate: { $0.endDate < date })
    }

    private static func steps(_ count: Int, _ random: inout SeededRandom) -> RandomPredicate {
        let operators: [(_ComparisonOperator, String, (Double, Double) -> Bool)] = [
            (.lessThan, "<", { $0 < $1 }), (.lessThanOrEqualTo, "<=", { $0 <= $1 }),
            (.greaterThan, ">", { $0 > $1 }), (.greaterThanOrEqualTo, ">=", { $0 >= $1 }),
            (.equalTo, "==", { $0 == $1 }), (.notEqualTo, "!=", { $0 != $1 }),
        ]
        let (comparison, symbol, evaluate) = operators[Int.random(in: 0..<6, using: &random)]
        let quantity = HKQuantity(unit: .count(), doubleValue: Double(count))
        return RandomPredicate(
            predicate: Bool.random(using: &random)
                ? HKQuery.predicateForQuantitySamples(with: comparison, quantity: quantity)
                : NSPredicate(format: "quantity \(symbol) %@", quantity),
            text: "steps \(symbol) \(count)",
            evaluate: { evaluate($0.quantity.doubleValue(for: .count()), Double(count)) })
    }

    private static func lap(_ lap: Int, _ random: inout SeededRandom) -> RandomPredicate {
        let operators: [(_ComparisonOperator, String, (Int?) -> Bool)] = [
            (.equalTo, "==", { $0 == lap }), (.notEqualTo, "!=", { $0 != lap }),
            (.lessThan, "<", { $0.map { $0 < lap } ?? false }),
            (.greaterThanOrEqualTo, ">=", { $0.map { $0 >= lap } ?? false }),
        ]
        let (comparison, symbol, evaluate) = operators[Int.random(in: 0..<4, using: &random)]
        return RandomPredicate(
            predicate: Bool.random(using: &random)
                ? HKQuery.predicateForObjects(
                    withMetadataKey: "lap", operatorType: comparison, value: lap)
                : NSPredicate(format: "metadata.lap \(symbol) %d", lap),
            text: "lap \(symbol) \(lap)", evaluate: { evaluate($0.metadata?["lap"] as? Int) })
    }

    private static func laps(_ random: inout SeededRandom) -> RandomPredicate {
        let some = (0...3).filter { _ in Bool.random(using: &random) }
        return RandomPredicate(
            predicate: HKQuery.predicateForObjects(withMetadataKey: "lap", allowedValues: some),
            text: "lap in \(some)",
            evaluate: { sample in (sample.metadata?["lap"] as? Int).map(some.contains) ?? false })
    }

    private static func mood(_ random: inout SeededRandom) -> RandomPredicate {
        let tests: [(String, (String?) -> Bool)] = [
            ("metadata.mood BEGINSWITH 'high'", { $0?.hasPrefix("high") ?? false }),
            ("metadata.mood CONTAINS[c] 'HIGH'", { ["High", "higher"].contains($0) }),
            ("metadata.mood == nil", { $0 == nil }),
            ("NOT metadata.mood LIKE '?ow'", { $0 != "low" }),
            ("metadata.mood != 'low' AND metadata.mood != NULL", { $0 != nil && $0 != "low" }),
        ]
        let (format, evaluate) = tests[Int.random(in: 0..<tests.count, using: &random)]
        return RandomPredicate(
            predicate: NSPredicate(format: format), text: format,
            evaluate: { evaluate($0.metadata?["mood"] as? String) })
    }
}
