import HealthEngine
import HealthTesting
import Testing

/// The selection of a filter, tested with single samples (Semantics §2.1, §2.9).
@Suite struct SampleFilterTests {
    private func range(_ start: Double, _ end: Double) -> SampleFilter {
        .and([
            .test(.end, .compare(.atLeast, .date(start))),
            .test(.start, .compare(.less, .date(end))),
        ])
    }

    @Test(
        "§2.1 a range without options includes its start and excludes its end",
        arguments: [
            (0.0, 9.0, false), (0, 10, true), (0, 11, true), (12, 13, true), (0, 30, true),
            (19, 25, true), (20, 25, false), (10, 10, true), (20, 20, false),
        ])
    func boundaries(start: Double, end: Double, matches: Bool) {
        #expect(range(10, 20).matches(PlainFacts(start: start, end: end)) == matches)
    }

    @Test("§2.9 for a missing key only != and == nil are true, and NOT negates the result")
    func missingKey() {
        let facts = PlainFacts(start: 0, end: 1)
        let key = SampleFilter.Attribute.metadata("mood")
        let relations: [(SampleFilter.Relation, Bool)] = [
            (.compare(.equal, .number(1)), false), (.compare(.notEqual, .number(1)), true),
            (.compare(.less, .number(1)), false), (.compare(.atMost, .number(1)), false),
            (.compare(.greater, .number(1)), false), (.compare(.atLeast, .number(1)), false),
            (.oneOf([.number(1), .null]), false), (.oneOf([]), false),
            (.between(.number(0), .number(2)), false),
            (.text(.contains, "", .significant), false),
            (.compare(.equal, .null), true), (.compare(.notEqual, .null), false),
        ]
        for (relation, expected) in relations {
            #expect(SampleFilter.test(key, relation).matches(facts) == expected, "\(relation)")
            #expect(
                SampleFilter.not(.test(key, relation)).matches(facts) != expected, "\(relation)")
        }
    }

    @Test("§2.9 an empty conjunction is true, an empty disjunction is false")
    func emptyCompounds() {
        let facts = PlainFacts(start: 0, end: 1)
        #expect(SampleFilter.and([]).matches(facts))
        #expect(!SampleFilter.or([]).matches(facts))
        #expect(SampleFilter.everything.matches(facts))
        #expect(!SampleFilter.nothing.matches(facts))
    }

    @Test("§2.9 quantities are compared in the unit of the constant")
    func quantities() {
        var facts = PlainFacts(start: 0, end: 1)
        facts.quantity = (98.6, "degF")
        let warm = { (value: Double, unit: String, comparison: SampleFilter.Comparison) in
            SampleFilter.test(
                .quantity(.value), .compare(comparison, .quantity(value, unit: unit)))
        }
        #expect(warm(37, "degC", .equal).matches(facts))
        #expect(warm(36.9, "degC", .greater).matches(facts))
        #expect(warm(37, "degC", .atMost).matches(facts))
        #expect(!warm(37, "kg", .equal).matches(facts))
        #expect(warm(37, "kg", .notEqual).matches(facts))
        facts.table["HKWeatherTemperature"] = .quantity(212, unit: "degF")
        let boiling = SampleFilter.test(
            .metadata("HKWeatherTemperature"),
            .between(.quantity(99, unit: "degC"), .quantity(100, unit: "degC")))
        #expect(boiling.matches(facts))
    }

    @Test("§10.5 filters on the sum, minimum, maximum and most recent value of a series")
    func series() {
        var facts = PlainFacts(start: 0, end: 1)
        facts.quantity = (60, "count/min")
        facts.seriesValues = [70, 50, 60]
        let expected: [(SampleFilter.Measure, Double)] = [
            (.value, 60), (.sum, 60), (.average, 60), (.minimum, 50), (.maximum, 70),
            (.mostRecent, 60),
        ]
        for (measure, value) in expected {
            let filter = SampleFilter.test(
                .quantity(measure), .compare(.equal, .quantity(value / 60, unit: "count/s")))
            #expect(filter.matches(facts), "\(measure)")
        }
        #expect(SampleFilter.test(.quantityCount, .compare(.equal, .number(3))).matches(facts))
    }

    @Test(
        "LIKE supports ?, * and escapes",
        arguments: [
            ("walk", "walk", true), ("walk", "w?lk", true), ("walk", "*", true),
            ("walk", "w*k", true), ("walk", "w*l", false), ("walk", "wal", false),
            ("", "", true), ("", "*", true), ("", "?", false), ("w*k", "w\\*k", true),
            ("walk", "w\\*k", false), ("aXbXc", "a*X?", true), ("aXbXcd", "a*X?", false),
            ("a\\", "a\\", true), ("👩‍👩‍👧", "?", true),
        ])
    func wildcards(text: String, pattern: String, expected: Bool) {
        let relation = SampleFilter.Relation.text(.like, pattern, .significant)
        #expect(relation.holds(for: .string(text)) == expected)
    }

    @Test("case-insensitive only if requested")
    func letterCase() {
        for test in SampleFilter.TextTest.allCases {
            let text = SampleFilter.Value.string("Morning Walk")
            let constant =
                switch test {
                case .equals: "morning WALK"
                case .contains: "ING w"
                case .beginsWith: "mORN"
                case .endsWith: "WALK"
                case .like: "m*K"
                }
            #expect(SampleFilter.Relation.text(test, constant, .ignored).holds(for: text))
            #expect(!SampleFilter.Relation.text(test, constant, .significant).holds(for: text))
        }
    }

    @Test("values of different kinds are unequal and have no order")
    func kinds() {
        let values: [SampleFilter.Value] = [
            .number(1), .string("1"), .date(1), .quantity(1, unit: "kg"), .null,
            .uuid(SampleUUID(high: 0, low: 1)), .version(SystemVersion(major: 1)),
        ]
        for left in values {
            for right in values where left != right {
                for comparison in SampleFilter.Comparison.allCases {
                    let relation = SampleFilter.Relation.compare(comparison, right)
                    #expect(relation.holds(for: left) == (comparison == .notEqual))
                }
            }
        }
        let nan = SampleFilter.Relation.compare(.equal, .number(.nan))
        #expect(!nan.holds(for: .number(.nan)))
    }

    @Test("§2.3 filters on the totals, statistics and single activities of a workout")
    func workouts() {
        var facts = PlainFacts(start: 0, end: 100)
        let legs = [(0.0, 40.0), (40, 100)].map { start, end in
            WorkoutActivity(uuid: "", start: start, end: end, duration: end - start)
        }
        facts.workout = Workout(
            activityType: 82, activities: legs,
            statistics: [
                .init(type: "HKQuantityTypeIdentifierDistanceCycling", unit: "km", sum: 20),
                .init(type: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "m", sum: 500),
                .init(
                    type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", average: 120,
                    minimum: 80, maximum: 170),
            ])
        func selects(_ attribute: SampleFilter.Attribute, _ relation: SampleFilter.Relation)
            -> Bool
        { SampleFilter.test(attribute, relation).matches(facts) }

        #expect(selects(.workoutActivityType, .compare(.equal, .number(82))))
        #expect(selects(.workoutDuration, .compare(.equal, .number(100))))
        #expect(
            selects(.workoutTotal(.distance), .compare(.equal, .quantity(20_500, unit: "m"))))
        #expect(selects(.workoutTotal(.energyBurned), .compare(.equal, .null)))
        let heart = "HKQuantityTypeIdentifierHeartRate"
        for (measure, value) in [(SampleFilter.Measure.average, 120.0), (.minimum, 80)] {
            #expect(
                selects(
                    .workoutStatistic(type: heart, measure),
                    .compare(.equal, .quantity(value, unit: "count/min"))))
        }
        #expect(selects(.workoutStatistic(type: heart, .sum), .compare(.equal, .null)))
        facts.workout?.statistics[2].mostRecent = 99
        #expect(
            selects(
                .workoutStatistic(type: heart, .mostRecent),
                .compare(.equal, .quantity(99, unit: "count/min"))))

        let long = SampleFilter.test(.workoutDuration, .compare(.greater, .number(50)))
        let early = SampleFilter.test(.start, .compare(.less, .date(10)))
        #expect(SampleFilter.workoutActivity(long).matches(facts))
        #expect(SampleFilter.workoutActivity(early).matches(facts))
        #expect(!SampleFilter.workoutActivity(.and([long, early])).matches(facts))
    }

    @Test("a multi-valued attribute matches if any value matches, and != if no value is equal")
    func manyValues() {
        var facts = PlainFacts(start: 0, end: 1)
        facts.stateOfMind = StateOfMindFacts(
            kind: 1, valence: 0.5, labels: [3, 9], associations: [])
        let label = { (relation: SampleFilter.Relation) in
            SampleFilter.test(.stateOfMindLabel, relation).matches(facts)
        }
        #expect(label(.compare(.equal, .number(9))))
        #expect(!label(.compare(.equal, .number(4))))
        #expect(!label(.compare(.notEqual, .number(9))))
        #expect(label(.compare(.notEqual, .number(4))))
        let association = SampleFilter.test(
            .stateOfMindAssociation, .compare(.equal, .number(3)))
        #expect(!association.matches(facts))
    }

    @Test("a UUID keeps its digits and their order")
    func uuids() throws {
        let text = "0F0E0D0C-0B0A-0908-0706-050403020100"
        let uuid = try #require(SampleUUID(text))
        #expect(uuid == SampleUUID(high: 0x0F0E_0D0C_0B0A_0908, low: 0x0706_0504_0302_0100))
        #expect(uuid.description == text)
        #expect(SampleUUID(text.lowercased()) == uuid)
        #expect(SampleUUID(high: 1, low: 0) > SampleUUID(high: 0, low: .max))
        for wrong in ["", "0F0E", text + "0", text.replacing("-", with: "0"), "é" + text] {
            #expect(SampleUUID(wrong) == nil)
        }
    }

    @Test("a system's version reads with or without its last part, and is compared by numbers")
    func versions() {
        #expect(SystemVersion("17.1") == SystemVersion(major: 17, minor: 1))
        #expect(SystemVersion("9.2.1").map { $0 < SystemVersion(major: 10) } == true)
        for wrong in ["", "17.", "x", "1.2.3.4", "-1.0"] { #expect(SystemVersion(wrong) == nil) }
    }
}

/// A sample in memory, without a store.
struct PlainFacts: SampleFacts {
    var typeIdentifier = "HKQuantityTypeIdentifierStepCount"
    var start: Double
    var end: Double
    var uuid = SampleUUID(high: 0, low: 1)
    var bundleIdentifier: String?
    var table: Metadata = [:]
    var quantity: (value: Double, unit: String)?
    var seriesValues: [Double]?
    var categoryValue: Int?
    var workout: Workout?
    var stateOfMind: StateOfMindFacts?
    var containers: Set<SampleUUID> = []

    init(start: Double, end: Double) {
        self.start = start
        self.end = end
    }

    func metadata(_ key: String) -> MetadataValue? { table[key] }
    func isMember(of container: SampleUUID) -> Bool { containers.contains(container) }
    var hasCorrelation: Bool { !containers.isEmpty }
}
