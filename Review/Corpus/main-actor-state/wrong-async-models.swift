// Models without an actor, whose async code runs off the main thread.
import HealthKit
import SwiftUI

final class RideModel: ObservableObject {
    @Published var rides: [HKWorkout] = []
    @Published var isLoading = false
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func load() async {
        do {
            rides = try await fetch()  // finds main-actor-state
            isLoading = false
        } catch {
            print(error)
        }
    }

    func refresh() {
        Task {
            let found = try await self.fetch()
            self.rides = found  // finds main-actor-state
        }
    }

    func reload() {
        Task {
            guard let found = try? await self.fetch() else { return }
            self.show(found)
        }
    }

    private func show(_ found: [HKWorkout]) {
        rides.append(contentsOf: found)  // finds main-actor-state
    }

    private func fetch() async throws -> [HKWorkout] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)], limit: 20)
        return try await descriptor.result(for: store)
    }
}

@Observable
final class RestModel {
    var value: Double?
    @ObservationIgnored let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func load(_ range: NSPredicate) async throws {
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.restingHeartRate), predicate: range),
            options: .discreteAverage)
        let statistics = try await descriptor.result(for: store)
        value = statistics?.averageQuantity()?.doubleValue(for: HKUnit(from: "count/min"))  // finds main-actor-state
    }
}
