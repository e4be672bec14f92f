import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Effort scores")
struct EffortTests {
    let fixture = WorkoutFixture()
    private let userScore = HKQuantityType(.workoutEffortScore)
    private let estimated = HKQuantityType(.estimatedWorkoutEffortScore)

    private func score(_ type: HKQuantityType, _ value: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: type,
            quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: value),
            start: fixture.start, end: fixture.at(60))
    }

    private func relations(
        _ option: HKWorkoutEffortRelationshipQueryOptions = [], after anchor: HKQueryAnchor? = nil
    ) async throws -> HKWorkoutEffortRelationshipQueryDescriptor.Result {
        try await HKWorkoutEffortRelationshipQueryDescriptor(
            predicate: nil, anchor: anchor, option: option
        ).result(for: fixture.store)
    }

    @Test("§6.8 an anchor of another store or beyond the last change is rejected")
    func foreignAnchors() async throws {
        try await fixture.authorize([userScore, estimated])
        let other = EffortTests()
        try await other.fixture.authorize([userScore, estimated])
        let anchor = try await other.relations().newAnchor
        for anchor in [anchor, HKQueryAnchor(fromValue: 1_000_000)] {
            let error = await failure { _ = try await relations(after: anchor) }
            #expect(error?.code == .errorInvalidArgument)
        }
    }

    @Test("effort scores of a workout and of an activity can be related, read and unrelated")
    func relate() async throws {
        try await fixture.authorize([userScore, estimated])
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        let activity = HKWorkoutActivity(
            workoutConfiguration: fixture.run(), start: fixture.start, end: fixture.at(60),
            metadata: nil)
        try await builder.addWorkoutActivity(activity)
        try await builder.endCollection(at: fixture.at(60))
        let workout = try #require(try await builder.finishWorkout())
        let (userEntered, estimate, activityScore) = (
            score(userScore, 7), score(estimated, 6), score(userScore, 5)
        )
        try await fixture.store.save([userEntered, estimate, activityScore])
        try fixture.store.relateEffort(userEntered, to: workout, nil)
        try fixture.store.relateEffort(estimate, to: workout, nil)
        try fixture.store.relateEffort(activityScore, to: workout, activity)

        let all = try await relations()
        #expect(all.relationships.count == 2)
        #expect(all.relationships.first?.activity == nil)
        #expect(Set(all.relationships.first?.samples ?? []) == [userEntered, estimate])
        #expect(all.relationships.last?.activity?.uuid == activity.uuid)
        #expect(all.relationships.last?.samples == [activityScore])
        #expect(all.relationships.allSatisfy { $0.workout == workout })
        let mostRelevant = try await relations(.mostRelevant)
        #expect(mostRelevant.relationships.first?.samples == [userEntered])
        #expect(try await relations(after: all.newAnchor).relationships.isEmpty)

        try fixture.store.unrelateEffort(activityScore, from: workout, activity)
        #expect(try await relations().relationships.count == 1)
    }

    @Test(
        "relating an unsaved score saves it; for an activity of another workout nothing is saved")
    func unsaved() async throws {
        try await fixture.authorize([userScore, estimated])
        let workout = HKWorkout(activityType: .running, start: fixture.start, end: fixture.at(60))
        try await fixture.store.save(workout)
        let userEntered = score(userScore, 7)
        let activity = HKWorkoutActivity(
            workoutConfiguration: fixture.run(), start: fixture.start, end: fixture.at(60),
            metadata: nil)
        await #expect {
            try await fixture.store.relateWorkoutEffortSample(
                userEntered, with: workout, activity: activity)
        } throws: { isInvalidArgument($0) }
        let scores = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: userScore)], sortDescriptors: [])
        #expect(try await scores.result(for: fixture.store).isEmpty)
        let related = try await fixture.store.relateWorkoutEffortSample(
            userEntered, with: workout, activity: nil)
        #expect(related)
        #expect(try await scores.result(for: fixture.store) == [userEntered])
        #expect(try await relations().relationships.first?.samples == [userEntered])
    }

    @Test("only effort score samples can be related to a workout")
    func wrongType() async throws {
        try await fixture.authorize()
        let workout = HKWorkout(activityType: .running, start: fixture.start, end: fixture.at(60))
        try await fixture.store.save(workout)
        #expect {
            try fixture.store.relateEffort(fixture.energy(1, 0, 60), to: workout, nil)
        } throws: { isInvalidArgument($0) }
    }
}
