import Foundation
import GRDB
import HealthEngine
import HealthStorage
import Testing

@testable import OpenHealthKit

/// Types that only a file contains, and a workout's associated samples.
@Suite struct StoredTypeTests {
    @Test("a type that is only in the file is read under its own name")
    func unknownType() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        try SampleStore(at: path, access: .creating).close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO type (code, identifier, kind)
                    VALUES (20001, 'HKQuantityTypeIdentifierMoonlight', 1);
                    INSERT OR IGNORE INTO type (code, identifier, kind)
                    VALUES (37, 'HKQuantityTypeIdentifierStepCount', 1);
                    INSERT INTO origin (id) VALUES (1);
                    INSERT INTO sample (sequence, type, start_time, key, end_time, origin, value)
                    VALUES (1, 20001, 0, 0, 60, 1, 12), (2, 37, 0, 0, 60, 1, 5),
                        (3, 37, 0, 1, 60, 1, 6);
                    """)
        }
        try queue.close()
        let configuration = HealthStoreConfiguration(authorization: .assumed)
        let store = try HKHealthStore(path: path, configuration: configuration)
        let type = HKSampleType.of(identifier: "HKQuantityTypeIdentifierMoonlight")
        let query = HKSampleQueryDescriptor(
            predicates: [.sample(type: type)], sortDescriptors: [])
        let samples = try await query.result(for: store)
        #expect(samples.map(\.sampleType) == [type])
        let unknown = try #require(samples.first as? HKQuantitySample)
        #expect(unknown.quantityType.identifier == "HKQuantityTypeIdentifierMoonlight")
        #expect(unknown.startDate == Date(timeIntervalSinceReferenceDate: 0))
        // According to the file, no app wrote these.
        let walks = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: StoreFixture.steps)], sortDescriptors: []
        ).result(for: store)
        #expect(walks.map(\.sourceRevision.source.bundleIdentifier) == ["", ""])
    }

    @Test(
        "§10.8 stored and new samples are added to a workout together, or none if one was deleted")
    func membersOfBothKinds() async throws {
        let fixture = WorkoutFixture()
        try await fixture.authorize()
        let workout = HKWorkout(activityType: .running, start: fixture.at(0), end: fixture.at(600))
        let stored = fixture.energy(10, 0, 60)
        let deleted = fixture.energy(40, 60, 90)
        try await fixture.store.save([workout, stored, deleted])
        let read = try #require(
            try fixture.store.stored(deleted).origin.map { _ in try fixture.store.stored(deleted) })
        try await fixture.store.delete(deleted)
        let first = fixture.energy(20, 120, 180)
        let error = await failure {
            try await fixture.store.addSamples([first, read], to: workout)
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try fixture.store.visible(HKQuantityType(.activeEnergyBurned)) == [stored.uuid])
        try await fixture.store.addSamples([first, stored], to: workout)
        let members = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.activeEnergyBurned),
                    predicate: HKQuery.predicateForObjects(from: workout))
            ], sortDescriptors: [])
        let found = try await members.result(for: fixture.store).map(\.uuid)
        #expect(Set(found) == [first.uuid, stored.uuid])
    }

    @Test("§10.8 a predicate on workout statistics agrees with statistics(for:)")
    func numbersAgree() async throws {
        let fixture = WorkoutFixture()
        try await fixture.authorize()
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.at(0))
        try await builder.addSamples([
            fixture.energy(10, 10, 60), fixture.energy(20, 60, 120), fixture.heartRate(120, 20),
            fixture.heartRate(90, 100),
        ])
        try await builder.endCollection(at: fixture.at(600))
        let workout = try #require(try await builder.finishWorkout())
        let (energy, rate) = (HKQuantityType(.activeEnergyBurned), HKQuantityType(.heartRate))
        let numbers = try #require(workout.statistics(for: rate))
        let checks: [(NSPredicate, HKQuantity?)] = [
            (.workouts(sum: energy, workout), workout.statistics(for: energy)?.sumQuantity()),
            (.workouts(average: rate, workout), numbers.averageQuantity()),
            (.workouts(minimum: rate, workout), numbers.minimumQuantity()),
            (.workouts(maximum: rate, workout), numbers.maximumQuantity()),
        ]
        for (predicate, quantity) in checks {
            #expect(quantity != nil)
            let query = HKSampleQueryDescriptor(
                predicates: [.workout(predicate)], sortDescriptors: [])
            #expect(try await query.result(for: fixture.store).count == 1, "\(predicate)")
            #expect(predicate.evaluate(with: workout))
        }
    }
}

extension NSPredicate {
    private static func workouts(
        _ quantity: HKQuantity?, _ make: (HKQuantity) -> NSPredicate
    ) -> NSPredicate { quantity.map(make) ?? NSPredicate(value: false) }

    fileprivate static func workouts(sum type: HKQuantityType, _ workout: HKWorkout)
        -> NSPredicate
    {
        workouts(workout.statistics(for: type)?.sumQuantity()) {
            HKQuery.predicateForWorkouts(
                operatorType: .equalTo, quantityType: type, sumQuantity: $0)
        }
    }

    fileprivate static func workouts(average type: HKQuantityType, _ workout: HKWorkout)
        -> NSPredicate
    {
        workouts(workout.statistics(for: type)?.averageQuantity()) {
            HKQuery.predicateForWorkouts(
                operatorType: .equalTo, quantityType: type, averageQuantity: $0)
        }
    }

    fileprivate static func workouts(minimum type: HKQuantityType, _ workout: HKWorkout)
        -> NSPredicate
    {
        workouts(workout.statistics(for: type)?.minimumQuantity()) {
            HKQuery.predicateForWorkouts(
                operatorType: .equalTo, quantityType: type, minimumQuantity: $0)
        }
    }

    fileprivate static func workouts(maximum type: HKQuantityType, _ workout: HKWorkout)
        -> NSPredicate
    {
        workouts(workout.statistics(for: type)?.maximumQuantity()) {
            HKQuery.predicateForWorkouts(
                operatorType: .equalTo, quantityType: type, maximumQuantity: $0)
        }
    }
}
