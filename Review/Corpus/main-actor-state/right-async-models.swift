// Models whose async code is the main actor's, or hops.
import HealthKit
import SwiftUI

@MainActor
final class SwimModel: ObservableObject {
    @Published var swims: [HKWorkout] = []
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func load() async throws {
        swims = try await swims(in: store)
        Task { self.swims = try await self.swims(in: store) }
    }

    private func swims(in store: HKHealthStore) async throws -> [HKWorkout] {
        try await HKSampleQueryDescriptor(
            predicates: [.workout()], sortDescriptors: [], limit: 5
        ).result(for: store)
    }
}

@MainActor protocol Screen: ObservableObject {}

final class RowModel: Screen {
    @Published var count = 0
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func load() async throws {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workout()], sortDescriptors: [], limit: 5)
        count = try await descriptor.result(for: store).count
    }
}

final class WalkModel: ObservableObject {
    @Published var walks = 0
    private var cached = 0
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    @MainActor
    func load() async throws {
        walks = try await count()
    }

    func reload() async throws {
        cached = try await count()
        let found = cached
        await MainActor.run { walks = found }
        Task { @MainActor in self.walks = found }
        DispatchQueue.main.async { self.walks = found }
        await show(found)
        await self.show(found)
    }

    func start() {
        Task { @MainActor in
            self.walks = try await self.count()
        }
        Task { [weak self] in
            let found = try await self?.count() ?? 0
            await self?.show(found)
        }
    }

    @MainActor private func show(_ found: Int) { walks = found }

    private func count() async throws -> Int {
        let walks = try await HKSampleQueryDescriptor(
            predicates: [.workout()], sortDescriptors: [], limit: 5
        ).result(for: store)
        return walks.count
    }
}
