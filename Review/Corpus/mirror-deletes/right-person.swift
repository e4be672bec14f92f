// Deletes that a person asks for, one object or one's own account at a time.
import HealthKit
import SwiftUI

final class WeightLog {
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func deleteWeight(_ sample: HKQuantitySample) async throws {
        try await healthStore.delete(sample)
    }

    func undoLastEntry(_ sample: HKQuantitySample, completion: @escaping (Bool) -> Void) {
        healthStore.delete(sample) { success, _ in
            completion(success)
        }
    }

    func replace(_ old: HKQuantitySample, with new: HKQuantitySample) async throws {
        try await healthStore.save(new)
        try await healthStore.delete(old)
    }

    func removeEverythingOfMine() async throws {
        let mine = HKQuery.predicateForObjects(from: HKSource.default())
        try await healthStore.deleteObjects(of: HKQuantityType(.bodyMass), predicate: mine)
    }
}

struct WeightList: View {
    @State private var samples: [HKQuantitySample] = []
    let healthStore: HKHealthStore

    var body: some View {
        List {
            ForEach(samples, id: \.uuid) { sample in
                Text(sample.startDate, style: .date)
            }
            .onDelete { offsets in
                for offset in offsets {
                    let sample = samples[offset]
                    Task { try? await healthStore.delete(sample) }  // finds saved-though-failed
                }
            }
        }
    }
}
