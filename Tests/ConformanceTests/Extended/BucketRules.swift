import Testing

@testable import PortableConformance

/// §5: options, calendars and enumeration.
@Suite struct BucketRules {
    @Test(
        "§5.1 unsuitable options are an error of the query and do not trap",
        .covers(
            "HKStatisticsQuery", "HKStatisticsQuery.init(*", "HKStatisticsCollectionQuery",
            "HKError"),
        arguments: [
            (HKQuantityTypeIdentifier.heartRate, HKStatisticsOptions.cumulativeSum),
            (.stepCount, .discreteAverage), (.stepCount, .discreteMin), (.stepCount, .discreteMax),
            (.environmentalAudioExposure, .cumulativeSum),
        ])
    func unsuitableOptions(type: HKQuantityTypeIdentifier, options: HKStatisticsOptions)
        async throws
    {
        let store = try await MemoryFixture().open(.diary)
        let type = HKQuantityType(type)
        func check(_ call: () async throws -> Void) async {
            let error = await #expect(throws: HKError.self) { try await call() }
            #expect(error?.code == .errorInvalidArgument)
            #expect(error?.localizedDescription.contains("not compatible") == true)
            #expect(error?.localizedDescription.contains(type.identifier) == true)
        }
        await check { _ = try await store.statistics(type, nil, options) }
        await check {
            _ = try await store.collection(
                type, nil, options, from: at(0), every: DateComponents(day: 1))
        }
        await check {
            _ = try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: type), options: options
            ).result(for: store)
        }
    }

    @Test(
        "§5.2 cumulative and discrete options can't be combined; empty options give dates only",
        .covers("HKStatisticsOptions"))
    func combinations() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(steps(5, at(10), at(11)))
        let type = HKQuantityType(.stepCount)
        #expect(
            try await code {
                _ = try await store.statistics(type, nil, [.cumulativeSum, .discreteAverage])
            } == .errorInvalidArgument)
        let bare = try await store.statistics(type, nil, [])
        #expect(bare.sumQuantity() == nil)
        #expect(bare.startDate == at(10))
        #expect(bare.sources == nil)
        let sources = try await store.statistics(type, nil, .separateBySource)
        #expect(sources.sources?.count == 1)
        #expect(sources.sumQuantity() == nil)
    }

    @Test(
        "§5.4 a day with a daylight saving change has 23 or 25 hours",
        .covers("HKStatisticsCollectionQuery.intervalComponents"),
        arguments: [
            // Zone, the day before, and the hours of three days.
            ("Europe/Berlin", "2024-03-30", [24.0, 23, 24]),
            ("Europe/Berlin", "2024-10-26", [24, 25, 24]),
            ("Europe/Amsterdam", "2018-10-27", [24, 25, 24]),
            ("America/New_York", "2024-03-09", [24, 23, 24]),
            ("Australia/Lord_Howe", "2024-04-06", [24, 24.5, 24]),
            ("Asia/Kathmandu", "2024-03-30", [24, 24, 24]),
        ])
    func clockChanges(zone: String, day: String, hours: [Double]) async throws {
        let calendar = try gregorian(zone)
        let numbers = day.split(separator: "-").compactMap { Int($0) }
        let start = try #require(
            calendar.date(
                from: DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])))
        let store = try await MemoryFixture().open(.diary)
        // One step per second, so that a bucket's sum is its length.
        let end = start.addingTimeInterval(hours.reduce(0, +) * 3600)
        try await store.save(
            stride(from: 0, to: end.timeIntervalSince(start), by: 1800).map {
                steps(1800, start + $0, start + $0 + 1800)
            })
        var daily = DateComponents(day: 1)
        daily.calendar = calendar
        let collection = try await store.collection(
            HKQuantityType(.stepCount), nil, .cumulativeSum, from: start, every: daily)
        let sums = collection.statistics().map { ($0.sum() ?? .nan) / 3600 }
        #expect(sums.count == 3)
        for (sum, hours) in zip(sums, hours) { #expect(abs(sum - hours) < 1e-9) }
        var absolute = DateComponents(hour: 24)
        absolute.calendar = calendar
        let plain = try await store.collection(
            HKQuantityType(.stepCount), nil, .cumulativeSum, from: start, every: absolute)
        #expect(
            plain.statistics().allSatisfy {
                $0.endDate.timeIntervalSince($0.startDate) == 86_400
            })
    }

    @Test("§5.4 components without a calendar use the store's calendar")
    func storeCalendar() async throws {
        var settings = FixtureSettings()
        let calendar = try gregorian("Europe/Berlin")
        settings.calendar = calendar
        let store = try await MemoryFixture(settings).open(.diary)
        let midnight = try #require(
            calendar.date(from: DateComponents(year: 2024, month: 3, day: 31)))
        try await store.save(steps(5, midnight, midnight + 60))
        let days = try await store.collection(
            HKQuantityType(.stepCount), nil, .cumulativeSum, from: midnight,
            every: DateComponents(day: 1))
        #expect(days.statistics().first?.endDate == midnight + 23 * 3600)
    }

    @Test("§5.5 monthly buckets from the 31st do not drift")
    func monthsFromThe31st() async throws {
        let calendar = try gregorian("UTC")
        let anchor = try #require(
            calendar.date(from: DateComponents(year: 2023, month: 1, day: 31)))
        let store = try await MemoryFixture().open(.diary)
        try await store.save(
            (0..<120).map {
                steps(1, anchor + Double($0) * 86_400, anchor + Double($0) * 86_400 + 60)
            })
        var monthly = DateComponents(month: 1)
        monthly.calendar = calendar
        let starts = try await store.collection(
            HKQuantityType(.stepCount), nil, .cumulativeSum, from: anchor, every: monthly
        ).statistics().map { calendar.dateComponents([.month, .day], from: $0.startDate) }
        #expect(starts.map(\.month) == [1, 2, 3, 4])
        #expect(starts.map(\.day) == [31, 28, 31, 30])
    }

    @Test("§5.5 the time zone of a sample does not change its bucket")
    func sampleZone() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(
            steps(5, at(10), at(11), metadata: [HKMetadataKeyTimeZone: "Pacific/Auckland"]))
        #expect(try await store.hourlySums() == [10: 5])
    }

    @Test(
        "§5.5 a zero, negative or empty interval is rejected",
        arguments: [DateComponents(day: 0), DateComponents(day: -1), DateComponents()])
    func invalidIntervals(interval: DateComponents) async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(steps(5, at(10), at(11)))
        #expect(
            try await code {
                _ = try await store.collection(
                    HKQuantityType(.stepCount), nil, .cumulativeSum, from: at(0), every: interval)
            } == .errorInvalidArgument)
    }

    @Test("§5.8 an end on a boundary includes the bucket that starts there")
    func lastBucket() async throws {
        let store = try await MemoryFixture().open(.diary)
        try await store.save(steps(5, at(10), at(11)))
        let hours = try await store.collection(
            HKQuantityType(.stepCount), nil, .cumulativeSum, from: at(0),
            every: DateComponents(hour: 1))
        #expect(
            hours.buckets(from: at(9), to: at(12)).map(\.startDate)
                == [at(9), at(10), at(11), at(12)])
    }

    @Test(
        "§5.10 a change of two buckets causes two calls, each with the whole collection",
        .covers("HKStatisticsCollectionQuery.statisticsUpdateHandler"))
    func twoBuckets() async throws {
        let store = try await MemoryFixture().open(.diary)
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
            options: .cumulativeSum, anchorDate: at(0), intervalComponents: DateComponents(hour: 1))
        let first = Recorder<Int>()
        let calls = Recorder<(Date?, [Double?])>()
        query.initialResultsHandler = { _, _, _ in first.record(1) }
        query.statisticsUpdateHandler = { _, changed, collection, _ in
            calls.record((changed?.startDate, collection?.statistics().map { $0.sum() } ?? []))
        }
        store.execute(query)
        try await waitFor(1, in: first)
        try await store.save([steps(3, at(8), at(8, 30)), steps(4, at(15), at(15, 30))])
        let actual = try await waitFor(2, in: calls)
        store.stop(query)
        #expect(actual.map(\.0) == [at(8), at(15)])
        #expect(actual.map(\.1) == [[3, 4], [3, 4]])
    }

    @Test("§5.11 without data, the error has the description that apps compare")
    func noDataText() async throws {
        let store = try await MemoryFixture().open(.diary)
        let error = await #expect(throws: HKError.self) {
            _ = try await store.statistics(HKQuantityType(.stepCount), nil, .cumulativeSum)
        }
        #expect(error?.code == .errorNoData)
        #expect(error?.localizedDescription == "No data available for the specified predicate.")
    }

    private func gregorian(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }
}
