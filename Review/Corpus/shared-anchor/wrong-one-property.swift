// One anchor property for queries of two types.
import HealthKit

final class TwoTypeSync {
    private let store: HKHealthStore
    private let sink: ChangeSink
    private var anchor: HKQueryAnchor?

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    func syncWorkouts() {
        let query = HKAnchoredObjectQuery(
            type: HKObjectType.workoutType(), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.anchor = newAnchor
        }
        store.execute(query)
    }

    func syncSteps() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount),
            predicate: nil,
            anchor: self.anchor,  // finds shared-anchor
            limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.anchor = newAnchor
        }
        store.execute(query)
    }
}

actor AsyncSync {
    let store: HKHealthStore
    private var lastAnchor: HKQueryAnchor?

    init(store: HKHealthStore) {
        self.store = store
    }

    func glucose() async throws -> [HKDeletedObject] {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose))], anchor: lastAnchor)
        let result = try await descriptor.result(for: store)
        lastAnchor = result.newAnchor
        return result.deletedObjects
    }

    func insulin() async throws -> [HKDeletedObject] {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.insulinDelivery))],
            anchor: lastAnchor)  // finds shared-anchor
        let result = try await descriptor.result(for: store)
        lastAnchor = result.newAnchor
        return result.deletedObjects
    }
}
