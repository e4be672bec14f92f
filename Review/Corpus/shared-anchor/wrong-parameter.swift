// A function for any type whose anchor doesn't know the type.
import HealthKit

final class AnyTypeSync {
    private let store: HKHealthStore
    private let sink: ChangeSink
    private var anchor: HKQueryAnchor?

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    func syncAll() {
        let types: [HKSampleType] = [
            HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKObjectType.workoutType(),
        ]
        for type in types {
            sync(type)
        }
    }

    private func sync(_ type: HKSampleType) {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil,
            anchor: anchor,  // finds shared-anchor
            limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, newAnchor, _ in
            self.sink.apply(samples, deleted)
            self.anchor = newAnchor
        }
        store.execute(query)
    }
}

final class DescribedSync {
    let store: HKHealthStore
    var savedAnchor: HKQueryAnchor?

    init(store: HKHealthStore) {
        self.store = store
    }

    func gone(of type: HKQuantityType) async throws -> [UUID] {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: type)],
            anchor: savedAnchor)  // finds shared-anchor
        let result = try await descriptor.result(for: store)
        savedAnchor = result.newAnchor
        return result.deletedObjects.map(\.uuid)
    }

    func goneSinceYesterday() async throws -> [UUID] {
        let steps = try await gone(of: HKQuantityType(.stepCount))
        let energy = try await gone(of: HKQuantityType(.activeEnergyBurned))
        return steps + energy
    }
}
