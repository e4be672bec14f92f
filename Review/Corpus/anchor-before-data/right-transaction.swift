// A SwiftData mirror: changes, deletions and anchor in one save.
import HealthKit
import SwiftData

@Model
final class WorkoutRecord {
    var healthUUID: UUID
    var start: Date
    var kilocalories: Double
    var bundle: String?

    init(_ workout: HKWorkout) {
        healthUUID = workout.uuid
        start = workout.startDate
        kilocalories = workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) ?? 0
        bundle = workout.sourceRevision.source.bundleIdentifier
    }
}

@Model
final class SyncState {
    var type: String
    var anchorData: Data?
    var lastSync: Date

    init(type: String) {
        self.type = type
        lastSync = Date()
    }
}

@MainActor
struct WorkoutMirror {
    let store: HKHealthStore
    let context: ModelContext

    func sync() async throws {
        let states = try context.fetch(
            FetchDescriptor<SyncState>(predicate: #Predicate { $0.type == "workout" }))
        let anchor = try states.first?.anchorData.flatMap {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
        let changes = try await changes(since: anchor)
        for case let workout as HKWorkout in changes.added {
            context.insert(WorkoutRecord(workout))
        }
        for object in changes.deleted {
            let uuid = object.uuid
            let gone = FetchDescriptor<WorkoutRecord>(
                predicate: #Predicate { $0.healthUUID == uuid })
            try context.fetch(gone).forEach(context.delete)
        }
        let state = states.first ?? SyncState(type: "workout")
        state.anchorData = try NSKeyedArchiver.archivedData(
            withRootObject: changes.anchor, requiringSecureCoding: true)
        state.lastSync = Date()
        context.insert(state)
        try context.save()
    }

    private func changes(
        since anchor: HKQueryAnchor?
    ) async throws -> (added: [HKSample], deleted: [HKDeletedObject], anchor: HKQueryAnchor) {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: .workoutType(), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
            ) { _, added, deleted, newAnchor, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                let anchor = newAnchor ?? HKQueryAnchor(fromValue: 0)
                continuation.resume(returning: (added ?? [], deleted ?? [], anchor))
            }
            store.execute(query)
        }
    }

    func addRecent() async throws {
        let range = HKQuery.predicateForSamples(
            withStart: Date().addingTimeInterval(-30 * 86_400), end: Date(),
            options: .strictStartDate)
        let workouts = try await HKSampleQueryDescriptor(
            predicates: [.workout(range)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)]
        ).result(for: store)
        let known = Set(try context.fetch(FetchDescriptor<WorkoutRecord>()).map(\.healthUUID))
        for workout in workouts where !known.contains(workout.uuid) {
            context.insert(WorkoutRecord(workout))
        }
        try context.save()
    }
}
