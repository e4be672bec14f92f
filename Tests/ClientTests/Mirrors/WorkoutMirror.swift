import Foundation
import HealthKit

/// An app's own table of workouts, linked to HealthKit's by UUID and updated through anchors.
actor WorkoutMirror {
    struct Row: Codable, Equatable, Sendable {
        let uuid: UUID
        let start: Date
        let activity: UInt
        let duration: TimeInterval
        let energy: Double
        let bundleIdentifier: String
    }

    struct Contents: Codable, Sendable {
        var rows: [UUID: Row] = [:]
        var anchor: Data?
    }

    private let healthStore: HKHealthStore
    private let file: URL
    private(set) var contents = Contents()

    init(healthStore: HKHealthStore, file: URL) throws {
        self.healthStore = healthStore
        self.file = file
        if FileManager.default.fileExists(atPath: file.path) {
            contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
        }
    }

    var rows: [Row] { contents.rows.values.sorted { $0.start < $1.start } }

    /// Reads the changes since the last call. Rows and anchor are saved together, afterwards.
    @discardableResult
    func synchronize() async throws -> (added: Int, deleted: Int) {
        let anchor = try contents.anchor.flatMap {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
        let changes = try await changes(since: anchor)
        var contents = contents
        for case let workout as HKWorkout in changes.added {
            contents.rows[workout.uuid] = Row(workout)
        }
        for object in changes.deleted { contents.rows[object.uuid] = nil }
        contents.anchor = try NSKeyedArchiver.archivedData(
            withRootObject: changes.anchor, requiringSecureCoding: true)
        try JSONEncoder().encode(contents).write(to: file, options: .atomic)
        self.contents = contents
        return (changes.added.count, changes.deleted.count)
    }

    private typealias Changes = (
        added: [HKSample], deleted: [HKDeletedObject], anchor: HKQueryAnchor
    )

    private func changes(since anchor: HKQueryAnchor?) async throws -> Changes {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: .workoutType(), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
            ) { _, added, deleted, newAnchor, error in
                guard let newAnchor else {
                    continuation.resume(throwing: error ?? HKError(.errorNoData))
                    return
                }
                continuation.resume(returning: (added ?? [], deleted ?? [], newAnchor))
            }
            healthStore.execute(query)
        }
    }

    /// Returns the app's own workouts of one kind, the latest first.
    func ownWorkouts(_ activity: HKWorkoutActivityType) async throws -> [HKWorkout] {
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForWorkouts(with: activity),
            HKQuery.predicateForObjects(from: HKSource.default()),
        ])
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: .workoutType(), predicate: predicate, limit: HKObjectQueryNoLimit,
                sortDescriptors: [
                    NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
                ]
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: samples as? [HKWorkout] ?? [])
                }
            }
            healthStore.execute(query)
        }
    }
}

extension WorkoutMirror.Row {
    init(_ workout: HKWorkout) {
        let energy = workout.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()
        self.init(
            uuid: workout.uuid, start: workout.startDate,
            activity: workout.workoutActivityType.rawValue, duration: workout.duration,
            energy: energy?.doubleValue(for: .kilocalorie()) ?? 0,
            bundleIdentifier: workout.sourceRevision.source.bundleIdentifier)
    }
}
