import Testing

/// §12: the open questions that need two sources. They record what HealthKit returns and expect
/// nothing, since Apple's answer isn't known.
@Suite(.reported) struct TwoSourceExperiments {
    private static let counted = "the part that no source of higher priority covers counts (§1.3)"
    private static let leftOut = "a sample that overlaps a source of higher priority is left out"
    private static let added = "sources are added up"

    @Test(
        "§12.1 two sources that overlap by half are merged to a number that is recorded",
        .covers("HKStatistics.sumQuantity()", "HKStatisticsCollectionQuery"))
    func overlap() async throws {
        try await with(.overlap, HKQuantityType(.stepCount)) { pair in
            try await pair.days.store.save(steps(100, pair.days.at(10), pair.days.at(10, 10)))
            let models: KeyValuePairs = [
                Self.counted: 150.0, Self.leftOut: 100, Self.added: 200,
            ]
            measured("sum of the statistics query", try await pair.sum(), among: models)
            measured("sum of the hour's bucket", try await pair.hours()[10], among: models)
        }
    }

    @Test(
        "§12.3 a gap of five minutes that the other source covers is recorded",
        .covers("HKStatistics.sumQuantity()", "HKStatisticsCollectionQuery"))
    func gap() async throws {
        try await with(.gap, HKQuantityType(.stepCount)) { pair in
            let days = pair.days
            try await days.store.save([
                steps(50, days.at(10), days.at(10, 5)), steps(50, days.at(10, 10), days.at(10, 15)),
                steps(10, days.at(20), days.at(20, 10)),
            ])
            let hours = try await pair.hours()
            guard ownSamplesRankFirst(hours[20]) else { return }
            measured(
                "sum of the hour's bucket", hours[10],
                among: [
                    "the other source counts in the gap (§1.8)": 130,
                    "the gap belongs to the first source": 100,
                ])
        }
    }

    @Test(
        "§12.4 an instant inside an interval of the other source, and at its end, is recorded",
        .covers("HKStatistics.sumQuantity()", "HKStatisticsCollectionQuery"))
    func instants() async throws {
        try await with(.instants, HKQuantityType(.stepCount)) { pair in
            let days = pair.days
            try await days.store.save([
                steps(100, days.at(10), days.at(10, 10)), steps(100, days.at(12), days.at(12, 10)),
                steps(10, days.at(20), days.at(20, 10)),
            ])
            let hours = try await pair.hours()
            guard ownSamplesRankFirst(hours[20]) else { return }
            let models: KeyValuePairs = ["the instant is covered": 100.0, "it counts": 107]
            measured("sum with an instant inside", hours[10], among: models)
            measured("sum with an instant at the end", hours[12], among: models)
        }
    }

    @Test(
        "§12.7 the average of an interval and of another source's instant in it is recorded",
        .covers("HKStatistics.averageQuantity()"))
    func glucose() async throws {
        try await with(.glucose, HKQuantityType(.bloodGlucose)) { pair in
            let (days, unit) = (pair.days, HKUnit.milligramsPerDeciliter)
            try await days.store.save(
                quantity(.bloodGlucose, 100, unit, days.at(10), days.at(10, 10)))
            let statistics = try await days.store.statistics(
                pair.type, pair.samples, .discreteAverage)
            measured(
                "average", statistics.averageQuantity()?.doubleValue(for: unit),
                among: [
                    "all samples contribute (§3.6)": 150, "only this app's sample does": 100,
                    "only the other source's sample does": 200,
                ])
        }
    }

    /// Returns whether this app's sample of 10 steps takes precedence over the other source's 20.
    /// Otherwise marks the test as not run, since its numbers would have another meaning.
    private func ownSamplesRankFirst(_ sum: Double?) -> Bool {
        measured(
            "sum of 10 and 20 at the same time", sum,
            among: ["this app has priority": 10, "the other source has": 20, Self.added: 30])
        if sum == 20 { notRun("second source has priority") }
        return sum != 20
    }

    /// Runs an experiment on its days, unless the second source's samples are missing.
    private func with(
        _ experiment: SecondSource.Experiment, _ type: HKQuantityType,
        _ body: (SourcePair) async throws -> Void
    ) async throws {
        try await TestDays.with(start: experiment.start) { days in
            let all = try await days.store.sources(of: type, days.samplesOfAllSources)
            guard
                let other = all.first(where: {
                    $0.bundleIdentifier.hasSuffix(SecondSource.identifierSuffix)
                })
            else { return notRun("second source missing") }
            try await body(SourcePair(days: days, type: type, other: other))
        }
    }
}

/// A type's samples of this app and of the second source, on the days of an experiment.
private struct SourcePair {
    let days: TestDays
    let type: HKQuantityType
    let other: HKSource

    /// A predicate for the samples of both sources.
    var samples: NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            days.samplesOfAllSources, HKQuery.predicateForObjects(from: [.default(), other]),
        ])
    }

    func sum() async throws -> Double? {
        try await days.store.statistics(type, samples, .cumulativeSum).sum()
    }

    /// Returns the sums of the hours with samples.
    func hours() async throws -> [Int: Double] {
        let collection = try await days.store.collection(
            type, samples, .cumulativeSum, from: days.start, every: DateComponents(hour: 1))
        var sums: [Int: Double] = [:]
        for bucket in collection.statistics() {
            sums[Int(bucket.startDate.timeIntervalSince(days.start) / 3600)] = bucket.sum()
        }
        return sums
    }
}
