import Foundation
import HealthKit
import HealthSync

/// Weights beside HealthKit, brought up to date whenever the app comes to the front.
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

    /// Weights by what is known of them, the oldest first.
    func weights(_ state: Entry.State) async throws -> [Double] {
        var request = EntryRequest(of: HKQuantityType(.bodyMass))
        request.states = [state]
        request.order = .oldestFirst
        return try await mirror.entries(request).compactMap { entry in
            if case .quantity(let value, _) = entry.content { value } else { nil }
        }
    }
}
