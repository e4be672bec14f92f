import HealthKit
protocol Server: Sendable {
    func upload(_ samples: [UUID]) async throws
    func remove(_ ids: [UUID]) async throws
}
final class Uploader: Sendable {
    let store: HKHealthStore
    let server: any Server
    init(store: HKHealthStore, server: any Server) { self.store = store; self.server = server }
    func run(_ anchor: HKQueryAnchor?) {
        let server = server
        store.execute(HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: anchor, limit: 200
        ) { _, added, deleted, newAnchor, error in
            guard error == nil, let newAnchor else { return }
            let ids = (added ?? []).map(\.uuid)
            let gone = (deleted ?? []).map(\.uuid)
            Task {
                try await server.upload(ids)
                try await server.remove(gone)
            }
            let data = try? NSKeyedArchiver.archivedData(withRootObject: newAnchor, requiringSecureCoding: true)
            UserDefaults.standard.set(data, forKey: "heart.anchor") // finds anchor-before-data
        })
    }
}
