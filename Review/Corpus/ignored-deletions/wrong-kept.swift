// What is added is appended, stored, uploaded or summed; the newest isn't all that is used.
import HealthKit

final class RunningTotals {
    private let store: HKHealthStore
    private let server: SampleServer
    private var anchor: HKQueryAnchor?
    private var waterAnchor: HKQueryAnchor?
    private var all: [HKQuantitySample] = []
    private var water = 0.0
    private(set) var newest: HKQuantitySample?

    init(store: HKHealthStore, server: SampleServer) {
        (self.store, self.server) = (store, server)
    }

    func fetch() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor, limit: 200
        ) { [weak self] _, samples, _, newAnchor, _ in  // finds ignored-deletions
            guard let samples = samples as? [HKQuantitySample] else { return }
            self?.newest = samples.last
            self?.all.append(contentsOf: samples)
            self?.anchor = newAnchor
        }
        store.execute(query)
    }

    func drink() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryWater), predicate: nil, anchor: waterAnchor, limit: 200
        ) { [weak self] _, samples, _, newAnchor, _ in  // finds ignored-deletions
            self?.add(samples ?? [])
            self?.waterAnchor = newAnchor
        }
        store.execute(query)
    }

    private func add(_ samples: [HKSample]) {
        for case let sample as HKQuantitySample in samples {
            water += sample.quantity.doubleValue(for: .liter())  // finds summed-samples
        }
    }
}

struct ChangePage {
    let records: [UUID]
    let deleted: [UUID]
}

final class PagedUpload {
    private let store: HKHealthStore
    private let client: SampleClient
    private var anchor: HKQueryAnchor?

    init(store: HKHealthStore, client: SampleClient) { (self.store, self.client) = (store, client) }

    func sync() async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchor
        ).result(for: store)
        let page = ChangePage(
            records: result.addedSamples.map(\.uuid), deleted: result.deletedObjects.map(\.uuid))
        try await client.upload(page.records, deletedIDs: page.deleted)
        anchor = result.newAnchor
    }
}

struct SampleClient {
    let send: @Sendable (Data) async throws -> Void

    func upload(_ records: [UUID], deletedIDs: [UUID]) async throws {  // finds ignored-deletions
        try await send(try JSONEncoder().encode(records))
    }
}
