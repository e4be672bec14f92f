import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

/// What no store can run: refused with `errorInvalidArgument`, where and why, never a crash.
@Suite struct PredicateRefusalTests {
    @Test(
        "a bad format is kept, and refused with place and reason when it is run",
        arguments: [
            ("", "a key path or a constant was expected at character 0"),
            ("startDate >=", "a key path or a constant was expected at character 12"),
            ("startDate %@", "an operator was expected at character 10"),
            ("startDate == %@ %@", "AND or OR was expected at character 16"),
            ("(startDate == %@", ") was expected at character 16"),
            ("startDate == 'open", "the text that begins here has no end at character 13"),
            ("startDate > %K AND endDate > startDate", "%K takes a String at character 12"),
            ("startDate == %y", "% takes @, K or a number's letter at character 13"),
            ("a == 100 %%", "%% stands in texts only at character 9"),
            ("a == {1, {2}}", "a list holds no list at character 9"),
            ("a ==[d] 'x'", "of the options only [c] is known to a health store at character 4"),
            ("ANY a == 1", "ANY is not known to a health store at character 0"),
            ("a == $b", "a variable is not known to a health store at character 5"),
            ("SELF IN {1}", "SELF is not known to a health store at character 0"),
            ("a == CAST(1, 'NSNumber')", "CAST makes only \"NSDate\" for a health store"),
            ("a BETWEEN", "a key path or a constant was expected at character 9"),
            ("a ==[c 'x'", "[ has no ] at character 4"),
            ("a == 1.2.3", "this is no number at character 5"),
            ("a.b. == 1", "a key path was expected at character 5"),
            ("{1} BETWEEN a", "BETWEEN takes the key path first at character 0"),
        ])
    func badFormats(format: String, reason: String) {
        let predicate = NSPredicate(
            format: format, argumentArray: [PredicateSamples.at(0), PredicateSamples.at(0)])
        #expect(predicate.refusal()?.contains(reason) == true, "\(predicate.refusal() ?? "ran")")
        #expect(!predicate.evaluate(with: PredicateSamples.steps()))
        #expect(throws: HKError.self) {
            try NSPredicate.checked(format: format, PredicateSamples.at(0), PredicateSamples.at(0))
        }
    }

    @Test("too few arguments are named, too many don't matter")
    func argumentCounts() throws {
        #expect(
            NSPredicate(format: "startDate > %@ AND endDate < %@", PredicateSamples.at(0))
                .refusal()?.contains("there are only 1 arguments at character 29") == true)
        let predicate = try NSPredicate.checked(
            format: "startDate >= %@", PredicateSamples.at(0), 7)
        #expect(predicate.evaluate(with: PredicateSamples.steps()))
    }

    @Test("nesting beyond reason is refused and doesn't run out of stack")
    func depth() {
        for depth in [201, 100_000] {
            let open = String(repeating: "(", count: depth)
            let close = String(repeating: ")", count: depth)
            #expect(
                NSPredicate(format: open + "TRUEPREDICATE" + close).refusal()?
                    .contains("nested more than 200 deep") == true)
            #expect(
                NSPredicate(format: String(repeating: "NOT ", count: depth) + "TRUEPREDICATE")
                    .refusal()?.contains("nested more than 200 deep") == true)
        }
        let open = String(repeating: "(", count: 200)
        let close = String(repeating: ")", count: 200)
        #expect(NSPredicate(format: open + "TRUEPREDICATE" + close).refusal() == nil)
        var compound = NSPredicate(value: true)
        for _ in 0..<300 { compound = NSCompoundPredicate(notPredicateWithSubpredicate: compound) }
        #expect(compound.refusal()?.contains("nested more than 200 deep") == true)
        let long = (0..<20_000).map { "metadata.k == \($0)" }.joined(separator: " OR ")
        #expect(NSPredicate(format: long).refusal() == nil)
    }

    private final class Stranger: NSPredicate {
        init() { super.init(value: true) }
        required init?(coder: NSCoder) { nil }
    }

    @Test("§2.9 blocks and others' subclasses are refused, wherever they stand")
    func foreignPredicates() {
        let block = NSPredicate { _, _ in true }
        #expect(block.refusal()?.contains("a block can't run in a health store") == true)
        #expect(Stranger().refusal()?.contains("can't run a Stranger") == true)
        let compounds = [
            NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(value: true), block]),
            NSCompoundPredicate(notPredicateWithSubpredicate: block),
        ]
        for compound in compounds { #expect(compound.refusal()?.contains("block") == true) }
        let activities = HKQuery.predicateForWorkouts(activityPredicate: block)
        #expect(activities.refusal(for: .workoutType())?.contains("block") == true)
    }

    @Test(
        "unknown keys, keys of other types, and constants of the wrong kind are refused",
        arguments: [
            ("steps == 1", "steps is no key path that a health store knows"),
            ("metadata == 1", "metadata is no key path that a health store knows"),
            ("uuid == 1", "uuid is no key path"),
            ("value == 1", "value is not an attribute of HKQuantityTypeIdentifierStepCount"),
            ("duration > 1", "duration is not an attribute of HKQuantityTypeIdentifierStepCount"),
            ("valence > 0", "valence is not an attribute of HKQuantityTypeIdentifierStepCount"),
            ("startDate > 5", "startDate is compared with a Date, not with a number"),
            ("startDate IN {'a'}", "startDate is compared with a Date, not with a String"),
            ("quantity > 5", "quantity is compared with an HKQuantity, not with a number"),
            ("UUID == 'x'", "UUID is compared with a UUID, not with a String"),
            ("startDate CONTAINS 'x'", "startDate is a Date and no text for CONTAINS"),
            ("metadata.x CONTAINS 5", "CONTAINS takes a String"),
            ("metadata.x MATCHES 'a.*'", "has no operator MATCHES in a health store"),
            ("metadata.x IN 5", "IN takes a list"),
            ("metadata.x BETWEEN {1}", "BETWEEN takes a list of two"),
            ("source == 'x'", "source can't be compared with a String"),
            ("source < nil", "source has no operator <"),
            ("metadata.x <[c] 'a'", "[c] goes with =="),
            ("activityType == 1", "stands inside predicateForWorkouts(activityPredicate:) only"),
            ("endDate > startDate", "compares a key path with a constant"),
        ])
    func meaning(format: String, reason: String) {
        let predicate = NSPredicate(format: format)
        #expect(predicate.refusal()?.contains(reason) == true, "\(predicate.refusal() ?? "ran")")
        #expect(!predicate.evaluate(with: PredicateSamples.steps()))
    }

    @Test("§2.9 incompatible units are refused, naming units and no values")
    func units() throws {
        let mass = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 81.5)
        let steps = HKQuery.predicateForQuantitySamples(with: .greaterThan, quantity: mass)
        let reason = try #require(steps.refusal())
        #expect(reason.contains("kg") && reason.contains("count") && !reason.contains("81"))
        #expect(steps.refusal(for: HKQuantityType(.bodyMass)) == nil)
        let weather = HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeyWeatherTemperature, operatorType: .lessThan, value: mass)
        #expect(weather.refusal()?.contains("metadata.HKWeatherTemperature") == true)
    }

    @Test("what an app hands in that no predicate knows is refused by its type")
    func strangers() {
        struct Mood {}
        let predicate = HKQuery.predicateForObjects(
            withMetadataKey: "mood", allowedValues: ["fine", Mood()])
        #expect(predicate.refusal()?.contains("not with a Mood") == true)
    }
}
