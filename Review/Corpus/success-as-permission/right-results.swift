// The answer learnt from what comes back, not from the asking.
import HealthKit
import SwiftUI

@MainActor
@Observable
final class ConnectModel {
    enum Phase { case asking, empty, ready, failed }

    private(set) var phase = Phase.asking
    private(set) var isSheetShown = false
    private let store: HKHealthStore
    private let steps = HKQuantityType(.stepCount)

    init(store: HKHealthStore) {
        self.store = store
    }

    func connect(_ range: NSPredicate) async {
        do {
            try await store.requestAuthorization(toShare: [], read: [steps])
            let total = try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: steps, predicate: range), options: .cumulativeSum
            ).result(for: store)
            phase = total?.sumQuantity() == nil ? .empty : .ready
        } catch {
            phase = .failed
        }
    }

    func ask() {
        store.requestAuthorization(toShare: nil, read: [steps]) { success, error in
            Task { @MainActor in
                self.isSheetShown = true
            }
        }
    }

    func deliver() {
        store.enableBackgroundDelivery(for: steps, frequency: .daily) { success, _ in
            print("background delivery enabled: \(success)")
        }
    }

    func observer() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in completion() }
    }

    func perObject(_ completion: @escaping (Bool) -> Void) {
        store.requestPerObjectReadAuthorization(
            for: .visionPrescriptionType(), predicate: nil
        ) { success, _ in
            completion(success)
        }
    }
}
