import Foundation
import HealthDashboard
import HealthTesting
import OpenHealthKit
import Testing

/// A day of a Watch and an iPhone, read in the ways that articles describe.
@Suite struct StepReaderTests {
    let household: Household
    let reader: StepReader

    init() throws {
        household = try Household()
        reader = StepReader(healthStore: household.store)
    }

    @Test(
        "separateBySource gives Watch 8432 and iPhone 3210; the sum has no duplicates",
        .covers(
            "HKStatisticsQuery", "HKStatistics.sumQuantity()", "HKStatistics.sumQuantity(for:)",
            "HKStatistics.sources", "HKStatisticsOptions.separateBySource"))
    func separateBySource() async throws {
        try await household.authorize()
        try await household.walk()
        let (sum, totals) = try await reader.totalsBySource(on: household.day)
        #expect(totals == ["Ann’s Watch": 8432, "Ann’s iPhone": 3210])
        #expect(sum == 8432 + 605 + 1200)
        #expect(try await reader.total(on: household.day) == 10_237)
    }

    @Test("a day without steps has no total and no error")
    func emptyDay() async throws {
        try await household.authorize()
        #expect(try await reader.total(on: household.day) == nil)
    }

    @Test("the sum of raw samples counts the overlap twice; their timeline counts it once")
    func rawSamples() async throws {
        try await household.authorize()
        try await household.walk()
        let samples = try await reader.samples(on: household.day)
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
        try await household.authorize()
        try await household.walk()
        try await household.walked(
            [(9, 1, 77)],
            by: household.store.withIdentity(
                AppIdentity("com.example.pedometer", name: "Pedometer")))
        let sources = try await reader.sources()
        #expect(Set(sources.map(\.name)) == ["Ann’s Watch", "Ann’s iPhone", "Pedometer"])
        let apple = sources.filter { $0.bundleIdentifier.hasPrefix("com.apple") }
        #expect(apple.count == 2)
        let others = try await reader.samples(
            from: sources.subtracting(apple), on: household.day)
        #expect(others.map { $0.quantity.doubleValue(for: .count()) } == [77])
        let watch = sources.filter { $0.name.contains("Watch") }
        let steps = try await reader.samples(from: watch, on: household.day)
        #expect(steps.map { $0.quantity.doubleValue(for: .count()) } == [3000, 2432, 3000])
    }

    @Test("only strictStartDate excludes a sample that starts before midnight")
    func midnight() async throws {
        try await household.authorize()
        try await household.walked([(-0.5, 1, 100), (23.5, 1, 40)], by: household.watch)
        #expect(try await reader.total(on: household.day) == 40)
        let loose = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.stepCount),
                predicate: HKQuery.predicateForSamples(
                    withStart: household.day.start, end: household.day.end)),
            options: .cumulativeSum, anchorDate: household.midnight,
            intervalComponents: DateComponents(day: 1)
        ).result(for: household.store)
        let day = loose.statistics(for: household.midnight)
        // Buckets clip samples: half of each is inside.
        #expect(day?.sumQuantity()?.doubleValue(for: .count()) == 70)
    }

    @Test("suitable options work for energy and heart rate; others are errors and do not trap")
    func options() async throws {
        let energy = HKQuantityType(.activeEnergyBurned)
        let pulse = HKQuantityType(.heartRate)
        try await household.authorize(read: [energy, pulse])
        try await household.record(
            .activeEnergyBurned, .kilocalorie(), [(8, 1, 300)], by: household.watch)
        try await household.record(
            .activeEnergyBurned, .kilocalorie(), [(8.5, 1, 100)], by: household.phone)
        try await household.record(
            .heartRate, HKUnit(from: "count/min"), [(8, 0, 60), (9, 0, 100)], by: household.watch)
        let burned = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: energy), options: .cumulativeSum
        ).result(for: household.store)
        #expect(burned?.sumQuantity()?.doubleValue(for: .kilocalorie()) == 350)
        let beats = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: pulse),
            options: [.discreteMin, .discreteMax, .mostRecent]
        ).result(for: household.store)
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        #expect(beats?.minimumQuantity()?.doubleValue(for: perMinute) == 60)
        #expect(beats?.maximumQuantity()?.doubleValue(for: perMinute) == 100)
        #expect(beats?.mostRecentQuantity()?.doubleValue(for: perMinute) == 100)
        await #expect(throws: HKError.self) {
            try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: pulse), options: .cumulativeSum
            ).result(for: household.store)
        }
    }
}
