import Foundation
import OpenHealthKit
import Testing

/// A mirror that persists across launches: its anchors are in a file, and it applies deletions.
@Suite struct WorkoutMirrorTests {
    let fixture: ClientFixture
    let file = FileManager.default.temporaryDirectory
        .appending(path: "workouts-\(UUID().uuidString).json")

    init() throws { fixture = try ClientFixture() }

    private func run(
        _ activity: HKWorkoutActivityType, hour: Double, by handle: HKHealthStore
    ) async throws -> HKWorkout {
        let energy = HKQuantityType(.activeEnergyBurned)
        try await handle.requestAuthorization(toShare: [.workoutType(), energy], read: [])
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        let builder = HKWorkoutBuilder(
            healthStore: handle, configuration: configuration, device: nil)
        let start = fixture.midnight.addingTimeInterval(hour * 3600)
        try await builder.beginCollection(at: start)
        try await builder.addSamples([
            HKQuantitySample(
                type: energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 250),
                start: start.addingTimeInterval(1), end: start.addingTimeInterval(1800))
        ])
        try await builder.endCollection(at: start.addingTimeInterval(1800))
        return try #require(try await builder.finishWorkout())
    }

    @Test("each launch adds new workouts and removes deleted ones, without duplicates")
    func launches() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try await fixture.authorize(
            share: [.workoutType(), HKQuantityType(.activeEnergyBurned)],
            read: [.workoutType(), HKQuantityType(.activeEnergyBurned)])
        let first = try await run(.running, hour: 7, by: fixture.watch)
        let second = try await run(.walking, hour: 9, by: fixture.phone)
        let mirror = try WorkoutMirror(healthStore: fixture.store, file: file)
        #expect(try await mirror.synchronize() == (2, 0))
        #expect(await mirror.rows.map(\.uuid) == [first.uuid, second.uuid])
        #expect(await mirror.rows.map(\.energy) == [250, 250])
        #expect(await mirror.rows.first?.activity == HKWorkoutActivityType.running.rawValue)

        try await fixture.watch.delete(first)
        let third = try await run(.running, hour: 11, by: fixture.store)
        let later = try WorkoutMirror(healthStore: fixture.store, file: file)
        #expect(try await later.synchronize() == (1, 1))
        #expect(await later.rows.map(\.uuid) == [second.uuid, third.uuid])
        #expect(try await later.synchronize() == (0, 0))
        #expect(await later.rows.last?.bundleIdentifier == "com.example.diary")
    }

    @Test("HKSource.default() in a predicate is the app of the handle that executes the query")
    func ownWorkouts() async throws {
        try await fixture.authorize(share: [.workoutType()], read: [.workoutType()])
        _ = try await run(.running, hour: 7, by: fixture.watch)
        let early = try await run(.running, hour: 9, by: fixture.store)
        let late = try await run(.running, hour: 11, by: fixture.store)
        _ = try await run(.walking, hour: 13, by: fixture.store)
        let mirror = try WorkoutMirror(healthStore: fixture.store, file: file)
        let own = try await mirror.ownWorkouts(.running)
        #expect(own.map(\.uuid) == [late.uuid, early.uuid])
    }

    @Test("an anchor of another type is accepted and is a finding")
    func anchorReuse() async throws {
        let types: [HKQuantityTypeIdentifier] = [.stepCount, .bodyMass]
        try await fixture.authorize(read: Set(types.map { HKQuantityType($0) }))
        try await fixture.recordSteps([(8, 1, 100)], by: fixture.watch)
        let steps = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount))], anchor: nil
        ).result(for: fixture.store)
        _ = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))], anchor: steps.newAnchor
        ).result(for: fixture.store)
        let reused = fixture.store.diagnostics.findings.filter { $0.rule == .anchorPerType }
        #expect(reused.count == 1)
    }
}

private func == (a: (added: Int, deleted: Int), b: (Int, Int)) -> Bool {
    a.added == b.0 && a.deleted == b.1
}
