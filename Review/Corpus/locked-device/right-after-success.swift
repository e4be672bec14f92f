// The mark moves on after success only.
import Foundation
import HealthKit

final class PatientSync {
    private let store: HKHealthStore
    private let server: @Sendable ([HKSample]) async throws -> Void
    private let defaults = UserDefaults.standard
    private(set) var lastTried: Date?

    init(store: HKHealthStore, server: @escaping @Sendable ([HKSample]) async throws -> Void) {
        (self.store, self.server) = (store, server)
    }

    func read(_ type: HKQuantityType, on day: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: type, predicate: day, limit: 500, sortDescriptors: nil
        ) { [weak self] _, samples, error in
            guard error == nil, let samples else { return }
            for sample in samples { print(sample.uuid) }
            self?.defaults.set(Date(), forKey: "lastUpload")
        }
        store.execute(query)
    }

    func sleep(_ day: NSPredicate) async {
        lastTried = Date()
        do {
            let nights = try await HKSampleQueryDescriptor(
                predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: day)],
                sortDescriptors: [SortDescriptor(\.endDate)]
            ).result(for: store)
            try await server(nights)
            defaults.set(Date.now, forKey: "lastSleepUpload")
        } catch {
            print("sleep: \(error)")
        }
    }
}
