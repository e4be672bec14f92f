import Foundation
import HealthDashboard
import HealthEngine
import HealthSimulator
import HealthTesting
import OpenHealthKit
import Testing

/// Samples merged outside the store, compared with the store and with the reference merge.
@Suite struct TimelineTests {
    let store = HKHealthStore.inMemory()
    let steps = HKQuantityType(.stepCount)
    let ten = Date(timeIntervalSinceReferenceDate: 796_903_200)

    private func save(
        _ value: Double, from start: Double, to end: Double, by identity: AppIdentity,
        _ type: HKQuantityTypeIdentifier = .stepCount, unit: HKUnit = .count()
    ) async throws {
        let sample = HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
            start: ten.addingTimeInterval(start), end: ten.addingTimeInterval(end))
        let handle = store.withIdentity(identity)
        try await handle.requestAuthorization(toShare: [sample.sampleType], read: [])
        try await handle.save(sample)
    }

    private func samples(_ type: HKQuantityTypeIdentifier = .stepCount) async throws
        -> [HKQuantitySample]
    {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(type)])
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(type))], sortDescriptors: []
        ).result(for: store)
    }

    @Test("the Watch counts for its time, and the iPhone proportionally for the rest")
    func overlap() async throws {
        try await save(100, from: 0, to: 600, by: .watch(named: "Watch"))
        try await save(100, from: 300, to: 900, by: .phone(named: "Phone"))
        let timeline = try await samples().timeline()
        let reported = timeline.mergedIntervals.map {
            "\($0.source.name) \($0.interval.start.timeIntervalSince(ten)) "
                + "\($0.interval.duration) \($0.quantity.doubleValue(for: .count()))"
        }
        #expect(reported == ["Watch 0.0 600.0 100.0", "Phone 600.0 300.0 50.0"])
        let total = try #require(timeline.total())
        #expect(total.sum.doubleValue(for: .count()) == 150)
        #expect(total.naiveSum.doubleValue(for: .count()) == 200)
        #expect(total.shares.map(\.source.name) == ["Watch", "Phone"])
        #expect(total.shares.map { $0.duplicate.doubleValue(for: .count()) } == [0, 50])
    }

    @Test("an explicit order overrides the default; unlisted sources follow")
    func givenOrder() async throws {
        try await save(100, from: 0, to: 600, by: .watch(named: "Watch"))
        try await save(100, from: 300, to: 900, by: .phone(named: "Phone"))
        try await save(10, from: 0, to: 900, by: .healthApp)
        let samples = try await samples()
        let phone = try #require(
            samples.map(\.sourceRevision.source).first { $0.name == "Phone" })
        let timeline = try samples.timeline(order: [phone, HKSource.default()])
        #expect(timeline.sources.map(\.name) == ["Phone", "Health", "Watch"])
        let total = try #require(timeline.total())
        #expect(abs(total.sum.doubleValue(for: .count()) - (100 + 10.0 / 3)) < 1e-9)
    }

    @Test("the default order is manual entries, Watch, iPhone, then others, newest first")
    func guessedOrder() async throws {
        try await save(1, from: 0, to: 1, by: AppIdentity("com.example.old", name: "Old"))
        try await save(1, from: 50, to: 51, by: AppIdentity("com.example.new", name: "New"))
        try await save(1, from: 60, to: 61, by: AppIdentity("com.example.old", name: "Old"))
        try await save(1, from: 10, to: 11, by: .phone(named: "Phone"))
        try await save(1, from: 20, to: 21, by: .watch(named: "First Watch"))
        try await save(1, from: 30, to: 31, by: .watch(named: "Second Watch"))
        try await save(1, from: 0, to: 1, by: .healthApp)
        var onWatch = AppIdentity("com.example.runner", name: "Runner")
        onWatch.productType = "Watch7,3"
        try await save(1, from: 2, to: 3, by: onWatch)
        #expect(
            try await samples().rankedSources().map(\.name) == [
                "Health", "Second Watch", "First Watch", "Phone", "New", "Runner", "Old",
            ])
    }

    @Test("the total agrees with the store's statistics, also for a part of the day")
    func agreesWithStore() async throws {
        var random = SeededRandom(seed: 7)
        let identities = [
            AppIdentity.watch(named: "Watch"), .phone(named: "Phone"),
            AppIdentity("com.example.band", name: "Band"),
        ]
        for index in 0..<60 {
            let start = Double.random(in: 0...7200, using: &random).rounded()
            let length = index % 9 == 0 ? 0 : Double.random(in: 1...900, using: &random)
            try await save(
                Double.random(in: 1...100, using: &random).rounded(), from: start,
                to: start + length, by: identities[index % 3])
        }
        let timeline = try await samples().timeline()
        let hours = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: ten,
            intervalComponents: DateComponents(hour: 1)
        ).result(for: store)
        for hour in 0..<2 {
            let start = ten.addingTimeInterval(Double(hour) * 3600)
            let mine = timeline.total(in: DateInterval(start: start, duration: 3600))
            let theirs = hours.statistics(for: start)?.sumQuantity()
            let difference =
                try #require(mine?.sum).doubleValue(for: .count())
                - #require(theirs).doubleValue(for: .count())
            #expect(abs(difference) < 1e-9, "seed 7, hour \(hour)")
        }
    }

    @Test(
        "random samples give the same result as a simple merge",
        arguments: 1...20 as ClosedRange<UInt64>)
    func agreesWithSimpleMerge(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let identities = (0..<4).map { AppIdentity("com.example.s\($0)", name: "S\($0)") }
        for identity in identities {
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let start = Double(Int.random(in: 0...40, using: &random))
                let end = start + Double(Int.random(in: 0...12, using: &random))
                try await save(24, from: start, to: end, by: identity)
            }
        }
        let samples = try await samples()
        guard !samples.isEmpty else { return }
        let order = samples.rankedSources().shuffled(using: &random)
        let timeline = try samples.timeline(order: order)
        // The samples as a batch, converted directly.
        var batch = SampleBatch(
            sources: order.map { Source(name: $0.name, bundleIdentifier: $0.bundleIdentifier) },
            origins: order.indices.map { Origin(source: Int32($0)) })
        for sample in samples {
            let place = try #require(order.firstIndex(of: sample.sourceRevision.source))
            batch.samples.append(
                Sample(
                    type: 1, origin: Int32(place),
                    start: sample.startDate.timeIntervalSinceReferenceDate,
                    end: sample.endDate.timeIntervalSinceReferenceDate, value: 24))
        }
        let slow = ReferenceMerge(
            batch, conversions: order.map { _ in .identity },
            order: SourceOrder(ranking: order.indices.map(Int32.init)), rules: .init())
        func line(_ start: Double, _ end: Double, _ source: String, _ value: Double) -> String {
            "\(start) \(end) \(source) \((value * 1e6).rounded() / 1e6)"
        }
        let mine = timeline.mergedIntervals.map { mergedInterval in
            line(
                mergedInterval.interval.start.timeIntervalSinceReferenceDate,
                mergedInterval.interval.end.timeIntervalSinceReferenceDate,
                mergedInterval.source.name,
                mergedInterval.quantity.doubleValue(for: .count()))
        }
        let theirs = slow.mergedIntervals().map {
            line($0.start, $0.end, order[$0.source].name, $0.value)
        }
        #expect(mine.sorted() == theirs.sorted(), "seed \(seed)")
    }

    @Test("units are converted, discrete samples stay whole, and unmergeable ones give a reason")
    func units() async throws {
        try await save(
            2, from: 0, to: 60, by: .watch(named: "W"), .distanceWalkingRunning, unit: .mile())
        try await save(
            1, from: 60, to: 120, by: .phone(named: "P"), .distanceWalkingRunning,
            unit: .meterUnit(with: .kilo))
        let distances = try await samples(.distanceWalkingRunning)
        let total = try #require(try distances.timeline(unit: .meter()).total())
        #expect(abs(total.sum.doubleValue(for: .meter()) - 4218.688) < 1e-9)
        #expect(
            throws: TimelineError.incompatibleUnit(
                "count", type: distances[0].sampleType.identifier)
        ) {
            try distances.timeline(unit: .count())
        }
        try await save(
            60, from: 0, to: 100, by: .watch(named: "W"), .heartRate,
            unit: HKUnit(from: "count/min"))
        try await save(
            70, from: 50, to: 150, by: .phone(named: "P"), .heartRate,
            unit: HKUnit(from: "count/min"))
        let pulse = try await samples(.heartRate)
        let timeline = try pulse.timeline()
        #expect(timeline.total() == nil)
        #expect(
            timeline.mergedIntervals.map {
                ($0.quantity.doubleValue(for: HKUnit(from: "count/min")) * 1e6).rounded() / 1e6
            }
                == [60, 70])
        #expect(timeline.mergedIntervals.map(\.interval.duration) == [100, 50])
        #expect(throws: TimelineError.self) { try (pulse + distances).timeline() }
        #expect(try [HKQuantitySample]().timeline().total() == nil)
        #expect(timeline.total(in: DateInterval(start: .distantPast, duration: 1)) == nil)
    }

    @Test("a night recorded by two devices has each stage once")
    func sleep() async throws {
        let type = HKCategoryType(.sleepAnalysis)
        func save(
            _ stage: HKCategoryValueSleepAnalysis, from start: Double, to end: Double,
            by identity: AppIdentity
        ) async throws {
            let handle = store.withIdentity(identity)
            try await handle.requestAuthorization(toShare: [type], read: [])
            try await handle.save(
                HKCategorySample(
                    type: type, value: stage.rawValue, start: ten.addingTimeInterval(start * 60),
                    end: ten.addingTimeInterval(end * 60)))
        }
        let watch = AppIdentity.watch(named: "Watch")
        let app = AppIdentity("com.example.sleep", name: "Sleep")
        try await save(.asleepCore, from: 0, to: 60, by: watch)
        try await save(.asleepDeep, from: 60, to: 90, by: watch)
        try await save(.asleepREM, from: 80, to: 100, by: watch)
        try await save(.awake, from: 100, to: 110, by: watch)
        try await save(.asleepUnspecified, from: 30, to: 150, by: app)
        try await store.requestAuthorization(toShare: [], read: [type])
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: type)], sortDescriptors: []
        ).result(for: store)
        let night = try samples.timeline(until: ten.addingTimeInterval(86_400))
        let asleep = Set(HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue))
        #expect(night.duration(of: asleep) == 140 * 60)
        #expect(night.duration(of: [HKCategoryValueSleepAnalysis.asleepDeep.rawValue]) == 30 * 60)
        #expect(
            night.duration(
                of: asleep,
                in: DateInterval(start: ten.addingTimeInterval(85 * 60), duration: 30 * 60))
                == 20 * 60)
        #expect(night.sources.map(\.name) == ["Watch", "Sleep"])
        let lastDuration = try #require(night.mergedIntervals.last?.interval.duration)
        #expect(abs(lastDuration - 40 * 60) < 1e-3)
        // In reversed order, the app's night covers most of the Watch's.
        let reversedTimeline = try samples.timeline(order: night.sources.reversed())
        #expect(reversedTimeline.duration(of: asleep) == 150 * 60)
    }
}
