// State changed after a hop to the main actor, in the ways there are.
import HealthKit
import SwiftUI
import UIKit

@MainActor
final class HoppingModel: ObservableObject {
    @Published private(set) var steps = 0.0
    @Published var message = ""
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func dispatched(_ range: NSPredicate, into label: UILabel) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum
        ) { [weak self] _, statistics, _ in
            let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds error-as-zero
            DispatchQueue.main.async {
                self?.steps = sum
                label.text = "\(sum)"
            }
        }
        store.execute(query)
    }

    func tasked(_ sample: HKSample) {
        store.save(sample) { success, _ in
            Task { @MainActor in
                self.message = success ? "Saved" : "Not saved"
            }
        }
    }

    func ran(_ sample: HKSample) {
        store.save(sample) { success, _ in
            Task {
                await MainActor.run { self.message = success ? "Saved" : "Not saved" }
            }
        }
    }

    func awaited(_ range: NSPredicate) async throws {
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
            options: .cumulativeSum
        ).result(for: store)
        steps = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }

    func continued(_ sample: HKSample) async {
        let saved = await withCheckedContinuation { continuation in
            store.save(sample) { success, _ in continuation.resume(returning: success) }
        }
        message = saved ? "Saved" : "Not saved"
    }

    func queued(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: 1, sortDescriptors: nil
        ) { _, samples, _ in
            OperationQueue.main.addOperation { self.message = "\(samples?.count ?? 0)" }  // finds error-as-zero
        }
        store.execute(query)
    }

    func called(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: 1, sortDescriptors: nil
        ) { _, samples, _ in
            Task { await self.show(samples?.count ?? 0) }  // finds error-as-zero
        }
        store.execute(query)
    }

    private func show(_ count: Int) {
        message = "\(count)"
    }
}
