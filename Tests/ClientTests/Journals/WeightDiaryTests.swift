import Foundation
import OpenHealthKit
import Testing

/// Write-through with HealthKit as the source of truth.
@Suite struct WeightDiaryTests {
    let fixture: ClientFixture
    let diary: WeightDiary
    let bodyMass = HKQuantityType(.bodyMass)
    let kilogram = HKUnit.gramUnit(with: .kilo)

    init() throws {
        fixture = try ClientFixture()
        diary = WeightDiary(healthStore: fixture.store)
    }

    private func stored() async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: bodyMass)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: fixture.store)
    }

    private func at(_ hour: Double) -> Date { fixture.midnight.addingTimeInterval(hour * 3600) }

    @Test("an entry is in HealthKit and in the diary, with its note in the diary only")
    func log() async throws {
        try await diary.requestAuthorization()
        try await diary.log(71.4, at: at(7), note: "after the run")
        let sample = try #require(try await stored().first)
        #expect(sample.quantity.doubleValue(for: kilogram) == 71.4)
        #expect(sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
        #expect(sample.sourceRevision.source.name == "Diary")
        let row = try #require(await diary.sorted.first)
        #expect(row.sample == sample.uuid)
        #expect(row.note == "after the run")
    }

    @Test("a correction replaces its sample; the row keeps its note and is not duplicated")
    func correct() async throws {
        try await diary.requestAuthorization()
        let id = try await diary.log(71.4, at: at(7), note: "kept")
        try await diary.correct(id, to: 71.1)
        #expect(try await stored().map { $0.quantity.doubleValue(for: kilogram) } == [71.1])
        try await diary.reconcile()
        #expect(await diary.sorted.map(\.kilograms) == [71.1])
        #expect(await diary.sorted.map(\.note) == ["kept"])
    }

    @Test("samples of other apps are added, and deleted ones are removed permanently")
    func healthKitTakesPrecedence() async throws {
        try await diary.requestAuthorization()
        let mine = try await diary.log(71, at: at(7))
        let others = try await fixture.record(
            .bodyMass, kilogram, [(8, 0, 70), (9, 0, 69), (10, 0, 68)], by: fixture.watch)
        try await diary.reconcile()
        #expect(await diary.sorted.map(\.kilograms) == [71, 70, 69, 68])
        try await fixture.watch.delete(others[1])
        // The user deletes the diary's own entry in the Health app.
        let sample = try #require(await diary.rows[mine]?.sample)
        _ = try await fixture.store.deleteObjects(
            of: bodyMass, predicate: HKQuery.predicateForObject(with: sample))
        try await diary.reconcile()
        #expect(await diary.sorted.map(\.kilograms) == [70, 68])
        try await diary.reconcile()
        #expect(try await stored().count == 2)
    }

    @Test("a failed write leaves the row unacknowledged, and is retried with permission")
    func refusal() async throws {
        await #expect(throws: HKError.self) { try await diary.log(71, at: at(7)) }
        #expect(await diary.sorted.map(\.sample) == [nil])
        try await diary.requestAuthorization()
        try await diary.reconcile()
        let sample = try #require(try await stored().first)
        #expect(await diary.sorted.map(\.sample) == [sample.uuid])
    }

    @Test(
        "a weight is shown in the preferred unit, and can be converted to any",
        .timeLimit(.minutes(10)))
    func units() async throws {
        try await diary.requestAuthorization()
        try await diary.log(70, at: at(7))
        let preferred = try await fixture.store.preferredUnits(for: [bodyMass])
        let unit = try #require(preferred[bodyMass])
        #expect(bodyMass.is(compatibleWith: unit))
        let quantity = try #require(try await stored().first?.quantity)
        #expect(abs(quantity.doubleValue(for: .pound()) - 154.3236) < 0.001)
        #expect(quantity.doubleValue(for: .gram()) == 70_000)
        #expect(HKUnit(from: "kg") == kilogram)
        #expect(!quantity.is(compatibleWith: .count()))
    }

    @Test("the diary can delete only its own entries")
    func others() async throws {
        try await diary.requestAuthorization()
        let samples = try await fixture.record(
            .bodyMass, kilogram, [(8, 0, 70)], by: fixture.watch)
        await #expect(throws: HKError.self) { try await fixture.store.delete(samples[0]) }
        #expect(try await stored().count == 1)
    }
}
