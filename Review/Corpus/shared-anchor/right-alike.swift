// One type with its anchor in several places, and anchors given by the caller.
import HealthKit

final class OneTypeSync {
    private let store: HKHealthStore
    private let sink: ChangeSink
    private let type = HKQuantityType(.bodyMass)
    private var anchor: HKQueryAnchor?

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    func sync() {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor, limit: 100
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.anchor = newAnchor
        }
        store.execute(query)
    }

    func syncAsync() async throws {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
            anchor: anchor
        ).result(for: store)
        sink.apply(result.addedSamples, result.deletedObjects)
        anchor = result.newAnchor
    }
}

/// One object a type, each with its own anchor.
final class TypeSync {
    private let store: HKHealthStore
    private let type: HKSampleType
    private var anchor: HKQueryAnchor?

    init(store: HKHealthStore, type: HKSampleType) {
        self.store = store
        self.type = type
    }

    func changes(_ handle: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor, limit: 100
        ) { _, samples, deleted, newAnchor, _ in
            handle(samples, deleted)
            self.anchor = newAnchor
        }
        store.execute(query)
    }
}

struct FreshReader {
    let store: HKHealthStore

    func all(of type: HKSampleType, handle: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        store.execute(
            HKAnchoredObjectQuery(type: type, predicate: nil, anchor: nil, limit: 50) {
                handle($1, $2)
            })
    }

    func since(
        _ anchor: HKQueryAnchor?, of type: HKSampleType,
        handle: @escaping ([HKSample]?, [HKDeletedObject]?, HKQueryAnchor?) -> Void
    ) {
        store.execute(
            HKAnchoredObjectQuery(type: type, predicate: nil, anchor: anchor, limit: 50) {
                handle($1, $2, $3)
            })
    }
}
