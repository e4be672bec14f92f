// The mark moves on although nothing could be read.
import Foundation
import HealthKit

final class NightlySync {
    private let store: HKHealthStore
    private let server: @Sendable ([HKSample]) async throws -> Void
    private let defaults = UserDefaults.standard

    init(store: HKHealthStore, server: @escaping @Sendable ([HKSample]) async throws -> Void) {
        (self.store, self.server) = (store, server)
    }

    func readNew(_ type: HKQuantityType, then done: @escaping () -> Void) {
        let since = defaults.object(forKey: "lastSync") as? Date ?? .now
        let query = HKSampleQuery(
            sampleType: type, predicate: HKQuery.predicateForSamples(withStart: since, end: nil),  // finds timestamp-anchor
            limit: 500, sortDescriptors: nil
        ) { [weak self] _, samples, error in
            if let error { print("sync: \(error)") }
            for sample in samples ?? [] { self?.enqueue(sample) }
            self?.defaults.set(Date(), forKey: "lastSync")  // finds locked-device
            done()
        }
        store.execute(query)
    }

    private func enqueue(_ sample: HKSample) { print(sample.uuid) }

    func sleep() async {
        let since = defaults.object(forKey: "lastSleepUpload") as? Date ?? .now
        do {
            let nights = try await HKSampleQueryDescriptor(
                predicates: [
                    .categorySample(
                        type: HKCategoryType(.sleepAnalysis),
                        predicate: HKQuery.predicateForSamples(withStart: since, end: nil))  // finds timestamp-anchor
                ], sortDescriptors: [SortDescriptor(\.endDate)]
            ).result(for: store)
            try await server(nights)
        } catch {
            print("sleep: \(error)")
        }
        defaults.set(Date.now, forKey: "lastSleepUpload")  // finds locked-device
    }
}

/// Only worth a note: the task isn't tried again before the next night.
func handle(_ task: BGProcessingTask, _ store: HKHealthStore, _ day: NSPredicate) {
    let query = HKSampleQuery(
        sampleType: HKQuantityType(.heartRate), predicate: day, limit: 500, sortDescriptors: nil
    ) { _, samples, error in
        if let error { print(error) }
        for sample in samples ?? [] { print(sample.uuid) }
        task.setTaskCompleted(success: true)  // finds locked-device
    }
    store.execute(query)
}
