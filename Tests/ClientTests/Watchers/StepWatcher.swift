import Foundation
import HealthKit
import HealthSync

/// Additions and deletions of steps, with a file for the position.
final class StepWatcher: Sendable {
    private let watcher: Watcher
    let positions: PositionFile
    let steps = Tally()

    /// The current content, and the events of the watcher.
    actor Tally {
        private(set) var counts: [UUID: Double] = [:]
        private(set) var deliveries = 0
        private(set) var losses: [LostPosition] = []

        func take(_ change: QuantityChange) {
            for walk in change.added { counts[walk.id] = walk.value }
            for id in change.deleted { counts[id] = nil }
            deliveries += change.added.count
        }

        func note(_ loss: LostPosition) { losses.append(loss) }
    }

    init(healthStore: HKHealthStore, file: URL) async throws {
        positions = try PositionFile(at: file)
        watcher = Watcher(
            store: healthStore, types: [TrackedType(HKQuantityType(.stepCount))],
            positions: positions)
        let steps = steps
        await watcher.onLostPosition { await steps.note($0) }
        try await watcher.on(.stepCount, unit: .count()) { await steps.take($0) }
    }

    func sync() async throws { try await watcher.sync() }

    var lost: LostPosition? { watcher.statuses.first?.subscribers.values.first?.lost }
}
