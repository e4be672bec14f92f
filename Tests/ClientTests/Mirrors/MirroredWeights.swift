import Foundation
import HealthKit
import HealthSync

/// Mirrored weights, refreshed whenever the app becomes active.
struct MirroredWeights: Sendable {
    let mirror: Mirror
    private let watcher: Watcher

    init(healthStore: HKHealthStore, mirror: Mirror) async throws {
        self.mirror = mirror
        watcher = Watcher(
            store: healthStore, types: [TrackedType(HKQuantityType(.bodyMass))],
            positions: mirror)
        try await watcher.mirror(into: mirror)
    }

    func refresh() async throws { try await watcher.sync() }

    /// Returns the weights in a state, the oldest first.
    func weights(_ state: MirrorEntry.State) async throws -> [Double] {
        var request = EntryRequest(of: HKQuantityType(.bodyMass))
        request.states = [state]
        request.order = .oldestFirst
        return try await mirror.entries(request).compactMap { entry in
            if case .quantity(let value, _) = entry.content { value } else { nil }
        }
    }
}
