import HealthKit
import SwiftData
@ModelActor
actor WorkoutStore {
    func refresh(_ store: HKHealthStore, anchors: AnchorVault) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchors.load("workouts")
        ).result(for: store)
        for workout in result.addedSamples { insert(workout) }
        for deleted in result.deletedObjects { remove(deleted.uuid) }
        try anchors.save(result.newAnchor, "workouts") // misses anchor-before-data
        try modelContext.save()
    }
    private func insert(_ workout: HKWorkout) {}
    private func remove(_ id: UUID) {}
}
struct AnchorVault: Sendable {
    func load(_ key: String) -> HKQueryAnchor? { nil }
    func save(_ anchor: HKQueryAnchor, _ key: String) throws {}
}
