import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Quantity series")
struct SeriesTests {
    let fixture = WorkoutFixture()
    private let steps = HKQuantityType(.stepCount)
    private let rate = HKQuantityType(.heartRate)

    private func interval(_ from: TimeInterval, _ to: TimeInterval) -> DateInterval {
        DateInterval(start: fixture.at(from), end: fixture.at(to))
    }

    private func count(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .count(), doubleValue: value)
    }

    private func saveSteps(
        _ rows: [(value: Double, from: TimeInterval, to: TimeInterval)], from start: TimeInterval
    ) async throws -> HKQuantitySample {
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: fixture.store, quantityType: steps, startDate: fixture.at(start),
            device: nil)
        for row in rows { try builder.insert(count(row.value), for: interval(row.from, row.to)) }
        return try #require(try await builder.finishSeries(metadata: nil).first)
    }

    /// Returns the results of a query: value, start, sample, done.
    private func queriedRows(
        _ settings: @Sendable (HKQuantitySeriesSampleQuery) -> Void = { _ in }
    ) async throws -> [(value: Double?, start: Date?, hasSample: Bool, isDone: Bool)] {
        typealias Row = (value: Double?, start: Date?, hasSample: Bool, isDone: Bool)
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Row.self)
        let query = HKQuantitySeriesSampleQuery(quantityType: steps, predicate: nil) {
            _, quantity, interval, sample, isDone, error in
            if let error { return continuation.finish(throwing: error) }
            continuation.yield(
                (quantity?.doubleValue(for: .count()), interval?.start, sample != nil, isDone))
            if isDone { continuation.finish() }
        }
        settings(query)
        fixture.store.execute(query)
        var rows: [Row] = []
        for try await row in stream { rows.append(row) }
        return rows
    }

    /// A clock that runs a closure whenever it is read.
    private struct CallbackClock: HealthStoreClock {
        let callback: @Sendable () -> Void

        var now: Date {
            callback()
            return Date(timeIntervalSinceReferenceDate: 0)
        }

        func schedule(
            at date: Date, _ work: @escaping @Sendable () -> Void
        ) -> ScheduledWork { ScheduledWork {} }
    }

    @Test("inserting a quantity while the series is being saved is an error")
    func insertWhileSaving() async throws {
        let (moment, isAccepted) = (fixture.start, Received<Bool>())
        let building = Received<HKQuantitySeriesSampleBuilder>()
        let clock = CallbackClock {
            guard let builder = building.all.first else { return }
            let step = HKQuantity(unit: .count(), doubleValue: 1)
            isAccepted((try? builder.insert(step, at: moment)) != nil)
        }
        let store = HKHealthStore.inMemory(configuration: HealthStoreConfiguration(clock: clock))
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: store, quantityType: steps, startDate: moment, device: nil)
        try builder.insert(count(5), at: moment)
        building(builder)
        let saved = try #require(try await builder.finishSeries(metadata: nil).first)
        #expect(isAccepted.count > 0)
        #expect(saved.count == 1 + isAccepted.all.filter { $0 }.count)
    }

    @Test("a series that could not be saved accepts more quantities")
    func insertAfterFailure() async throws {
        let store = HKHealthStore.inMemory(configuration: .withoutSummary)
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: store, quantityType: steps, startDate: fixture.start, device: nil)
        try builder.insert(count(5), at: fixture.start)
        await #expect(throws: HKError.self) { try await builder.finishSeries(metadata: nil) }
        try builder.insert(count(7), at: fixture.at(1))
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        let saved = try #require(try await builder.finishSeries(metadata: nil).first)
        #expect(saved.count == 2)
    }

    @Test(
        "§10.5 a series is one sample with the count and sum of its ordered quantities",
        .covers(
            "HKCumulativeQuantitySeriesSample", "HKCumulativeQuantitySeriesSample.sum",
            "HKQuantitySeriesSampleBuilder", "HKQuantitySample.count",
            "HKQuantitySeriesSampleBuilder.insert(_:for:)",
            "HKQuantitySeriesSampleBuilder.finishSeries(metadata:)",
            "HKQuantitySeriesSampleBuilder.init(healthStore:quantityType:startDate:device:)"))
    func cumulative() async throws {
        try await fixture.authorize()
        let saved = try await saveSteps([(30, 60, 120), (12, 0, 60)], from: 0)
        #expect(saved.quantityType == steps && saved.device == nil)
        #expect(saved.count == 2)
        #expect(saved.quantity.doubleValue(for: .count()) == 42)
        #expect(
            (saved as? HKCumulativeQuantitySample)?.sumQuantity.doubleValue(for: .count()) == 42)
        #expect(
            (saved as? HKCumulativeQuantitySeriesSample)?.sum.doubleValue(for: .count()) == 42)
        #expect(saved.startDate == fixture.start)
        #expect(saved.endDate == fixture.at(120))
        #expect(saved.sourceRevision.source.bundleIdentifier == "com.example.walks")
    }

    @Test(
        "§10.5 a discrete series has the average, the extremes and the most recent value",
        .covers(
            "HKQuantitySeriesSampleBuilder.insert(_:at:)",
            "HKQuantitySeriesSampleBuilder.finishSeries(metadata:endDate:)"))
    func discrete() async throws {
        try await fixture.authorize()
        let beats = HKUnit(from: "count/min")
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: fixture.store, quantityType: rate, startDate: fixture.start, device: nil)
        for (value, at) in [(100.0, 0.0), (140, 10), (120, 20)] {
            try builder.insert(HKQuantity(unit: beats, doubleValue: value), at: fixture.at(at))
        }
        let saved = try await builder.finishSeries(metadata: ["a": 1], endDate: fixture.at(60))
        let sample = try #require(saved.first as? HKDiscreteQuantitySample)
        #expect(sample.count == 3)
        #expect(sample.averageQuantity.doubleValue(for: beats) == 120)
        #expect(sample.minimumQuantity.doubleValue(for: beats) == 100)
        #expect(sample.maximumQuantity.doubleValue(for: beats) == 140)
        #expect(sample.mostRecentQuantity.doubleValue(for: beats) == 120)
        #expect(sample.endDate == fixture.at(60))
        #expect(sample.metadata?["a"] as? Int == 1)
    }

    @Test(
        "§10.5 quantities of overlapping series are ordered by start; only the last one is done",
        .covers(
            "HKQuantitySeriesSampleQuery", "HKQuantitySeriesSampleQuery.includeSample",
            "HKQuantitySeriesSampleQuery.orderByQuantitySampleStartDate",
            "HKQuantitySeriesSampleQuery.init(quantityType:predicate:quantityHandler:)"))
    func interleaved() async throws {
        try await fixture.authorize()
        _ = try await saveSteps([(1, 0, 10), (3, 20, 30)], from: 0)
        _ = try await saveSteps([(2, 10, 20), (4, 30, 40)], from: 5)
        let rows = try await queriedRows()
        #expect(rows.map(\.value) == [1, 2, 3, 4])
        #expect(rows.map(\.isDone) == [false, false, false, true])
        #expect(rows.allSatisfy { !$0.hasSample })
        let bySample = try await queriedRows {
            $0.orderByQuantitySampleStartDate = true
            $0.includeSample = true
        }
        #expect(bySample.map(\.value) == [1, 3, 2, 4])
        #expect(!bySample.contains { !$0.hasSample })
    }

    @Test("§10.5 without matches, the handler is called once with done")
    func nothing() async throws {
        try await fixture.authorize()
        let rows = try await queriedRows()
        #expect(rows.count == 1)
        #expect(rows.first?.value == nil)
        #expect(rows.first?.isDone == true)
    }

    @Test("§3.8 statistics assign each quantity of a series to its own bucket")
    func statistics() async throws {
        try await fixture.authorize()
        _ = try await saveSteps([(10, 0, 60), (90, 3_600, 3_660)], from: 0)
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum,
            anchorDate: fixture.start, intervalComponents: DateComponents(hour: 1))
        let collection = try await descriptor.result(for: fixture.store)
        let sums = collection.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) }
        #expect(sums == [10, 90])
    }

    @Test(
        "the descriptor returns the same quantities, with samples and in the order requested",
        .covers(
            "HKQuantitySeriesSampleQueryDescriptor",
            "HKQuantitySeriesSampleQueryDescriptor.init(predicate:options:)",
            "HKQuantitySeriesSampleQueryDescriptor.predicate",
            "HKQuantitySeriesSampleQueryDescriptor.options",
            "HKQuantitySeriesSampleQueryDescriptor.results(for:)",
            "HKQuantitySeriesSampleQueryDescriptor.Options",
            "HKQuantitySeriesSampleQueryDescriptor.Options.includeSample",
            "HKQuantitySeriesSampleQueryDescriptor.Options.orderByQuantitySampleStartDate",
            "HKQuantitySeriesSampleQueryDescriptor.Result",
            "HKQuantitySeriesSampleQueryDescriptor.Result.quantity",
            "HKQuantitySeriesSampleQueryDescriptor.Result.dateInterval",
            "HKQuantitySeriesSampleQueryDescriptor.Result.sample"))
    func descriptor() async throws {
        try await fixture.authorize()
        let first = try await saveSteps([(1, 0, 10), (3, 20, 30)], from: 0)
        let second = try await saveSteps([(2, 15, 18)], from: 5)
        var descriptor = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .includeSample)
        func results() async throws -> [HKQuantitySeriesSampleQueryDescriptor.Result] {
            var results: [HKQuantitySeriesSampleQueryDescriptor.Result] = []
            for try await result in descriptor.results(for: fixture.store) {
                results.append(result)
            }
            return results
        }
        let bySample = try await results()
        #expect(bySample.map { $0.quantity.doubleValue(for: .count()) } == [1, 2, 3])
        #expect(
            bySample.map(\.dateInterval) == [interval(0, 10), interval(15, 18), interval(20, 30)])
        #expect(bySample.map(\.sample) == [first, second, first])
        descriptor.options = .orderByQuantitySampleStartDate
        let grouped = try await results()
        #expect(grouped.map { $0.quantity.doubleValue(for: .count()) } == [1, 3, 2])
        #expect(grouped.map(\.sample) == [nil, nil, nil])
        descriptor.predicate = .quantitySample(
            type: steps,
            predicate: HKQuery.predicateForSamples(
                withStart: fixture.at(4), end: nil, options: .strictStartDate))
        descriptor.options = []
        #expect(try await results().map { $0.quantity.doubleValue(for: .count()) } == [2])
        typealias Options = HKQuantitySeriesSampleQueryDescriptor.Options
        #expect(Options.includeSample.isDisjoint(with: .orderByQuantitySampleStartDate))
    }

    @Test(
        "§10.5 a query for one sample returns the quantities of its series and their starts",
        .covers(
            "HKQuantitySeriesSampleQuery.init(sample:quantityHandler:)",
            "HKQuantitySeriesSampleBuilder.quantityType", "HKQuantitySeriesSampleBuilder.startDate",
            "HKQuantitySeriesSampleBuilder.device",
            "HKQuantitySeriesSampleBuilder.finishSeries(metadata:completion:)",
            "HKQuantitySeriesSampleBuilder.finishSeries(metadata:endDate:completion:)"))
    func oneSample() async throws {
        try await fixture.authorize()
        let other = HKQuantitySeriesSampleBuilder(
            healthStore: fixture.store, quantityType: steps, startDate: fixture.at(-5),
            device: nil)
        try other.insert(count(9), for: interval(-5, 500))
        let others = Received<Result<[HKQuantitySample], any Error>>()
        other.finishSeries(metadata: ["b": 2]) { others(.init($0, $1)) }
        let wide = try await others.next().get()
        #expect(wide.map(\.endDate) == [fixture.at(500)])
        #expect(wide.first?.metadata?["b"] as? Int == 2)

        let device = HKDevice(
            name: "Pod", manufacturer: nil, model: nil, hardwareVersion: nil,
            firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
            udiDeviceIdentifier: nil)
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: fixture.store, quantityType: steps, startDate: fixture.at(3),
            device: device)
        #expect(builder.quantityType == steps && builder.startDate == fixture.at(3))
        #expect(builder.device == device)
        try builder.insert(count(4), for: interval(20, 30))
        try builder.insert(count(3), for: interval(5, 10))
        let finished = Received<Result<[HKQuantitySample], any Error>>()
        builder.finishSeries(metadata: ["a": 1], endDate: fixture.at(60)) {
            finished(.init($0, $1))
        }
        let saved = try #require(try await finished.next().get().first)
        #expect(saved.startDate == fixture.at(3) && saved.endDate == fixture.at(60))
        #expect(saved.device?.name == "Pod" && saved.metadata?["a"] as? Int == 1)
        typealias Row = (value: Double?, start: Date?, isDone: Bool)
        let rows = Received<Row>()
        fixture.store.execute(
            HKQuantitySeriesSampleQuery(sample: saved) { _, quantity, start, isDone, _ in
                rows((quantity?.doubleValue(for: .count()), start, isDone))
            })
        #expect(try await rows.next() == (3, fixture.at(5), false))
        #expect(try await rows.next() == (4, fixture.at(20), true))
    }

    @Test(
        "unsuitable quantities, and those for a finished or discarded series, are rejected",
        .covers("HKQuantitySeriesSampleBuilder.discard()"))
    func refusals() async throws {
        try await fixture.authorize()
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: fixture.store, quantityType: steps, startDate: fixture.start, device: nil)
        #expect {
            try builder.insert(HKQuantity(unit: .meter(), doubleValue: 1), at: fixture.start)
        } throws: { isInvalidArgument($0) }
        #expect { try builder.insert(count(1), at: fixture.at(-1)) } throws: {
            isInvalidArgument($0)
        }
        await #expect { _ = try await builder.finishSeries(metadata: nil) } throws: {
            isInvalidArgument($0)
        }
        try builder.insert(count(1), at: fixture.at(10))
        await #expect {
            _ = try await builder.finishSeries(metadata: nil, endDate: fixture.at(5))
        } throws: { isInvalidArgument($0) }
        _ = try await builder.finishSeries(metadata: nil)
        #expect { try builder.insert(count(1), at: fixture.at(20)) } throws: {
            isInvalidArgument($0)
        }
        let other = HKQuantitySeriesSampleBuilder(
            healthStore: fixture.store, quantityType: steps, startDate: fixture.start, device: nil)
        try other.insert(count(1), at: fixture.start)
        other.discard()
        await #expect { _ = try await other.finishSeries(metadata: nil) } throws: {
            isInvalidArgument($0)
        }
        #expect(try await fixture.samples(of: steps, nil).count == 1)
    }
}
