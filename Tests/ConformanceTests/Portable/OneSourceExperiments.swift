import Testing

/// §12: the open questions that one source answers. They record what HealthKit returns and expect
/// nothing, since Apple's answer isn't known.
@Suite(.reported) struct OneSourceExperiments {
    @Test(
        "§12.2 the sum of an interval that one source saves twice is recorded",
        .covers("HKStatistics.sumQuantity()"))
    func savedTwice() async throws {
        try await TestDays.with { days in
            for _ in 0..<2 { try await days.store.save(steps(100, days.at(10), days.at(11))) }
            let sum = try await days.store.statistics(
                HKQuantityType(.stepCount), days.ownSamples, .cumulativeSum
            ).sum()
            measured(
                "sum", sum, among: ["both count (§1.4)": 200, "the interval counts once": 100])
        }
    }

    @Test(
        "§12.5 what a statistics query over one day counts of a sample across midnight is recorded",
        .covers("HKStatisticsQuery", "HKStatistics.sumQuantity()"))
    func acrossMidnight() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(100, days.at(23), days.at(25)))
            let day = NSCompoundPredicate(andPredicateWithSubpredicates: [
                days.ownSamples,
                HKQuery.predicateForSamples(withStart: days.at(0), end: days.at(24), options: []),
            ])
            let sum = try await days.store.statistics(
                HKQuantityType(.stepCount), day, .cumulativeSum
            ).sum()
            measured(
                "sum", sum,
                among: ["the sample counts in full (§2.3)": 100, "the sample is divided": 50])
        }
    }

    @Test(
        "§12.6 the average of heart rates 60, 120 and 60 in one hour's bucket is recorded",
        .covers("HKStatistics.averageQuantity()"))
    func weightedAverage() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                pulse(60, days.at(0)), pulse(120, days.at(0, 10)), pulse(60, days.at(0, 11)),
            ])
            let hours = try await days.store.collection(
                HKQuantityType(.heartRate), days.ownSamples, .discreteAverage, from: days.start,
                every: DateComponents(hour: 1))
            measured(
                "average",
                hours.statistics().first?.averageQuantity()?.doubleValue(for: .perMinute),
                among: [
                    "the trapezoid rule between readings (§3.3)": 90,
                    "an arithmetic mean": 80,
                    "each reading holds until the next": 720.0 / 11,
                    "each reading holds until the next or the end of the bucket": 61,
                ])
        }
    }

    @Test(
        "§12.8 saving an equal sync version, and one identifier on two types, is recorded",
        .covers("HKMetadataKeySyncIdentifier", "HKMetadataKeySyncVersion"))
    func syncVersions() async throws {
        try await TestDays.with { days in
            let (store, name) = (days.store, UUID().uuidString)
            try await store.save(weight(70, days.at(1), metadata: version(1, of: name)))
            let code = try await code {
                try await store.save(weight(71, days.at(1), metadata: version(1, of: name)))
            }
            measured(
                "error code of the equal version, 0 for success", Double(code?.rawValue ?? 0),
                among: ["success (§9.1)": 0, "invalid argument": 3])
            let kept = try await store.samples(HKQuantityType(.bodyMass), days.ownSamples)
            measured(
                "value after the equal version", kept.first?.number(.kilogram),
                among: ["the new sample is ignored (§9.1)": 70, "it replaces the old one": 71])
            try await store.save(
                steps(5, days.at(2), days.at(3), metadata: version(2, of: name)))
            let masses = try await store.samples(HKQuantityType(.bodyMass), days.ownSamples)
            measured(
                "samples of the first type after one of another type", Double(masses.count),
                among: ["the types are separate (§9.1)": 1, "the other type's replaces it": 0])
        }
    }

    @Test(
        "§12.9 the last bucket of an enumeration that ends on a border is recorded",
        .covers("HKStatisticsCollection.enumerateStatistics(from:to:with:)"))
    func lastBucket() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(5, days.at(1), days.at(5)))
            let hours = try await days.store.collection(
                HKQuantityType(.stepCount), days.ownSamples, .cumulativeSum, from: days.start,
                every: DateComponents(hour: 1))
            let last = hours.buckets(from: days.at(1), to: days.at(3)).last
            measured(
                "hour of the last bucket",
                last.map { $0.startDate.timeIntervalSince(days.start) / 3600 },
                among: [
                    "the bucket that starts at the border (§5.8)": 3,
                    "the bucket that ends there": 2,
                ])
        }
    }

    @Test(
        "§12.10 changes between two anchors, and a limit of 1 with deletions, are recorded",
        .covers("HKAnchoredObjectQuery", "HKDeletedObject"))
    func anchors() async throws {
        try await TestDays.with { days in
            let (store, type) = (days.store, HKQuantityType(.bodyMass))
            let start = try await store.changes(type, days.ownSamples).anchor
            let gone = weight(70, days.at(1))
            try await store.save(gone)
            try await store.delete(gone)
            let between = try await store.changes(type, days.ownSamples, after: start)
            measured(
                "samples for one added and deleted", Double(between.added.count),
                among: ["only the deletion is reported (§6.5)": 0, "the sample is too": 1])
            measured("deletions for one added and deleted", Double(between.deleted.count))
            try await store.save([weight(71, days.at(2)), weight(72, days.at(3))])
            let page = try await store.changes(type, days.ownSamples, after: start, limit: 1)
            measured(
                "samples and deletions of a page with a limit of 1",
                Double(page.added.count + page.deleted.count),
                among: [
                    "the limit counts samples only (§6.4)": 2, "the limit counts deletions too": 1,
                ])
            measured("samples of a page with a limit of 1", Double(page.added.count))
        }
    }

    @Test(
        "§12.11 whether a sample that ends at the end matches .strictEndDate is recorded",
        .covers("HKQuery.predicateForSamples(withStart:end:options:)"))
    func strictEnd() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(5, days.at(10), days.at(12)))
            let range = NSCompoundPredicate(andPredicateWithSubpredicates: [
                days.ownSamples,
                HKQuery.predicateForSamples(
                    withStart: days.at(9), end: days.at(12), options: .strictEndDate),
            ])
            let found = try await days.store.samples(HKQuantityType(.stepCount), range)
            measured(
                "matching samples", Double(found.count),
                among: ["the end is exclusive (§2.1)": 0, "the end is inclusive": 1])
        }
    }
}
