import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

/// `NSPredicate(format:)`, construct by construct, on samples in memory.
@Suite struct PredicateFormatTests {
    private let sample = PredicateSamples.steps(
        12, from: 100, to: 160,
        metadata: [
            HKMetadataKeyWasUserEntered: true, "mood": "Very Good", "lap": 3, "com.foo.key": "dots",
            "when": PredicateSamples.at(50),
            "weight": HKQuantity(unit: .gram(), doubleValue: 1500),
        ])

    private func expect(
        _ format: String, _ arguments: Any..., is expected: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        #expect(
            predicate.rejectionReason() == nil, "\(format)", sourceLocation: sourceLocation)
        #expect(
            predicate.evaluate(with: sample) == expected, "\(format)",
            sourceLocation: sourceLocation)
        #expect(
            NSPredicate(format: "NOT (\(format))", argumentArray: arguments)
                .evaluate(with: sample) != expected, "NOT \(format)",
            sourceLocation: sourceLocation)
    }

    @Test("all spellings of comparison operators work for numbers, text, dates and quantities")
    func comparisons() {
        for (symbol, below, equal, above) in [
            ("=", false, true, false), ("==", false, true, false), ("!=", true, false, true),
            ("<>", true, false, true), ("<", false, false, true), ("<=", false, true, true),
            ("=<", false, true, true), (">", true, false, false), (">=", true, true, false),
            ("=>", true, true, false),
        ] {
            expect("metadata.lap \(symbol) 2", is: below)
            expect("metadata.lap \(symbol) 3.0", is: equal)
            expect("metadata.lap \(symbol) 4e0", is: above)
            expect("startDate\(symbol)%@", PredicateSamples.at(99), is: below)
            expect("startDate \(symbol) %@", PredicateSamples.at(100) as NSDate, is: equal)
            expect("startDate \(symbol) %@", PredicateSamples.at(101), is: above)
            let kilo = HKUnit.gramUnit(with: .kilo)
            let weights = [1.4, 1.5, 1.6].map { HKQuantity(unit: kilo, doubleValue: $0) }
            for (weight, expected) in zip(weights, [below, equal, above]) {
                expect("metadata.weight \(symbol) %@", weight, is: expected)
            }
        }
        expect("metadata.mood == 'Very Good'", is: true)
        expect("metadata.mood == \"very good\"", is: false)
        expect("metadata.when < %@", PredicateSamples.at(51), is: true)
    }

    @Test("the key path can be the left or the right operand")
    func operands() {
        expect(
            "%@ <= %K AND %K < %@", PredicateSamples.at(100), HKPredicateKeyPathStartDate,
            HKPredicateKeyPathStartDate, PredicateSamples.at(101), is: true)
        expect("%@ < startDate", PredicateSamples.at(100), is: false)
        for (symbol, below, equal, above) in [
            ("<", true, false, false), ("<=", true, true, false), (">", false, false, true),
            (">=", false, true, true), ("==", false, true, false), ("!=", true, false, true),
        ] {
            expect("2 \(symbol) metadata.lap", is: below)
            expect("3 \(symbol) metadata.lap", is: equal)
            expect("4 \(symbol) metadata.lap", is: above)
        }
        expect("1 == 1", is: true)
        expect("'a' != 'a'", is: false)
        expect("2 < 1 OR %d >= 3", 3, is: true)
    }

    @Test("NOT binds before AND, AND before OR; symbols and keywords of any case are equivalent")
    func logic() {
        expect("TRUEPREDICATE OR FALSEPREDICATE AND FALSEPREDICATE", is: true)
        expect("(TRUEPREDICATE OR FALSEPREDICATE) AND FALSEPREDICATE", is: false)
        expect("NOT FALSEPREDICATE OR TRUEPREDICATE", is: true)
        expect("not truepredicate or falsepredicate", is: false)
        expect("!FALSEPREDICATE && !!TRUEPREDICATE", is: true)
        expect("FALSEPREDICATE || ((TRUEPREDICATE))", is: true)
        expect("FALSEPREDICATE || FALSEPREDICATE || TRUEPREDICATE", is: true)
    }

    @Test("IN and BETWEEN accept lists as literals or as arguments")
    func lists() {
        expect("metadata.lap IN {1, 2, 3}", is: true)
        expect("metadata.lap in %@", [1, 2], is: false)
        expect("metadata.mood IN %@", Set(["Very Good", "Bad"]), is: true)
        expect("metadata.mood IN[c] {'very good'}", is: true)
        expect("metadata.mood IN %@", NSSet(array: ["Good"]), is: false)
        expect("metadata.lap IN {}", is: false)
        expect("UUID IN %@", [sample.uuid, UUID()], is: true)
        expect("metadata.lap BETWEEN {3, %d}", 4, is: true)
        expect("metadata.lap BETWEEN %@", [1, 3] as NSArray, is: true)
        expect("metadata.lap BETWEEN {4, 9}", is: false)
        expect(
            "startDate BETWEEN %@", [PredicateSamples.at(100), PredicateSamples.at(100)], is: true)
    }

    @Test("text operators match substrings and patterns, with [c] without regard to case")
    func texts() {
        expect("metadata.mood CONTAINS 'y G'", is: true)
        expect("metadata.mood CONTAINS[c] 'Y g'", is: true)
        expect("metadata.mood CONTAINS 'Y g'", is: false)
        expect("metadata.mood BEGINSWITH 'Very'", is: true)
        expect("metadata.mood beginswith[c] 'vERY'", is: true)
        expect("metadata.mood ENDSWITH %@", "Good", is: true)
        expect("metadata.mood LIKE 'V*G??d'", is: true)
        expect("metadata.mood LIKE[c] 'v*g'", is: false)
        expect("metadata.mood LIKE 'V\\*'", is: false)
        expect("metadata.mood LIKE 'Very\\ G*'", is: true)
        expect("metadata.mood ==[c] 'very good'", is: true)
        expect("metadata.mood !=[c] 'VERY GOOD'", is: false)
        expect("metadata.mood == 'it\\'s \\\"100 %% good\\\"'", is: false)
    }

    @Test("§2.9 for a missing key, only != and == nil are true")
    func missing() {
        for relation in [
            "== 1", "< 1", "> 1", "IN {1}", "BETWEEN {0, 2}", "CONTAINS 'a'", "!= nil",
            "LIKE '*'",
        ] {
            expect("metadata.none \(relation)", is: false)
        }
        for relation in ["!= 1", "== nil", "= NULL", "!= 'a'"] {
            expect("metadata.none \(relation)", is: true)
        }
        expect("metadata.lap == NIL", is: false)
        expect("metadata.lap != %@", NSNull(), is: true)
    }

    @Test("§2.9 booleans compare as numbers")
    func booleans() {
        expect("metadata.HKWasUserEntered == YES", is: true)
        expect("metadata.HKWasUserEntered != true", is: false)
        expect("metadata.HKWasUserEntered == 1", is: true)
        expect("metadata.HKWasUserEntered == NO OR metadata.HKWasUserEntered == FALSE", is: false)
        expect("metadata.%K == %@", HKMetadataKeyWasUserEntered, true, is: true)
        expect("metadata.%K == %@", HKMetadataKeyWasUserEntered, NSNumber(value: true), is: true)
    }

    @Test("placeholders accept objects, key paths and numbers of every format letter")
    func placeholders() {
        for letter in ["d", "i", "u", "ld", "lu", "lld", "llu", "hd", "x", "qd", "zd"] {
            expect("metadata.lap == %\(letter)", 3, is: true)
        }
        for letter in ["f", "g", "e", "lf"] { expect("metadata.lap < %\(letter)", 3.5, is: true) }
        expect("%K.%K == %@", "metadata", "lap", 3, is: true)
        expect("metadata.%K == %@", "com.foo.key", "dots", is: true)
        expect("%K == %@", "metadata.com.foo.key", "dots", is: true)
        expect("metadata.#lap == 3", is: true)
        expect("quantity > %@", HKQuantity(unit: .count(), doubleValue: 11), is: true)
        expect("SELF.startDate == %@", PredicateSamples.at(100), is: true)
    }

    @Test(
        "the variadic initializer accepts dates and UUIDs directly and as CVarArg",
        .covers("HKPredicateKeyPathStartDate", "HKPredicateKeyPathEndDate"))
    func variadic() {
        let date = PredicateSamples.at(100)
        #expect(
            NSPredicate(
                format: "%K >= %@ AND %K > %@ AND UUID == %@", HKPredicateKeyPathStartDate,
                date as any CVarArg, HKPredicateKeyPathEndDate, date as NSDate,
                sample.uuid as any CVarArg
            ).evaluate(with: sample))
        #expect(!NSPredicate(format: "%K < %@", "endDate", date).evaluate(with: sample))
        #expect(NSPredicate(format: "TRUEPREDICATE").evaluate(with: sample))
        #expect(NSPredicate(format: "TRUEPREDICATE", argumentArray: nil).evaluate(with: sample))
    }

    @Test("every key path of a sample, its source and its device is supported")
    func keyPaths() {
        let watch = HKDevice(
            name: "Watch", manufacturer: "Maker", model: "Model", hardwareVersion: "HW",
            firmwareVersion: "FW", softwareVersion: "SW", localIdentifier: "LI",
            udiDeviceIdentifier: "UDI")
        let source = HKSource(_name: "App", bundleIdentifier: "org.app")
        let revision = HKSourceRevision(
            source: source, version: "1.2", productType: "Watch6,2",
            operatingSystemVersion: OperatingSystemVersion(
                majorVersion: 10, minorVersion: 1, patchVersion: 0))
        let stored = PredicateSamples.stored(revision, device: watch)
        let equals: [(String, Any)] = [
            ("source", source), ("source.name", "App"), ("source.bundleIdentifier", "org.app"),
            ("sourceRevision", revision), ("sourceRevision.source", source),
            ("sourceRevision.source.name", "App"), ("sourceRevision.version", "1.2"),
            ("sourceRevision.source.bundleIdentifier", "org.app"),
            ("sourceRevision.productType", "Watch6,2"), ("device", watch),
            ("device.name", "Watch"), ("device.manufacturer", "Maker"), ("device.model", "Model"),
            ("device.hardwareVersion", "HW"), ("device.firmwareVersion", "FW"),
            ("device.softwareVersion", "SW"), ("device.localIdentifier", "LI"),
            ("device.udiDeviceIdentifier", "UDI"),
            ("device." + HKDevicePropertyKeyName, "Watch"),
            ("device." + HKDevicePropertyKeySoftwareVersion, "SW"), ("UUID", stored.uuid),
            ("count", 1), ("min", stored.quantity), ("max", stored.quantity),
            ("most_recent", stored.quantity), ("quantity", stored.quantity),
            ("startDate", PredicateSamples.at(0)), ("endDate", PredicateSamples.at(60)),
        ]
        for (path, value) in equals {
            let equal = NSPredicate(format: "%K == %@", path, value)
            #expect(equal.rejectionReason() == nil, "\(path)")
            #expect(equal.evaluate(with: stored), "\(path)")
            #expect(!NSPredicate(format: "%K != %@", path, value).evaluate(with: stored))
            if path != "sourceRevision", !path.hasPrefix("source"), path != "count" {
                let other = PredicateSamples.steps(2, from: 1, to: 61)
                #expect(!equal.evaluate(with: other), "\(path)")
            }
        }
        #expect(NSPredicate(format: "device == nil").evaluate(with: PredicateSamples.steps()))
        #expect(!NSPredicate(format: "device == nil").evaluate(with: stored))
    }

    @Test("the description of a predicate parses to an equal predicate")
    func descriptions() {
        for format in [
            "metadata.mood !=[c] \"very \\\"good\\\"\" AND metadata.lap > 2.5",
            "NOT (metadata.lap IN {1, 2}) OR (metadata.mood LIKE \"V*\" AND metadata.x == nil)",
            "metadata.lap BETWEEN {1, 9} AND NOT (TRUEPREDICATE AND FALSEPREDICATE)",
            "startDate >= CAST(100.0, \"NSDate\")",
        ] {
            let first = NSPredicate(format: format)
            let second = NSPredicate(format: first.description)
            #expect(first == second, "\(first.description)")
            #expect(first.hash == second.hash)
            #expect(first.evaluate(with: sample), "\(format)")
        }
        #expect(NSPredicate(format: "a == 1") != NSPredicate(format: "a == 2"))
        let predicate = NSPredicate(format: "metadata.lap == 3")
        let copy = predicate.copy() as? NSPredicate
        #expect(copy?.evaluate(with: sample) == true)
    }
}
