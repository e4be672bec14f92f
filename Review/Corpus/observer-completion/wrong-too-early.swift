// The completion handler called while the anchored query that the wake started is still under way.
import HealthKit

final class EarlyObservers {
    private let store: HKHealthStore
    private let anchors: AnchorStorage
    private let server: ChangeServer

    init(store: HKHealthStore, anchors: AnchorStorage, server: ChangeServer) {
        (self.store, self.anchors, self.server) = (store, anchors, server)
    }

    func throughFunction() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [weak self] _, completion, error in
            if error == nil { self?.readMasses() }
            completion()  // finds observer-completion
        }
    }

    private func readMasses() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchors.anchor(for: "mass"),
            limit: 500
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            self?.server.send(samples ?? [], deleted ?? [])
            self?.anchors.save(newAnchor, for: "mass")
        }
        store.execute(query)
    }

    func inPlace() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            [weak self] _, completion, _ in
            defer { completion() }  // finds observer-completion
            guard let self else { return }
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.heartRate), predicate: nil,
                anchor: self.anchors.anchor(for: "heart"), limit: 500
            ) { [weak self] _, samples, deleted, newAnchor, _ in
                self?.server.send(samples ?? [], deleted ?? [])
                self?.anchors.save(newAnchor, for: "heart")
            }
            self.store.execute(query)
        }
    }
}
