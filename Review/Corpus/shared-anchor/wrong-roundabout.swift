// One anchor reached by files, helpers, loops and callers.
import HealthKit

final class RoundaboutSync {
    let store: HKHealthStore
    let types: [HKSampleType] = [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]
    @AppStorage("healthAnchor") var anchorData = Data()

    init(store: HKHealthStore) { self.store = store }

    private var file: URL { URL.documentsDirectory.appending(path: "anchor.bin") }

    private func stored() -> HKQueryAnchor? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    func steps() {
        run(HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: stored(), limit: 0,
            resultsHandler: taken))
    }

    func workouts() {
        let anchor = stored()
        run(HKAnchoredObjectQuery(
            type: .workoutType(), predicate: nil,
            anchor: anchor,  // finds shared-anchor
            limit: 0, resultsHandler: taken))
    }

    func all() {
        let anchor = try? NSKeyedUnarchiver.unarchivedObject(
            ofClass: HKQueryAnchor.self, from: anchorData)
        for type in types {
            run(HKAnchoredObjectQuery(
                type: type, predicate: nil,
                anchor: anchor,  // finds shared-anchor
                limit: 0, resultsHandler: taken))
        }
    }

    private func taken(
        _: HKAnchoredObjectQuery, _ added: [HKSample]?, _ gone: [HKDeletedObject]?,
        _: HKQueryAnchor?, _: (any Error)?
    ) {
        print(added as Any, gone as Any)
    }

    private func run(_ query: HKQuery) { store.execute(query) }
}

struct CallerSync {
    let store: HKHealthStore
    static var anchor: HKQueryAnchor?

    func both() async throws {
        try await pull(.stepCount, since: Self.anchor)
        try await pull(
            .heartRate,
            since: Self.anchor)  // finds shared-anchor
    }

    private func pull(_ id: HKQuantityTypeIdentifier, since anchor: HKQueryAnchor?) async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(id))], anchor: anchor
        ).result(for: store)
        print(result)
    }
}
