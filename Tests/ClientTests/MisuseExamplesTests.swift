import Foundation
import OpenHealthKit
import Testing

/// Each mistake has the result that it has on a phone, and is reported under its rule.
@Suite struct MisuseExamplesTests {
    let household: Household
    let examples: MisuseExamples

    init() throws {
        household = try Household()
        examples = MisuseExamples(healthStore: household.store)
    }

    private func findings(_ rule: Finding.Rule) -> [Finding] {
        household.store.diagnostics.findings.filter { $0.rule == rule }
    }

    @Test("a sum over all samples is too large and gives two findings: unlimited, overlapping")
    func sumOfEverything() async throws {
        try await household.authorize()
        try await household.walk()
        #expect(try await examples.sumOfEverything() == 8432 + 3210)
        let type = examples.steps.identifier
        #expect(
            findings(.limitQueries).map(\.kind) == [.unlimitedQuery(types: [type], rowsRead: 6)])
        let summed = findings(.useStatistics)
        #expect(summed.count == 1)
        #expect(summed.first?.description.contains(type) == true)
    }

    @Test("deletions that are not read are a finding")
    func deletions() async throws {
        try await household.authorize()
        let samples = try await household.walked([(8, 1, 100), (9, 1, 50)], by: household.watch)
        let first = try await examples.additions(since: nil)
        #expect(first.0 == 2)
        try await household.watch.delete(samples[0])
        let second = try await examples.additions(since: first.1)
        #expect(second.0 == 0)
        let told = await Household.eventually { !findings(.handleDeletions).isEmpty }
        #expect(told)
    }

    @Test("unsuitable statistics options are an error and a finding")
    func options() async throws {
        try await household.authorize()
        try await household.walk()
        let error = await #expect(throws: HKError.self) { try await examples.averageSteps() }
        #expect(error?.code == .errorInvalidArgument)
        #expect(findings(.fitOptions).count == 1)
    }

    @Test("background delivery without an observer is a finding")
    func delivery() async throws {
        try await household.authorize()
        try await examples.enableDelivery()
        #expect(findings(.observeDelivery).count == 1)
    }

    @Test("an observer that releases its completion without a call is a finding")
    func completion() async throws {
        try await household.authorize()
        try await examples.enableDelivery()
        let wakes = AsyncStream<Void>.makeStream()
        let query = examples.observe { wakes.continuation.yield() }
        _ = await wakes.stream.first { _ in true }
        try await household.walk()
        let told = await Household.eventually { !findings(.callCompletion).isEmpty }
        #expect(told)
        household.store.stop(query)
    }

    @Test("correct code gives no findings")
    func careful() async throws {
        try await household.authorize()
        try await household.walk()
        let reader = StepReader(healthStore: household.store)
        _ = try await reader.totalsBySource(on: household.day)
        _ = try await reader.samples(on: household.day)
        #expect(household.store.diagnostics.findings.map(\.description) == [])
    }

    @Test("a format predicate excludes manual entries and samples before a date")
    func formats() async throws {
        try await household.authorize()
        try await household.walked([(-30, 1, 5), (8, 1, 100)], by: household.watch)
        try await household.phone.requestAuthorization(toShare: [examples.steps], read: [])
        for (entered, count) in [(true, 7.0), (false, 9)] {
            try await household.phone.save(
                HKQuantitySample(
                    type: examples.steps,
                    quantity: HKQuantity(unit: .count(), doubleValue: count),
                    start: household.midnight.addingTimeInterval(40_000),
                    end: household.midnight.addingTimeInterval(40_060),
                    metadata: [HKMetadataKeyWasUserEntered: entered]))
        }
        let samples = try await examples.measuredSteps()
        #expect(samples.map { $0.quantity.doubleValue(for: .count()) } == [100, 9])
    }
}
