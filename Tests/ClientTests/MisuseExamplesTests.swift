import Foundation
import OpenHealthKit
import Testing

/// Each mistake has the result that it has on a phone, and is reported under its rule.
@Suite struct MisuseExamplesTests {
    let fixture: ClientFixture
    let examples: MisuseExamples

    init() throws {
        fixture = try ClientFixture()
        examples = MisuseExamples(healthStore: fixture.store)
    }

    private func findings(_ rule: Finding.Rule) -> [Finding] {
        fixture.store.diagnostics.findings.filter { $0.rule == rule }
    }

    @Test("a sum over all samples is too large and gives two findings: unlimited, overlapping")
    func sumOfEverything() async throws {
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
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
        try await fixture.authorize()
        let samples = try await fixture.recordSteps([(8, 1, 100), (9, 1, 50)], by: fixture.watch)
        let first = try await examples.additions(since: nil)
        #expect(first.0 == 2)
        try await fixture.watch.delete(samples[0])
        let second = try await examples.additions(since: first.1)
        #expect(second.0 == 0)
        let isReported = await ClientFixture.eventually { !findings(.handleDeletions).isEmpty }
        #expect(isReported)
    }

    @Test("unsuitable statistics options are an error and a finding")
    func options() async throws {
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        let error = await #expect(throws: HKError.self) { try await examples.averageSteps() }
        #expect(error?.code == .errorInvalidArgument)
        #expect(findings(.fitOptions).count == 1)
    }

    @Test("background delivery without an observer is a finding")
    func delivery() async throws {
        try await fixture.authorize()
        try await examples.enableDelivery()
        #expect(findings(.observeDelivery).count == 1)
    }

    @Test("an observer that releases its completion without a call is a finding")
    func completion() async throws {
        try await fixture.authorize()
        try await examples.enableDelivery()
        let wakes = AsyncStream<Void>.makeStream()
        let query = examples.observe { wakes.continuation.yield() }
        _ = await wakes.stream.first { _ in true }
        try await fixture.recordOverlappingSteps()
        let isReported = await ClientFixture.eventually { !findings(.callCompletion).isEmpty }
        #expect(isReported)
        fixture.store.stop(query)
    }

    @Test("correct code gives no findings")
    func careful() async throws {
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        let reader = StepReader(healthStore: fixture.store)
        _ = try await reader.totalsBySource(on: fixture.day)
        _ = try await reader.samples(on: fixture.day)
        #expect(fixture.store.diagnostics.findings.map(\.description) == [])
    }

    @Test("a format predicate excludes manual entries and samples before a date")
    func formats() async throws {
        try await fixture.authorize()
        try await fixture.recordSteps([(-30, 1, 5), (8, 1, 100)], by: fixture.watch)
        try await fixture.phone.requestAuthorization(toShare: [examples.steps], read: [])
        for (entered, count) in [(true, 7.0), (false, 9)] {
            try await fixture.phone.save(
                HKQuantitySample(
                    type: examples.steps,
                    quantity: HKQuantity(unit: .count(), doubleValue: count),
                    start: fixture.midnight.addingTimeInterval(40_000),
                    end: fixture.midnight.addingTimeInterval(40_060),
                    metadata: [HKMetadataKeyWasUserEntered: entered]))
        }
        let samples = try await examples.measuredSteps()
        #expect(samples.map { $0.quantity.doubleValue(for: .count()) } == [100, 9])
    }
}
