// The date of the last sync used to find what is new: what arrives late is never seen.
import HealthKit
import SwiftUI

final class DatedSync {
    private let store: HKHealthStore
    private var lastFetch: Date?

    init(store: HKHealthStore) {
        self.store = store
    }

    func uploadNewSteps(_ upload: @escaping ([HKSample]) -> Void) {
        let lastSync = UserDefaults.standard.object(forKey: "lastSyncDate") as? Date ?? .distantPast
        let predicate = HKQuery.predicateForSamples(
            withStart: lastSync,  // finds timestamp-anchor
            end: Date(), options: .strictStartDate)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            upload(samples ?? [])
            UserDefaults.standard.set(Date(), forKey: "lastSyncDate")  // finds locked-device
        }
        store.execute(query)
    }

    func newWorkouts() async throws -> [HKWorkout] {
        let range = HKQuery.predicateForSamples(withStart: lastFetch, end: nil)  // finds timestamp-anchor
        let workouts = try await HKSampleQueryDescriptor(
            predicates: [.workout(range)], sortDescriptors: [SortDescriptor(\.startDate)],
            limit: 500
        ).result(for: store)
        lastFetch = Date()
        return workouts
    }
}

@MainActor
final class WeightImporter: ObservableObject {
    @AppStorage("lastImport") private var lastImport = 0.0
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func run() async throws -> [HKQuantitySample] {
        let since = Date(timeIntervalSince1970: lastImport)
        let predicate = HKQuery.predicateForSamples(
            withStart: since,  // finds timestamp-anchor
            end: .now)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.bodyMass), predicate: predicate)
            ],
            sortDescriptors: []
        ).result(for: store)
        lastImport = Date.now.timeIntervalSince1970
        return samples
    }
}
