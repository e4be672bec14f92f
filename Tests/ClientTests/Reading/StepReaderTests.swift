import Foundation
import HealthDashboard
import HealthTesting
import OpenHealthKit
import Testing

/// A day of a Watch and an iPhone, read in the ways that articles describe.
@Suite struct StepReaderTests {
    let fixture: ClientFixture
    let reader: StepReader

    init() throws {
        fixture = try ClientFixture()
        reader = StepReader(healthStore: fixture.store)
    }

    @Test(
        "separateBySource gives Watch 8432 and iPhone 3210; the sum has no duplicates",
        .covers(
            "HKStatisticsQuery", "HKStatistics.sumQuantity()", "HKStatistics.sumQuantity(for:)",
            "HKStatistics.sources", "HKStatisticsOptions.separateBySource"))
    func separateBySource() async throws {
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        let (sum, totals) = try await reader.totalsBySource(on: fixture.day)
        #expect(totals == ["Ann’s Watch": 8432, "Ann’s iPhone": 3210])
        #expect(sum == 8432 + 605 + 1200)
        #expect(try await reader.total(on: fixture.day) == 10_237)
    }

    @Test("a day without steps has no total and no error")
    func emptyDay() async throws {
        try await fixture.authorize()
        #expect(try await reader.total(on: fixture.day) == nil)
    }

    @Test("the sum of raw samples counts the overlap twice; their timeline counts it once")
    func rawSamples() async throws {
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        let samples = try await reader.samples(on: fixture.day)
        #expect(samples.map(\.startDate) == samples.map(\.startDate).sorted())
        let naive = samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
        #expect(naive == 8432 + 3210)
        let total = try samples.timeline().total()
        #expect(total?.sum.doubleValue(for: .count()) == 10_237)
        // By the minute, preferring the Watch: the half hour in the afternoon is lost.
        var minutes: [Date: (Double, isWatch: Bool)] = [:]
        for sample in samples {
            let isWatch = sample.sourceRevision.source.name.contains("Watch")
            if minutes[sample.startDate] == nil || isWatch {
                minutes[sample.startDate] = (
                    sample.quantity.doubleValue(for: .count()), isWatch
                )
            }
        }
        #expect(minutes.values.reduce(0) { $0 + $1.0 } == 10_842)
    }

    @Test("sources are found, and samples can be selected by source", .covers("HKSourceQuery"))
    func sourceFilter() async throws {
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        try await fixture.recordSteps(
            [(9, 1, 77)],
            by: fixture.store.withIdentity(
                AppIdentity("com.example.pedometer", name: "Pedometer")))
        let sources = try await reader.sources()
        #expect(Set(sources.map(\.name)) == ["Ann’s Watch", "Ann’s iPhone", "Pedometer"])
        let apple = sources.filter { $0.bundleIdentifier.hasPrefix("com.apple") }
        #expect(apple.count == 2)
        let others = try await reader.samples(
            from: sources.subtracting(apple), on: fixture.day)
        #expect(others.map { $0.quantity.doubleValue(for: .count()) } == [77])
        let watch = sources.filter { $0.name.contains("Watch") }
        let steps = try await reader.samples(from: watch, on: fixture.day)
        #expect(steps.map { $0.quantity.doubleValue(for: .count()) } == [3000, 2432, 3000])
    }

    @Test("only strictStartDate excludes a sample that starts before midnight")
    func midnight() async throws {
        try await fixture.authorize()
        try await fixture.recordSteps([(-0.5, 1, 100), (23.5, 1, 40)], by: fixture.watch)
        #expect(try await reader.total(on: fixture.day) == 40)
        let loose = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.stepCount),
                predicate: HKQuery.predicateForSamples(
                    withStart: fixture.day.start, end: fixture.day.end)),
            options: .cumulativeSum, anchorDate: fixture.midnight,
            intervalComponents: DateComponents(day: 1)
        ).result(for: fixture.store)
        let day = loose.statistics(for: fixture.midnight)
        // Buckets clip samples: half of each is inside.
        #expect(day?.sumQuantity()?.doubleValue(for: .count()) == 70)
    }

    @Test("suitable options work for energy and heart rate; others are errors and do not trap")
    func options() async throws {
        let energy = HKQuantityType(.activeEnergyBurned)
        let pulse = HKQuantityType(.heartRate)
        try await fixture.authorize(read: [energy, pulse])
        try await fixture.record(
            .activeEnergyBurned, .kilocalorie(), [(8, 1, 300)], by: fixture.watch)
        try await fixture.record(
            .activeEnergyBurned, .kilocalorie(), [(8.5, 1, 100)], by: fixture.phone)
        try await fixture.record(
            .heartRate, HKUnit(from: "count/min"), [(8, 0, 60), (9, 0, 100)], by: fixture.watch)
        let burned = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: energy), options: .cumulativeSum
        ).result(for: fixture.store)
        #expect(burned?.sumQuantity()?.doubleValue(for: .kilocalorie()) == 350)
        let beats = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: pulse),
            options: [.discreteMin, .discreteMax, .mostRecent]
        ).result(for: fixture.store)
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        #expect(beats?.minimumQuantity()?.doubleValue(for: perMinute) == 60)
        #expect(beats?.maximumQuantity()?.doubleValue(for: perMinute) == 100)
        #expect(beats?.mostRecentQuantity()?.doubleValue(for: perMinute) == 100)
        await #expect(throws: HKError.self) {
            try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: pulse), options: .cumulativeSum
            ).result(for: fixture.store)
        }
    }
}
