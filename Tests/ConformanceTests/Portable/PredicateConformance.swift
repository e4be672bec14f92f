import Testing

/// §2: the boundaries of predicates and buckets.
@Suite(.reported) struct PredicateConformance {
    /// Samples around the range from 10:00 to 12:00, by name.
    private static let spans: [(name: String, start: Double, end: Double)] = [
        ("before", 8, 9), ("ends at the start", 9, 10), ("over the start", 9.5, 10.5),
        ("starts at the start", 10, 11), ("instant at the start", 10, 10), ("inside", 10.5, 11.5),
        ("around", 9, 13), ("over the end", 11.5, 12.5), ("starts at the end", 12, 13),
        ("instant at the end", 12, 12), ("after", 14, 15),
    ]

    private static let overlapping: Set<String> = [
        "ends at the start", "over the start", "starts at the start", "instant at the start",
        "inside", "around", "over the end",
    ]

    private static let expected: [(HKQueryOptions, Set<String>)] = [
        ([], overlapping),
        (
            .strictStartDate,
            ["starts at the start", "instant at the start", "inside", "over the end"]
        ),
        (
            .strictEndDate,
            [
                "ends at the start", "over the start", "starts at the start",
                "instant at the start", "inside",
            ]
        ),
        (
            [.strictStartDate, .strictEndDate],
            ["starts at the start", "instant at the start", "inside"]
        ),
    ]

    @Test(
        "§2.1 an interval includes samples that touch its start, but none that start at its end",
        .covers(
            "HKQuery.predicateForSamples(withStart:end:options:)", "HKQueryOptions",
            "HKQueryOptions.strictStartDate", "HKQueryOptions.strictEndDate"),
        arguments: Self.expected)
    func borders(options: HKQueryOptions, expected: Set<String>) async throws {
        try await TestDays.with { days in
            try await days.store.save(
                Self.spans.map { span in
                    steps(
                        10, days.start + span.start * 3600, days.start + span.end * 3600,
                        metadata: ["name": span.name])
                })
            let range = HKQuery.predicateForSamples(
                withStart: days.at(10), end: days.at(12), options: options)
            let found = try await days.store.samples(
                HKQuantityType(.stepCount),
                NSCompoundPredicate(andPredicateWithSubpredicates: [days.ownSamples, range]))
            measured("matches with the options \(options.rawValue)", Double(found.count))
            #expect(Set(found.compactMap { $0.metadata?["name"] as? String }) == expected)
        }
    }

    @Test(
        "§2.1 a side that is nil is not compared",
        .covers("HKQuery.predicateForSamples(withStart:end:options:)"))
    func openSides() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                steps(1, days.at(8), days.at(9)), steps(2, days.at(12), days.at(13)),
            ])
            for (start, end, value) in [(days.at(10), nil, 2.0), (nil, days.at(10), 1)] {
                let side = HKQuery.predicateForSamples(withStart: start, end: end)
                let found = try await days.store.samples(
                    HKQuantityType(.stepCount),
                    NSCompoundPredicate(andPredicateWithSubpredicates: [days.ownSamples, side]))
                #expect(found.map { $0.number() } == [value])
            }
        }
    }

    @Test(
        "§2.2 a predicate selects whole samples and divides none",
        .covers(
            "HKSampleQuery",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)",
            "HKQuantitySample.quantity", "HKSample.startDate"))
    func selectsWhole() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(100, days.at(9, 30), days.at(10, 30)))
            let found = try await days.store.samples(
                HKQuantityType(.stepCount), between(days, 10, 12))
            #expect(found.map { $0.number() } == [100])
            #expect(found.first?.startDate == days.at(9, 30))
            #expect(found.first?.endDate == days.at(10, 30))
        }
    }

    @Test(
        "§2.3 a statistics query counts boundary-crossing samples in full, with the samples' dates",
        .covers(
            "HKStatisticsQuery", "HKStatisticsQuery.init(*", "HKStatistics.sumQuantity()",
            "HKStatistics.startDate", "HKStatistics.endDate"))
    func wholeStatistics() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                steps(100, days.at(9, 30), days.at(10, 30)),
                steps(20, days.at(11, 45), days.at(12, 15)),
            ])
            let statistics = try await days.store.statistics(
                HKQuantityType(.stepCount), between(days, 10, 12), .cumulativeSum)
            measured("sum", statistics.sum())
            #expect(statistics.sum() == 120)
            #expect(statistics.startDate == days.at(9, 30))
            #expect(statistics.endDate == days.at(12, 15))
        }
    }

    @Test(
        "§2.4 100 steps from 13:57 to 14:02 give 60 and 40",
        .covers("HKStatisticsCollectionQuery", "HKStatistics.sumQuantity()"))
    func split() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(100, days.at(13, 57), days.at(14, 2)))
            let hours = try await hourly(days, days.ownSamples)
            measured("sum of the first hour", hours.statistics().first?.sum())
            measured("sum of the last hour", hours.statistics().last?.sum())
            #expect(hours.statistics().map { $0.sum() } == [60, 40])
            #expect(hours.statistics().map(\.startDate) == [days.at(13), days.at(14)])
            #expect(hours.statistics().map(\.endDate) == [days.at(14), days.at(15)])
        }
    }

    @Test(
        "§2.5 a sample that ends on a boundary adds no bucket after it",
        .covers("HKStatisticsCollection.statistics()"))
    func halfOpenBuckets() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(10, days.at(13), days.at(14)))
            let hours = try await hourly(days, days.ownSamples)
            measured("buckets", Double(hours.statistics().count))
            #expect(hours.statistics().map { $0.sum() } == [10])
            #expect(hours.statistics().first?.startDate == days.at(13))
        }
    }

    @Test(
        "§2.6 a boundary-crossing sample also populates a bucket outside the predicate's range",
        .covers("HKStatisticsCollection.statistics()"))
    func outerBuckets() async throws {
        try await TestDays.with { days in
            // The five samples of vital-ios' pull request 34.
            try await days.store.save([
                steps(80, days.at(13, 24), days.at(14, 36)),
                steps(100, days.at(13, 57), days.at(14, 2)),
                steps(200, days.at(14, 30), days.at(14, 42)),
                steps(120, days.at(14, 55), days.at(15, 7)),
                steps(36, days.at(15, 44), days.at(15, 51)),
            ])
            let sums = try await hourly(days, between(days, 14, 15)).statistics()
                .map { $0.sum() ?? .nan }
            measured("buckets", Double(sums.count))
            for (index, sum) in sums.enumerated() { measured("sum of bucket \(index + 1)", sum) }
            // One source is summed: 80 over 36:36 minutes, 100 over 3:2, 120 over 5:7.
            try #require(sums.count == 3)
            #expect(abs(sums[0] - (40 + 60)) < 1e-9)
            #expect(abs(sums[1] - (40 + 40 + 200 + 50)) < 1e-9)
            #expect(abs(sums[2] - 70) < 1e-9)
        }
    }

    @Test(
        "§2.9 a metadata predicate tests a key, allowed values or a comparison",
        .covers(
            "HKQuery.predicateForObjects(withMetadataKey:)",
            "HKQuery.predicateForObjects(withMetadataKey:allowedValues:)",
            "HKQuery.predicateForObjects(withMetadataKey:operatorType:value:)"))
    func metadata() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                weight(71, days.at(1), metadata: [HKMetadataKeyWasUserEntered: true]),
                weight(72, days.at(2), metadata: [HKMetadataKeyWasUserEntered: false]),
                weight(73, days.at(3), metadata: ["laps": 3]), weight(74, days.at(4)),
            ])
            func found(_ predicate: NSPredicate) async throws -> [Double] {
                try await days.store.samples(
                    HKQuantityType(.bodyMass),
                    NSCompoundPredicate(andPredicateWithSubpredicates: [days.ownSamples, predicate])
                )
                .map { $0.number(.kilogram) }.sorted()
            }
            let entered = HKMetadataKeyWasUserEntered
            #expect(
                try await found(HKQuery.predicateForObjects(withMetadataKey: entered)) == [71, 72])
            #expect(
                try await found(
                    HKQuery.predicateForObjects(withMetadataKey: entered, allowedValues: [true]))
                    == [71])
            #expect(
                try await found(
                    HKQuery.predicateForObjects(
                        withMetadataKey: "laps", operatorType: .greaterThan, value: 2)) == [73])
        }
    }

    @Test(
        "§2.9 quantities are compared across units",
        .covers("HKQuery.predicateForQuantitySamples(with:quantity:)"))
    func quantities() async throws {
        try await TestDays.with { days in
            try await days.store.save([weight(70, days.at(1)), weight(80, days.at(2))])
            let heavier = HKQuery.predicateForQuantitySamples(
                with: .greaterThan, quantity: HKQuantity(unit: .pound(), doubleValue: 165))
            let found = try await days.store.samples(
                HKQuantityType(.bodyMass),
                NSCompoundPredicate(andPredicateWithSubpredicates: [days.ownSamples, heavier]))
            #expect(found.map { $0.number(.kilogram) } == [80])
        }
    }

    private func between(_ days: TestDays, _ from: Int, _ to: Int) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: days.at(from), end: days.at(to)),
            HKQuery.predicateForObjects(from: .default()),
        ])
    }

    private func hourly(
        _ days: TestDays, _ predicate: NSPredicate
    ) async throws -> HKStatisticsCollection {
        try await days.store.collection(
            HKQuantityType(.stepCount), predicate, .cumulativeSum, from: days.start,
            every: DateComponents(hour: 1))
    }
}
