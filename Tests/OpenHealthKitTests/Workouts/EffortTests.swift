import Foundation
import HealthEngine
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

    @Test(
        "effort scores of a workout and of an activity can be related, read and unrelated",
        .covers(
            "HKWorkoutEffortRelationship", "HKWorkoutEffortRelationship.workout",
            "HKWorkoutEffortRelationship.activity", "HKWorkoutEffortRelationship.samples",
            "HKWorkoutEffortRelationshipQueryDescriptor",
            "HKWorkoutEffortRelationshipQueryDescriptor.init(predicate:anchor:option:)",
            "HKWorkoutEffortRelationshipQueryDescriptor.option",
            "HKWorkoutEffortRelationshipQueryDescriptor.result(for:)",
            "HKWorkoutEffortRelationshipQueryDescriptor.Result",
            "HKWorkoutEffortRelationshipQueryDescriptor.Result.relationships",
            "HKWorkoutEffortRelationshipQueryDescriptor.Result.newAnchor"))
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

    /// A saved workout with an activity.
    private func workout() async throws -> (HKWorkout, HKWorkoutActivity) {
        try await fixture.authorize([userScore, estimated])
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        let activity = HKWorkoutActivity(
            workoutConfiguration: fixture.run(), start: fixture.start, end: fixture.at(60),
            metadata: nil)
        try await builder.addWorkoutActivity(activity)
        try await builder.endCollection(at: fixture.at(60))
        return (try #require(try await builder.finishWorkout()), activity)
    }

    private func storedScores(of workout: HKWorkout) async throws -> [String] {
        let found = try await fixture.samples(of: .workoutType(), nil)
        let stored = try #require(found.first as? HKWorkout)
        return stored.content.activities.first?.effortSamples ?? []
    }

    @Test(
        "a score that is related twice is listed once, and unrelating it once removes it",
        .covers(
            "HKHealthStore.relateWorkoutEffortSample(_:with:activity:)",
            "HKHealthStore.relateWorkoutEffortSample(_:with:activity:completion:)",
            "HKHealthStore.unrelateWorkoutEffortSample(_:from:activity:)",
            "HKHealthStore.unrelateWorkoutEffortSample(_:from:activity:completion:)"))
    func twice() async throws {
        let (workout, activity) = try await workout()
        let (store, sample) = (fixture.store, score(userScore, 8))
        for _ in 0..<2 {
            #expect(
                try await store.relateWorkoutEffortSample(sample, with: workout, activity: activity)
            )
        }
        let related: Bool = await withCheckedContinuation { continuation in
            store.relateWorkoutEffortSample(sample, with: workout, activity: activity) {
                isRelated, _ in continuation.resume(returning: isRelated)
            }
        }
        #expect(related)
        #expect(try await storedScores(of: workout) == [sample.uuid.uuidString])
        #expect(try await relations().relationships.map(\.samples) == [[sample]])
        #expect(
            try await store.unrelateWorkoutEffortSample(sample, from: workout, activity: activity))
        #expect(try await relations().relationships.isEmpty)
        #expect(try await storedScores(of: workout).isEmpty)
        let error: HKError? = await withCheckedContinuation { continuation in
            store.unrelateWorkoutEffortSample(
                fixture.energy(1, 0, 60), from: workout, activity: activity
            ) { continuation.resume(returning: $0 ? nil : $1 as? HKError) }
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test("unrelating a score from an activity of another workout changes nothing")
    func foreignActivity() async throws {
        let (workout, _) = try await workout()
        let sample = score(userScore, 8)
        try fixture.store.relateEffort(sample, to: workout, nil)
        let other = HKWorkoutActivity(
            workoutConfiguration: fixture.run(), start: fixture.start, end: nil, metadata: nil)
        #expect {
            try fixture.store.unrelateEffort(sample, from: workout, other)
        } throws: { isInvalidArgument($0) }
        #expect(try await relations().relationships.map(\.samples) == [[sample]])
    }

    @Test(
        "the query and the predicate find the scores of a workout and of its activity",
        .covers(
            "HKWorkoutEffortRelationshipQuery",
            "HKWorkoutEffortRelationshipQuery.init(predicate:anchor:options:resultsHandler:)",
            "HKWorkoutEffortRelationshipQueryDescriptor.results(for:)",
            "HKWorkoutEffortRelationshipQueryDescriptor.predicate",
            "HKWorkoutEffortRelationshipQueryDescriptor.anchor",
            "HKQuery.predicateForWorkoutEffortSamplesRelated(workout:activity:)"))
    func query() async throws {
        let (workout, activity) = try await workout()
        let (whole, part) = (score(userScore, 8), score(userScore, 3))
        try fixture.store.relateEffort(whole, to: workout, nil)
        try fixture.store.relateEffort(part, to: workout, activity)
        let high = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 5))
        let found: ([[HKSample]?], HKQueryAnchor?) = await withCheckedContinuation { continuation in
            fixture.store.execute(
                HKWorkoutEffortRelationshipQuery(predicate: high, anchor: nil, options: []) {
                    _, relationships, anchor, _ in
                    continuation.resume(
                        returning: (relationships?.map(\.samples) ?? [], anchor))
                })
        }
        #expect(found.0 == [[whole]])
        var descriptor = HKWorkoutEffortRelationshipQueryDescriptor(
            predicate: high, anchor: nil, option: [])
        #expect(descriptor.predicate != nil && descriptor.anchor == nil)
        var sequence = descriptor.results(for: fixture.store).makeAsyncIterator()
        #expect(try await sequence.next()?.relationships.map(\.samples) == [[whole]])
        descriptor.anchor = found.1
        #expect(try await descriptor.result(for: fixture.store).relationships.isEmpty)

        let stored = try #require(
            try await fixture.samples(of: .workoutType(), nil).first as? HKWorkout)
        let all = HKQuery.predicateForWorkoutEffortSamplesRelated(workout: stored, activity: nil)
        #expect(Set(try await fixture.samples(of: userScore, all)) == [whole, part])
        let ofActivity = HKQuery.predicateForWorkoutEffortSamplesRelated(
            workout: stored, activity: activity)
        #expect(try await fixture.samples(of: userScore, ofActivity) == [part])
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
