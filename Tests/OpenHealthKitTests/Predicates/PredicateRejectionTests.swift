import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

/// Predicates that a store can't evaluate: `errorInvalidArgument` with location and reason, never a
/// trap.
@Suite struct PredicateRejectionTests {
    @Test(
        "an invalid format is rejected at execution, with position and reason",
        arguments: [
            ("", "expected a key path or a constant at character 0"),
            ("startDate >=", "expected a key path or a constant at character 12"),
            ("startDate %@", "expected an operator at character 10"),
            ("startDate == %@ %@", "expected AND or OR at character 16"),
            ("(startDate == %@", "expected ) at character 16"),
            ("startDate == 'open", "the string is not terminated at character 13"),
            ("startDate > %K AND endDate > startDate", "%K takes a String at character 12"),
            ("startDate == %y", "% needs @, K or a number format at character 13"),
            ("a == 100 %%", "%% is allowed only in strings at character 9"),
            ("a == {1, {2}}", "a list can't contain a list at character 9"),
            ("a ==[d] 'x'", "a health store supports only the option [c] at character 4"),
            ("ANY a == 1", "ANY is not supported by a health store at character 0"),
            ("a == $", "expected a name at character 6"),
            ("1 == $b", "expected a key path on one side at character 0"),
            ("SELF IN {1}", "SELF is not supported by a health store at character 0"),
            ("a == CAST(1, 'NSNumber')", "a health store supports CAST only to \"NSDate\""),
            ("a BETWEEN", "expected a key path or a constant at character 9"),
            ("a ==[c 'x'", "[ without ] at character 4"),
            ("a == 1.2.3", "not a number at character 5"),
            ("a.b. == 1", "expected a key path at character 5"),
            ("{1} BETWEEN a", "BETWEEN needs the key path first at character 0"),
        ])
    func badFormats(format: String, reason: String) {
        let predicate = NSPredicate(
            format: format, argumentArray: [PredicateSamples.at(0), PredicateSamples.at(0)])
        #expect(
            predicate.rejectionReason()?.contains(reason) == true,
            "\(predicate.rejectionReason() ?? "ran")")
        #expect(!predicate.evaluate(with: PredicateSamples.steps()))
        #expect(throws: HKError.self) {
            try NSPredicate.checked(format: format, PredicateSamples.at(0), PredicateSamples.at(0))
        }
    }

    @Test("too few arguments are an error; additional arguments are ignored")
    func argumentCounts() throws {
        #expect(
            NSPredicate(format: "startDate > %@ AND endDate < %@", PredicateSamples.at(0))
                .rejectionReason()?.contains("there are only 1 arguments at character 29") == true)
        let predicate = try NSPredicate.checked(
            format: "startDate >= %@", PredicateSamples.at(0), 7)
        #expect(predicate.evaluate(with: PredicateSamples.steps()))
    }

    @Test("excessive nesting is rejected without a stack overflow")
    func depth() {
        for depth in [201, 100_000] {
            let open = String(repeating: "(", count: depth)
            let close = String(repeating: ")", count: depth)
            #expect(
                NSPredicate(format: open + "TRUEPREDICATE" + close).rejectionReason()?
                    .contains("nested more than 200 deep") == true)
            #expect(
                NSPredicate(format: String(repeating: "NOT ", count: depth) + "TRUEPREDICATE")
                    .rejectionReason()?.contains("nested more than 200 deep") == true)
        }
        let open = String(repeating: "(", count: 200)
        let close = String(repeating: ")", count: 200)
        #expect(NSPredicate(format: open + "TRUEPREDICATE" + close).rejectionReason() == nil)
        var compound = NSPredicate(value: true)
        for _ in 0..<300 { compound = NSCompoundPredicate(notPredicateWithSubpredicate: compound) }
        #expect(compound.rejectionReason()?.contains("nested more than 200 deep") == true)
        let long = (0..<20_000).map { "metadata.k == \($0)" }.joined(separator: " OR ")
        #expect(NSPredicate(format: long).rejectionReason() == nil)
    }

    private final class CustomPredicate: NSPredicate {
        init() { super.init(value: true) }
        required init?(coder: NSCoder) { nil }
    }

    @Test("§2.9 blocks and custom subclasses are rejected, at any depth")
    func foreignPredicates() {
        let block = NSPredicate { _, _ in true }
        #expect(block.rejectionReason()?.contains("a block can't run in a health store") == true)
        #expect(
            CustomPredicate().rejectionReason()?.contains("can't run a CustomPredicate") == true)
        let compounds = [
            NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(value: true), block]),
            NSCompoundPredicate(notPredicateWithSubpredicate: block),
        ]
        for compound in compounds { #expect(compound.rejectionReason()?.contains("block") == true) }
        let activities = HKQuery.predicateForWorkouts(activityPredicate: block)
        #expect(activities.rejectionReason(for: .workoutType())?.contains("block") == true)
    }

    @Test(
        "unknown keys, keys of other types and constants of the wrong kind are rejected",
        arguments: [
            ("steps == 1", "steps is not a key path of a health store"),
            ("metadata == 1", "metadata is not a key path of a health store"),
            ("uuid == 1", "uuid is not a key path"),
            ("value == 1", "value is not an attribute of HKQuantityTypeIdentifierStepCount"),
            ("duration > 1", "duration is not an attribute of HKQuantityTypeIdentifierStepCount"),
            ("valence > 0", "valence is not an attribute of HKQuantityTypeIdentifierStepCount"),
            ("startDate > 5", "startDate is compared with a Date, not with a number"),
            ("startDate IN {'a'}", "startDate is compared with a Date, not with a String"),
            ("quantity > 5", "quantity is compared with an HKQuantity, not with a number"),
            ("UUID == 'x'", "UUID is compared with a UUID, not with a String"),
            ("startDate CONTAINS 'x'", "startDate is a Date, not text for CONTAINS"),
            ("metadata.x CONTAINS 5", "CONTAINS takes a String"),
            ("metadata.x MATCHES 'a.*'", "does not support the operator MATCHES in a health store"),
            ("metadata.x IN 5", "IN needs a list"),
            ("metadata.x BETWEEN {1}", "BETWEEN needs a list of two values"),
            ("source == 'x'", "source can't be compared with a String"),
            ("source < nil", "source does not support the operator <"),
            ("metadata.x <[c] 'a'", "[c] is allowed only with =="),
            (
                "activityType == 1",
                "is allowed only inside predicateForWorkouts(activityPredicate:)"
            ),
            ("endDate > startDate", "compares a key path with a constant"),
        ])
    func meaning(format: String, reason: String) {
        let predicate = NSPredicate(format: format)
        #expect(
            predicate.rejectionReason()?.contains(reason) == true,
            "\(predicate.rejectionReason() ?? "ran")")
        #expect(!predicate.evaluate(with: PredicateSamples.steps()))
    }

    @Test("§2.9 incompatible units are rejected; the error names the units but no values")
    func units() throws {
        let mass = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 81.5)
        let steps = HKQuery.predicateForQuantitySamples(with: .greaterThan, quantity: mass)
        let reason = try #require(steps.rejectionReason())
        #expect(reason.contains("kg") && reason.contains("count") && !reason.contains("81"))
        #expect(steps.rejectionReason(for: HKQuantityType(.bodyMass)) == nil)
        let weather = HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeyWeatherTemperature, operatorType: .lessThan, value: mass)
        #expect(weather.rejectionReason()?.contains("metadata.HKWeatherTemperature") == true)
    }

    @Test("an argument of an unsupported class is rejected, and the error names the class")
    func unsupportedConstants() {
        struct Mood {}
        let predicate = HKQuery.predicateForObjects(
            withMetadataKey: "mood", allowedValues: ["fine", Mood()])
        #expect(predicate.rejectionReason()?.contains("not with a Mood") == true)
    }
}
