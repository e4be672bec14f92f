// Observes glucose, insulin and carbohydrates, also while the app is not running.
import Foundation
import HealthKit
import OSLog

final class GlucoseObserver {
    private let store: HKHealthStore
    private let anchors: AnchorStore
    private let uploader: Uploader
    private let log = Logger(subsystem: "org.example.glucose", category: "observer")
    private var queries: [HKObserverQuery] = []

    private let types: [HKQuantityType] = [
        HKQuantityType(.bloodGlucose),
        HKQuantityType(.insulinDelivery),
        HKQuantityType(.dietaryCarbohydrates),
    ]

    init(store: HKHealthStore, anchors: AnchorStore, uploader: Uploader) {
        self.store = store
        self.anchors = anchors
        self.uploader = uploader
    }

    func start() {
        store.requestAuthorization(toShare: [], read: Set(types)) { [weak self] _, error in
            guard let self else { return }
            if let error {
                self.log.error("authorization: \(error.localizedDescription)")
                return
            }
            self.types.forEach(self.observe)
        }
    }

    private func observe(_ type: HKQuantityType) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) {
            [weak self] _, completionHandler, error in
            guard let self else {
                completionHandler()
                return
            }
            if let error {
                self.log.error("observer of \(type): \(error.localizedDescription)")
                return  // finds observer-completion
            }
            self.fetch(type, completion: completionHandler)
        }
        store.execute(query)
        queries.append(query)
        store.enableBackgroundDelivery(for: type, frequency: .immediate) { [log] success, error in
            if !success {
                log.error("delivery of \(type): \(error?.localizedDescription ?? "refused")")
            }
        }
    }

    private func fetch(_ type: HKQuantityType, completion: @escaping () -> Void) {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchors[type], limit: 500
        ) { [weak self] _, samples, deleted, newAnchor, error in
            guard let self, error == nil, let newAnchor else {
                completion()
                return
            }
            let readings = (samples as? [HKQuantitySample] ?? []).compactMap(Reading.init)
            let gone = (deleted ?? []).map(\.uuid)
            self.uploader.enqueue(readings, removing: gone) { stored in
                if stored {
                    self.anchors[type] = newAnchor
                }
                completion()
            }
        }
        store.execute(query)
    }

    func stop() {
        queries.forEach(store.stop)
        queries = []
    }
}
