import HealthKit
import SwiftData
@Model final class Row { var id: UUID; init(_ id: UUID) { self.id = id } }
@Model final class SyncAnchor {
    var type: String
    var data: Data?
    init(type: String) { self.type = type }
}
@MainActor
func syncOnce(_ context: ModelContext, _ stored: SyncAnchor, _ store: HKHealthStore) async throws {
    let anchor = try stored.data.flatMap { try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0) }
    let result = try await HKAnchoredObjectQueryDescriptor(predicates: [.workout()], anchor: anchor).result(for: store)
    stored.data = try NSKeyedArchiver.archivedData(withRootObject: result.newAnchor, requiringSecureCoding: true)
    for workout in result.addedSamples { context.insert(Row(workout.uuid)) }
    for gone in result.deletedObjects {
        let id = gone.uuid
        try context.delete(model: Row.self, where: #Predicate { $0.id == id })
    }
    try context.save()
}
