import Testing

@testable import PortableConformance

/// §2: boundaries that Apple doesn't document, and predicates in full.
@Suite struct BoundaryRules {
    @Test(
        "§2.1 a sample that ends exactly at the end does not match strictEndDate",
        .covers("HKQueryOptions.strictEndDate"))
    func strictEnd() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save([
            steps(1, at(9), at(10)), steps(2, at(9), at(12)), steps(3, at(11), at(12)),
            steps(4, at(11), at(11, 59, 59.999)), steps(5, at(12), at(12)),
        ])
        let found = try await store.samples(
            HKQuantityType(.stepCount),
            HKQuery.predicateForSamples(
                withStart: at(10), end: at(12), options: .strictEndDate))
        #expect(found.map { $0.number() }.sorted() == [1, 4])
    }

    @Test(
        "§2.1 a sample that touches a boundary adds nothing to a bucket, but counts in a statistic")
    func touching() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(steps(10, at(9), at(10)))
        let range = HKQuery.predicateForSamples(withStart: at(10), end: at(12))
        let type = HKQuantityType(.stepCount)
        #expect(try await store.statistics(type, range, .cumulativeSum).sum() == 10)
        let hours = try await store.collection(
            type, range, .cumulativeSum, from: at(0), every: DateComponents(hour: 1))
        #expect(hours.statistics().map(\.startDate) == [at(9)])
        #expect(hours.statistics(for: at(10))?.sumQuantity() == nil)
    }

    @Test("§2.5 an instant on a boundary belongs to the later bucket")
    func instantAtBorder() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save([steps(3, at(10), at(10)), steps(4, at(10, 30), at(10, 30))])
        #expect(try await store.hourlySums() == [10: 7])
    }

    @Test("§2.7 sources are merged before samples are divided into buckets")
    func mergeThenClip() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(60, at(10, 30), at(11, 30))], as: .watch)
        try await fixture.save([steps(120, at(10), at(12))], as: .phone)
        // Half an hour of the phone on either side of the Watch's hour.
        #expect(try await fixture.open(.diary).hourlySums() == [10: 60, 11: 60])
    }

    @Test("§2.8 a discrete sample counts with its full value in every bucket it overlaps")
    func discreteOverBorder() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save([
            quantity(.runningPower, 200, .watt(), at(10, 30), at(12)),
            quantity(.runningPower, 100, .watt(), at(11), at(11)),
        ])
        let hours = try await store.collection(
            HKQuantityType(.runningPower), nil, [.discreteAverage, .discreteMax], from: at(0),
            every: DateComponents(hour: 1))
        let buckets = hours.statistics()
        #expect(buckets.map(\.startDate) == [at(10), at(11)])
        #expect(buckets.map { $0.maximumQuantity()?.doubleValue(for: .watt()) } == [200, 200])
        #expect(buckets.last?.averageQuantity()?.doubleValue(for: .watt()) == 150)
    }

    @Test(
        "§2.9 a missing key is unequal to every value, and NOT inverts the result",
        .covers("HKQuery.predicateForObjects(withMetadataKey:operatorType:value:)"),
        arguments: [
            ("==", ["equal"]), ("!=", ["less", "more", "none"]), ("<", ["less"]),
            ("<=", ["equal", "less"]), (">", ["more"]), (">=", ["equal", "more"]),
        ])
    func missingKey(sign: String, expected: [String]) async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(
            [("less", 1), ("equal", 2), ("more", 3), ("none", nil)].map { name, laps in
                var metadata: [String: Any] = ["name": name]
                metadata["laps"] = laps
                return weight(70, at(1), metadata: metadata)
            })
        let predicate = laps(sign, 2)
        #expect(try await names(store, predicate) == expected)
        let others = ["equal", "less", "more", "none"].filter { !expected.contains($0) }
        #expect(
            try await names(store, NSCompoundPredicate(notPredicateWithSubpredicate: predicate))
                == others)
    }

    @Test(
        "§2.9 a boolean compares as a number, and an empty list of values matches nothing",
        .covers("HKQuery.predicateForObjects(withMetadataKey:allowedValues:)"))
    func flags() async throws {
        let store = try await MemoryFixture().open(.diary)
        let key = HKMetadataKeyWasUserEntered
        try await store.save([
            weight(70, at(1), metadata: ["name": "yes", key: true]),
            weight(71, at(2), metadata: ["name": "no", key: false]),
            weight(72, at(3), metadata: ["name": "none"]),
        ])
        func matchingNames(_ values: [Any]) async throws -> [String] {
            try await names(
                store, HKQuery.predicateForObjects(withMetadataKey: key, allowedValues: values))
        }
        #expect(try await matchingNames([1]) == ["yes"])
        #expect(try await matchingNames([true, false]) == ["no", "yes"])
        #expect(try await matchingNames([]) == [])
        let typed = NSPredicate(format: "metadata.%K != YES", key)
        #expect(try await names(store, typed) == ["no", "none"])
    }

    @Test("§2.9 AND of nothing is true, OR of nothing is false")
    func emptyCompounds() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1), metadata: ["name": "it"]))
        #expect(
            try await names(store, NSCompoundPredicate(andPredicateWithSubpredicates: []))
                == ["it"])
        #expect(
            try await names(store, NSCompoundPredicate(orPredicateWithSubpredicates: [])) == [])
    }

    @Test(
        "§2.9 predicates that the store can't evaluate are rejected",
        .covers(
            "HKSampleQuery",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)"),
        arguments: ["block", "unit", "key", "subclass"])
    func refused(kind: String) async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(weight(70, at(1)))
        let predicate =
            switch kind {
            case "block": NSPredicate { _, _ in true }
            case "unit":
                HKQuery.predicateForQuantitySamples(
                    with: .greaterThan, quantity: HKQuantity(unit: .meter(), doubleValue: 1))
            case "key": NSPredicate(format: "shoeSize > %@", NSNumber(value: 40))
            default: CustomPredicate(value: false)
            }
        let code = try await code {
            _ = try await store.samples(HKQuantityType(.bodyMass), predicate)
        }
        #expect(code == .errorInvalidArgument)
    }

    @Test(
        "§2.9 a predicate gives the same result for a sample in memory and in the store",
        .covers(
            "HKQuery.predicateForObject(with:)", "HKQuery.predicateForObjects(from:)",
            "HKQuery.predicateForSamples(withStart:end:options:)"))
    func inMemory() async throws {
        let fixture = try MemoryFixture()
        let saved = (0..<12).map { index in
            weight(
                60 + Double(index), at(index),
                metadata: index.isMultiple(of: 3) ? ["laps": index] : nil)
        }
        try await fixture.save(Array(saved[..<6]), as: .diary)
        try await fixture.save(Array(saved[6...]), as: .ring)
        let store = try await fixture.open(.diary)
        let type = HKQuantityType(.bodyMass)
        let stored = try await store.samples(type)
        try #require(stored.count == 12)
        let ring = try #require(try await TestApp.ring.source(in: fixture, of: type))
        let heavy = HKQuantity(unit: .kilogram, doubleValue: 65)
        let predicates: [NSPredicate] = [
            HKQuery.predicateForSamples(withStart: at(3), end: at(7)),
            HKQuery.predicateForSamples(withStart: at(3), end: at(7), options: .strictEndDate),
            HKQuery.predicateForObject(with: saved[4].uuid),
            HKQuery.predicateForObjects(with: [saved[1].uuid, saved[7].uuid]),
            HKQuery.predicateForObjects(from: ring),
            HKQuery.predicateForObjects(withMetadataKey: "laps"),
            HKQuery.predicateForObjects(
                withMetadataKey: "laps", operatorType: .notEqualTo, value: 3),
            HKQuery.predicateForQuantitySamples(with: .lessThanOrEqualTo, quantity: heavy),
            NSPredicate(
                format: "startDate >= %@ AND endDate < %@", at(2) as NSDate, at(9) as NSDate),
            NSCompoundPredicate(orPredicateWithSubpredicates: [
                HKQuery.predicateForObject(with: saved[0].uuid),
                NSCompoundPredicate(
                    notPredicateWithSubpredicate: HKQuery.predicateForObjects(from: ring)),
            ]),
        ]
        for predicate in predicates {
            let inStore = Set(try await store.samples(type, predicate).map(\.uuid))
            let inMemory = Set(stored.filter { predicate.evaluate(with: $0) }.map(\.uuid))
            #expect(inStore == inMemory)
            #expect(!inStore.isEmpty && inStore.count < 12)
        }
    }

    private func names(_ store: HKHealthStore, _ predicate: NSPredicate) async throws -> [String] {
        try await store.samples(HKQuantityType(.bodyMass), predicate)
            .compactMap { $0.metadata?["name"] as? String }.sorted()
    }
}

/// A client's own predicate class, which a store can't translate.
private final class CustomPredicate: NSPredicate {
    override func evaluate(with object: Any?) -> Bool { true }
}
