import Foundation
import GRDB
import HealthEngine
import HealthStorage
import Testing

@testable import OpenHealthKit

/// Types that only a file contains, and a workout's associated samples.
@Suite struct StoredTypeTests {
    @Test("a type that is only in the file is read under its own name")
    func strangeType() async throws {
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
        let moonlight = try #require(samples.first as? HKQuantitySample)
        #expect(moonlight.quantityType.identifier == "HKQuantityTypeIdentifierMoonlight")
        #expect(moonlight.startDate == Date(timeIntervalSinceReferenceDate: 0))
        // According to the file, no app wrote these.
        let walks = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: StoreFixture.steps)], sortDescriptors: []
        ).result(for: store)
        #expect(walks.map(\.sourceRevision.source.bundleIdentifier) == ["", ""])
    }

    @Test(
        "§10.8 stored and new samples are added to a workout together, or none if one was deleted")
    func membersOfBothKinds() async throws {
        let world = WorkoutWorld()
        try await world.authorize()
        let workout = HKWorkout(activityType: .running, start: world.at(0), end: world.at(600))
        let stored = world.energy(10, 0, 60)
        let gone = world.energy(40, 60, 90)
        try await world.store.save([workout, stored, gone])
        let read = try #require(
            try world.store.stored(gone).origin.map { _ in try world.store.stored(gone) })
        try await world.store.delete(gone)
        let first = world.energy(20, 120, 180)
        let error = await failure {
            try await world.store.addSamples([first, read], to: workout)
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try world.store.visible(HKQuantityType(.activeEnergyBurned)) == [stored.uuid])
        try await world.store.addSamples([first, stored], to: workout)
        let members = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.activeEnergyBurned),
                    predicate: HKQuery.predicateForObjects(from: workout))
            ], sortDescriptors: [])
        let found = try await members.result(for: world.store).map(\.uuid)
        #expect(Set(found) == [first.uuid, stored.uuid])
    }

    @Test("§10.8 a predicate on workout statistics agrees with statistics(for:)")
    func numbersAgree() async throws {
        let world = WorkoutWorld()
        try await world.authorize()
        let builder = world.builder()
        try await builder.beginCollection(at: world.at(0))
        try await builder.addSamples([
            world.energy(10, 10, 60), world.energy(20, 60, 120), world.heartRate(120, 20),
            world.heartRate(90, 100),
        ])
        try await builder.endCollection(at: world.at(600))
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
            #expect(try await query.result(for: world.store).count == 1, "\(predicate)")
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
