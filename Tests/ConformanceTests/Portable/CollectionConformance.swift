import Testing

/// §5: the boundaries of buckets and their enumeration.
@Suite(.reported) struct CollectionConformance {
    @Test(
        "§5.3 buckets extend in both directions from an anchor far from the data",
        .covers("HKStatisticsCollectionQuery.anchorDate", "HKStatisticsCollection.statistics()"))
    func anchor() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                steps(1, days.at(10, 20), days.at(10, 21)),
                steps(2, days.at(12, 20), days.at(12, 21)),
            ])
            for far in [-1000, 0, 11, 1000] {
                let hours = try await collection(days, from: days.at(far, 15))
                #expect(hours.statistics().map(\.startDate) == [days.at(10, 15), days.at(12, 15)])
                #expect(hours.statistics().map { $0.sum() } == [1, 2])
            }
        }
    }

    @Test("§5.4 the length of a month follows the calendar", .covers("HKStatisticsCollectionQuery"))
    func months() async throws {
        try await TestDays.with { days in
            let calendar = Calendar.current
            let month = try #require(calendar.dateInterval(of: .month, for: days.start))
            try await days.store.save(steps(5, days.at(10), days.at(11)))
            let months = try await days.store.collection(
                HKQuantityType(.stepCount), days.ownSamples, .cumulativeSum, from: month.start,
                every: DateComponents(month: 1))
            #expect(months.statistics().map(\.startDate) == [month.start])
            #expect(months.statistics().map(\.endDate) == [month.end])
        }
    }

    @Test(
        "§5.6 statistics() lists populated buckets only, in order of time",
        .covers("HKStatisticsCollection.statistics()"))
    func populated() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                steps(2, days.at(15), days.at(15, 1)), steps(1, days.at(9), days.at(9, 1)),
            ])
            let hours = try await collection(days, from: days.start)
            #expect(hours.statistics().map(\.startDate) == [days.at(9), days.at(15)])
        }
    }

    @Test(
        "§5.7 statistics(for:) returns a bucket without a quantity where there is no data",
        .covers("HKStatisticsCollection.statistics(for:)"))
    func bucketOfDate() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(2, days.at(15), days.at(15, 1)))
            let hours = try await collection(days, from: days.start)
            #expect(hours.statistics(for: days.at(15, 59))?.sum() == 2)
            let empty = try #require(hours.statistics(for: days.at(16)))
            #expect(empty.startDate == days.at(16))
            #expect(empty.sumQuantity() == nil)
        }
    }

    @Test(
        "§5.8 enumeration includes empty buckets with nil quantities, until stop is set",
        .covers("HKStatisticsCollection.enumerateStatistics(from:to:with:)"))
    func enumeration() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(2, days.at(11), days.at(11, 1)))
            let hours = try await collection(days, from: days.start)
            let visited = hours.buckets(from: days.at(10, 30), to: days.at(12, 30))
            measured("buckets", Double(visited.count))
            #expect(visited.map(\.startDate) == [days.at(10), days.at(11), days.at(12)])
            #expect(visited.map { $0.sum() } == [nil, 2, nil])
            var count = 0
            hours.enumerateStatistics(from: days.at(1), to: days.at(20)) { _, stop in
                count += 1
                if count == 2 { stop.pointee = true }
            }
            #expect(count == 2)
        }
    }

    @Test(
        "§5.10 a query with an update handler delivers changed buckets until it is stopped",
        .covers(
            "HKStatisticsCollectionQuery.statisticsUpdateHandler",
            "HKStatisticsCollectionQuery.initialResultsHandler", "HKHealthStore.stop(_:)"))
    func updates() async throws {
        try await TestDays.with { days in
            let query = HKStatisticsCollectionQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: days.ownSamples,
                options: .cumulativeSum, anchorDate: days.start,
                intervalComponents: DateComponents(hour: 1))
            let first = Recorder<[Double?]>()
            let later = Recorder<(Date?, [Double?])>()
            query.initialResultsHandler = { _, collection, _ in
                first.record(collection?.statistics().map { $0.sum() } ?? [])
            }
            query.statisticsUpdateHandler = { _, statistics, collection, _ in
                later.record(
                    (statistics?.startDate, collection?.statistics().map { $0.sum() } ?? []))
            }
            days.store.execute(query)
            #expect(try await waitFor(1, in: first) == [[]])
            let sample = steps(7, days.at(10), days.at(11))
            try await days.store.save(sample)
            let saved = try #require(try await waitFor(1, in: later).last)
            #expect(saved.0 == days.at(10))
            #expect(saved.1 == [7])
            try await days.store.delete(sample)
            try await waitFor("the deletion") { later.entries.last?.1 == [] }
            days.store.stop(query)
            #expect(first.count == 1)
        }
    }

    @Test(
        "§5.11 without data, a query reports errorNoData, a descriptor nil, a collection is empty",
        .covers("HKStatisticsQueryDescriptor", "HKError"))
    func noData() async throws {
        try await TestDays.with { days in
            let type = HKQuantityType(.stepCount)
            let code = try await code {
                _ = try await days.store.statistics(type, days.ownSamples, .cumulativeSum)
            }
            measured("error code", (code?.rawValue).map(Double.init))
            #expect(code == .errorNoData)
            let descriptor = HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: type, predicate: days.ownSamples),
                options: .cumulativeSum)
            #expect(try await descriptor.result(for: days.store) == nil)
            #expect(try await collection(days, from: days.start).statistics().isEmpty)
        }
    }

    private func collection(
        _ days: TestDays, from anchor: Date
    ) async throws -> HKStatisticsCollection {
        try await days.store.collection(
            HKQuantityType(.stepCount), days.ownSamples, .cumulativeSum, from: anchor,
            every: DateComponents(hour: 1))
    }
}
