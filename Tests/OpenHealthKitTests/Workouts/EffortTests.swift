import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Effort scores")
struct EffortTests {
    let world = WorkoutWorld()
    private let given = HKQuantityType(.workoutEffortScore)
    private let estimated = HKQuantityType(.estimatedWorkoutEffortScore)

    private func score(_ type: HKQuantityType, _ value: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: type,
            quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: value),
            start: world.start, end: world.at(60))
    }

    private func relations(
        _ option: HKWorkoutEffortRelationshipQueryOptions = [], after anchor: HKQueryAnchor? = nil
    ) async throws -> HKWorkoutEffortRelationshipQueryDescriptor.Result {
        try await HKWorkoutEffortRelationshipQueryDescriptor(
            predicate: nil, anchor: anchor, option: option
        ).result(for: world.store)
    }

    @Test("§6.8 an anchor of another store or beyond the last change is rejected")
    func foreignAnchors() async throws {
        try await world.authorize([given, estimated])
        let other = EffortTests()
        try await other.world.authorize([given, estimated])
        let anchor = try await other.relations().newAnchor
        for anchor in [anchor, HKQueryAnchor(fromValue: 1_000_000)] {
            let error = await failure { _ = try await relations(after: anchor) }
            #expect(error?.code == .errorInvalidArgument)
        }
    }

    @Test("effort scores of a workout and of an activity can be related, read and unrelated")
    func relate() async throws {
        try await world.authorize([given, estimated])
        let builder = world.builder()
        try await builder.beginCollection(at: world.start)
        let leg = HKWorkoutActivity(
            workoutConfiguration: world.run(), start: world.start, end: world.at(60), metadata: nil)
        try await builder.addWorkoutActivity(leg)
        try await builder.endCollection(at: world.at(60))
        let workout = try #require(try await builder.finishWorkout())
        let (mine, guessed, activityScore) = (score(given, 7), score(estimated, 6), score(given, 5))
        try await world.store.save([mine, guessed, activityScore])
        try world.store.relateEffort(mine, to: workout, nil)
        try world.store.relateEffort(guessed, to: workout, nil)
        try world.store.relateEffort(activityScore, to: workout, leg)

        let all = try await relations()
        #expect(all.relationships.count == 2)
        #expect(all.relationships.first?.activity == nil)
        #expect(Set(all.relationships.first?.samples ?? []) == [mine, guessed])
        #expect(all.relationships.last?.activity?.uuid == leg.uuid)
        #expect(all.relationships.last?.samples == [activityScore])
        #expect(all.relationships.allSatisfy { $0.workout == workout })
        let best = try await relations(.mostRelevant)
        #expect(best.relationships.first?.samples == [mine])
        #expect(try await relations(after: all.newAnchor).relationships.isEmpty)

        try world.store.unrelateEffort(activityScore, from: workout, leg)
        #expect(try await relations().relationships.count == 1)
    }

    @Test(
        "relating an unsaved score saves it; for an activity of another workout nothing is saved")
    func unsaved() async throws {
        try await world.authorize([given, estimated])
        let workout = HKWorkout(activityType: .running, start: world.start, end: world.at(60))
        try await world.store.save(workout)
        let mine = score(given, 7)
        let leg = HKWorkoutActivity(
            workoutConfiguration: world.run(), start: world.start, end: world.at(60), metadata: nil)
        await #expect {
            try await world.store.relateWorkoutEffortSample(mine, with: workout, activity: leg)
        } throws: { isRefusal($0) }
        let scores = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: given)], sortDescriptors: [])
        #expect(try await scores.result(for: world.store).isEmpty)
        let related = try await world.store.relateWorkoutEffortSample(
            mine, with: workout, activity: nil)
        #expect(related)
        #expect(try await scores.result(for: world.store) == [mine])
        #expect(try await relations().relationships.first?.samples == [mine])
    }

    @Test("only effort score samples can be related to a workout")
    func wrongType() async throws {
        try await world.authorize()
        let workout = HKWorkout(activityType: .running, start: world.start, end: world.at(60))
        try await world.store.save(workout)
        #expect {
            try world.store.relateEffort(world.energy(1, 0, 60), to: workout, nil)
        } throws: { isRefusal($0) }
    }
}
