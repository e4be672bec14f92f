// Anchors stored ahead of the transaction, or of the upload, in async code.
import HealthKit
import SwiftData

struct EagerMirror {
    let store: HKHealthStore
    let anchors: AnchorFile

    func workouts(into context: ModelContext) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchors.load("workout")
        ).result(for: store)
        for workout in result.addedSamples {
            context.insert(WorkoutRow(workout))
        }
        try remove(result.deletedObjects, from: context)
        try anchors.save(result.newAnchor, "workout")  // finds anchor-before-data
        try context.save()
    }

    func glucose(to server: GlucoseServer) async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose))],
            anchor: anchors.load("glucose"))
        let result = try await descriptor.result(for: store)
        try anchors.save(result.newAnchor, "glucose")  // finds anchor-before-data
        try await server.send(result.addedSamples, removed: result.deletedObjects)
    }

    func follow(_ mirror: Mirror) async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.mindfulSession))],
            anchor: anchors.load("mindful"))
        for try await update in descriptor.results(for: store) {
            try anchors.save(update.newAnchor, "mindful")  // finds anchor-before-data
            try await mirror.apply(update.addedSamples, update.deletedObjects)
        }
    }

    private func remove(_ objects: [HKDeletedObject], from context: ModelContext) throws {
        let gone = Set(objects.map(\.uuid))
        try context.delete(model: WorkoutRow.self, where: #Predicate { gone.contains($0.uuid) })
    }
}
