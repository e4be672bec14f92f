// Anchored queries that have nothing to delete from, or hand the deletions on.
import HealthKit

struct RouteReader {
    let store: HKHealthStore

    /// One answer from the beginning, no anchor kept: there is nothing yet that could be deleted.
    func route(of workout: HKWorkout, completion: @escaping (HKWorkoutRoute?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKSeriesType.workoutRoute(),
            predicate: HKQuery.predicateForObjects(from: workout), anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in
            completion(samples?.first as? HKWorkoutRoute)
        }
        store.execute(query)
    }

    func once() async throws -> [HKWorkout] {
        try await HKAnchoredObjectQueryDescriptor(predicates: [.workout()], anchor: nil)
            .result(for: store).addedSamples
    }

    /// Only the anchor is of interest: where the history ends now.
    func head(completion: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.height), predicate: nil, anchor: HKQueryAnchor(fromValue: 0),
            limit: 0
        ) { _, samples, _, anchor, _ in
            guard samples != nil else { return completion(nil) }
            completion(anchor)
        }
        store.execute(query)
    }

    func pass(on sink: ChangeSink, since anchor: HKQueryAnchor?) async throws {
        let changes = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchor
        ).result(for: store)
        print("new:", changes.addedSamples.count)
        sink.apply(changes)
    }

    /// A type of our own whose members have Apple's names.
    func merge(_ batch: Batch) -> Int { batch.addedSamples.count }

    struct Batch {
        var addedSamples: [HKSample] = []
    }
}
