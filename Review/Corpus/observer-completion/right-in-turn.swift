// Wakes that are answered when their anchored query has, or whose readings take turns.
import HealthKit

final class PatientObservers {
    private let store: HKHealthStore
    private let anchors: AnchorStorage
    private let server: ChangeServer
    private var isReading = false

    init(store: HKHealthStore, anchors: AnchorStorage, server: ChangeServer) {
        (self.store, self.anchors, self.server) = (store, anchors, server)
    }

    func handedOn() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [weak self] _, completion, _ in
            guard let self else { return completion() }
            self.readMasses(completion)
        }
    }

    private func readMasses(_ completion: @escaping () -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchors.anchor(for: "mass"),
            limit: 500
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            self?.server.send(samples ?? [], deleted ?? [])
            self?.anchors.save(newAnchor, for: "mass")
            completion()
        }
        store.execute(query)
    }

    func inTurn() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            [weak self] _, completion, _ in
            self?.readHeartRates()
            completion()
        }
    }

    private func readHeartRates() {
        if isReading { return }
        isReading = true
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: anchors.anchor(for: "heart"),
            limit: 500
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            self?.server.send(samples ?? [], deleted ?? [])
            self?.anchors.save(newAnchor, for: "heart")
            self?.isReading = false
        }
        store.execute(query)
    }
}
