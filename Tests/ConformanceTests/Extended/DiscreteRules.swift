import Testing

@testable import PortableConformance

/// §3 and §4: discrete types, and sources separately.
@Suite struct DiscreteRules {
    @Test(
        "§3.3 heart rate is weighted by time: 60 at 0:00, 120 at 0:10, 60 at 0:11",
        .covers("HKStatistics.averageQuantity()"))
    func timeWeighted() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save([
            pulse(60, at(0)), pulse(120, at(0, 10)), pulse(60, at(0, 11)),
        ])
        let average = try await store.statistics(
            HKQuantityType(.heartRate), nil, .discreteAverage
        ).averageQuantity()?.doubleValue(for: .perMinute)
        // Trapezoids of ten minutes and of one minute, both between 60 and 120.
        #expect(abs((average ?? 0) - 90) < 1e-9)
    }

    @Test("§3.3 a night without samples does not dominate the average")
    func longGap() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save([pulse(50, at(0)), pulse(100, at(8)), pulse(100, at(8, 10))])
        let average = try await store.statistics(
            HKQuantityType(.heartRate), nil, .discreteAverage
        ).averageQuantity()?.doubleValue(for: .perMinute)
        // The gap counts as ten minutes, half with each end: 5·50 + 5·100 + 10·100.
        #expect(abs((average ?? 0) - 87.5) < 1e-9)
    }

    @Test("§3.3 the average of one sample is its value")
    func singleSample() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(pulse(61, at(0)))
        let average = try await store.statistics(HKQuantityType(.heartRate), nil, .discreteAverage)
        let value = try #require(average.averageQuantity()?.doubleValue(for: .perMinute))
        #expect(abs(value - 61) < 1e-9)
    }

    @Test("§3.4 sound levels without duration have equal weight")
    func levels() async throws {
        let store = try await MemoryFixture().open(.diary)
        let decibel = HKUnit.decibelAWeightedSoundPressureLevel()
        try await store.save(
            [(60.0, 10), (80, 11)].map { level, hour in
                quantity(.environmentalAudioExposure, level, decibel, at(hour), at(hour))
            })
        let average = try await store.statistics(
            HKQuantityType(.environmentalAudioExposure), nil, .discreteAverage)
        let level = try #require(average.averageQuantity()?.doubleValue(for: decibel))
        #expect(abs(level - 77.032_914) < 1e-6)
    }

    @Test(
        "§3.5 of samples with equal starts, the latest end, then the last saved is most recent",
        .covers("HKStatistics.mostRecentQuantity()"))
    func mostRecentOfEqualStarts() async throws {
        let fixture = try MemoryFixture()
        let type = HKQuantityType(.runningPower)
        func save(_ watts: Double, until end: Date) async throws -> Double? {
            try await fixture.save(
                [quantity(.runningPower, watts, .watt(), at(10), end)], as: .ring)
            fixture.advance(by: 1)
            return try await fixture.open(.ring).statistics(type, nil, .mostRecent)
                .mostRecentQuantity()?.doubleValue(for: .watt())
        }
        #expect(try await save(100, until: at(11)) == 100)
        #expect(try await save(200, until: at(10, 30)) == 100)
        #expect(try await save(300, until: at(11)) == 300)
    }

    @Test("§3.5 the most recent value is available for cumulative types")
    func mostRecentAmount() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save([steps(5, at(12), at(13)), steps(9, at(10), at(11))])
        let statistics = try await store.statistics(
            HKQuantityType(.stepCount), nil, [.cumulativeSum, .mostRecent])
        #expect(statistics.mostRecentQuantity()?.doubleValue(for: .count()) == 5)
        #expect(statistics.sum() == 14)
    }

    @Test(
        "§3.6 discrete statistics include all sources unless the store merges by source order",
        arguments: [(FixtureSettings.DiscreteMerge.allSources, 150.0), (.bySourceOrder, 100)])
    func discreteMerge(merge: FixtureSettings.DiscreteMerge, average: Double) async throws {
        var settings = FixtureSettings()
        settings.discreteMerge = merge
        let fixture = try MemoryFixture(settings)
        try await fixture.save([quantity(.runningPower, 100, .watt(), at(10), at(11))], as: .watch)
        try await fixture.save(
            [quantity(.runningPower, 200, .watt(), at(10, 30), at(10, 30))], as: .ring)
        let statistics = try await fixture.open(.diary).statistics(
            HKQuantityType(.runningPower), nil, .discreteAverage)
        #expect(statistics.averageQuantity()?.doubleValue(for: .watt()) == average)
    }

    @Test(
        "§3.7 the duration is that of merged intervals, and separately of each source",
        .covers("HKStatistics.duration()", "HKStatistics.duration(for:)"))
    func durations() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(10, at(10), at(11))], as: .watch)
        try await fixture.save([steps(10, at(10, 30), at(11, 30))], as: .phone)
        let type = HKQuantityType(.stepCount)
        let watch = try #require(try await TestApp.watch.source(in: fixture, of: type))
        let statistics = try await fixture.open(.diary).statistics(
            type, nil, [.cumulativeSum, .duration, .separateBySource])
        #expect(statistics.duration()?.doubleValue(for: .minute()) == 90)
        #expect(statistics.duration(for: watch)?.doubleValue(for: .minute()) == 60)
    }

    @Test(
        "§4.1 separateBySource can be combined with every discrete option",
        .covers(
            "HKStatistics.averageQuantity(for:)", "HKStatistics.minimumQuantity(for:)",
            "HKStatistics.maximumQuantity(for:)", "HKStatistics.mostRecentQuantity(for:)"))
    func discreteBySource() async throws {
        let fixture = try MemoryFixture()
        let type = HKQuantityType(.bodyMass)
        try await fixture.save([weight(70, at(8)), weight(72, at(9))], as: .ring)
        try await fixture.save([weight(80, at(10))], as: .health)
        let ring = try #require(try await TestApp.ring.source(in: fixture, of: type))
        let statistics = try await fixture.open(.diary).statistics(
            type, nil,
            [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .separateBySource])
        let values = [
            statistics.averageQuantity(for: ring), statistics.minimumQuantity(for: ring),
            statistics.maximumQuantity(for: ring), statistics.mostRecentQuantity(for: ring),
        ]
        #expect(values.map { $0?.doubleValue(for: .kilogram) } == [71, 70, 72, 72])
        #expect(statistics.averageQuantity()?.doubleValue(for: .kilogram) == 74)
    }

    @Test(
        "§4.2 totals by source, Watch 8432 and iPhone 3210, include the overlap",
        .covers("HKStatistics.sumQuantity(for:)", "HKStatistics.sources"))
    func ownSums() async throws {
        let fixture = try MemoryFixture()
        let (watch, phone, statistics) = try await watchAndPhone(fixture)
        #expect(statistics.sum(of: watch) == 8432)
        #expect(statistics.sum(of: phone) == 3210)
        #expect(Set(statistics.sources ?? []) == [watch, phone])
    }

    @Test("§4.3 the merged sum can be less than the sum of the sources")
    func mergedAndSourceSums() async throws {
        let fixture = try MemoryFixture()
        let (_, _, statistics) = try await watchAndPhone(fixture)
        // The phone recorded from 6 to 9, two of these hours before the Watch was put on at 8.
        #expect(statistics.sum() == 10_572)
    }

    @Test("§4.4 a collection lists every source of its buckets")
    func collectionSources() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(5, at(8), at(9))], as: .watch)
        try await fixture.save([steps(5, at(12), at(13))], as: .phone)
        let hours = try await fixture.open(.diary).collection(
            HKQuantityType(.stepCount), nil, [.cumulativeSum, .separateBySource], from: at(0),
            every: DateComponents(hour: 1))
        #expect(
            Set(hours.sources().map(\.bundleIdentifier)) == [
                TestApp.watch.bundleIdentifier, TestApp.phone.bundleIdentifier,
            ])
        #expect(hours.statistics().map { $0.sources?.count } == [1, 1])
    }

    @Test("§4.5 a source without a counted interval is still listed")
    func sourceWithoutIntervals() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([steps(50, at(8), at(12))], as: .watch)
        try await fixture.save([steps(7, at(9), at(10))], as: .phone)
        let type = HKQuantityType(.stepCount)
        let phone = try #require(try await TestApp.phone.source(in: fixture, of: type))
        let statistics = try await fixture.open(.diary).statistics(
            type, nil, [.cumulativeSum, .separateBySource])
        #expect(statistics.sources?.contains(phone) == true)
        #expect(statistics.sum(of: phone) == 7)
        #expect(statistics.sum() == 50)
    }

    private func watchAndPhone(
        _ fixture: some TestFixture
    ) async throws -> (watch: HKSource, phone: HKSource, statistics: HKStatistics) {
        let type = HKQuantityType(.stepCount)
        try await fixture.save([steps(8432, at(8), at(20))], as: .watch)
        try await fixture.save([steps(3210, at(6), at(9))], as: .phone)
        let statistics = try await fixture.open(.diary).statistics(
            type, nil, [.cumulativeSum, .separateBySource])
        return (
            try #require(try await TestApp.watch.source(in: fixture, of: type)),
            try #require(try await TestApp.phone.source(in: fixture, of: type)), statistics
        )
    }
}
