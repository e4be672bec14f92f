import Foundation
import HealthKit

/// Rows that follow HealthKit through an archived anchor, and that `#Predicate` finds.
final class DeletedRows {
    struct Row: Sendable {
        let id: UUID
        let kind: String
        let duration: TimeInterval
    }

    private(set) var rows: [Row] = []
    private var anchorData: Data?
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func rows(of kind: String) throws -> [Row] {
        try rows.filter(#Predicate<Row> { $0.kind == kind })
    }

    func sync() async throws {
        let anchor: HKQueryAnchor? =
            if let anchorData {
                try NSKeyedUnarchiver.unarchivedObject(
                    ofClass: HKQueryAnchor.self, from: anchorData)
            } else {
                nil
            }
        let (added, deleted, newAnchor) = try await changes(since: anchor)
        for case let workout as HKWorkout in added {
            rows.append(Row(id: workout.uuid, kind: "workout", duration: workout.duration))
        }
        for object in deleted {
            let id = object.uuid
            let isDeleted = #Predicate<Row> { $0.id == id }
            try rows.removeAll { try isDeleted.evaluate($0) }
        }
        anchorData = try NSKeyedArchiver.archivedData(
            withRootObject: newAnchor, requiringSecureCoding: true)
    }

    private func changes(
        since anchor: HKQueryAnchor?
    ) async throws -> (added: [HKSample], deleted: [HKDeletedObject], newAnchor: HKQueryAnchor) {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: .workoutType(), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
            ) { _, added, deleted, newAnchor, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(
                    returning: (
                        added: added ?? [], deleted: deleted ?? [],
                        newAnchor: newAnchor ?? HKQueryAnchor(fromValue: 0)
                    ))
            }
            healthStore.execute(query)
        }
    }
}
