// Lists of one, one type under several names, and lists made for each type.
import HealthKit

struct Single {
    let store: HKHealthStore
    let types: [HKSampleType] = [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]

    func each(range: NSPredicate) async throws -> [HKSample] {
        var all: [HKSample] = []
        for type in types {
            all += try await HKSampleQueryDescriptor(
                predicates: [.sample(type: type, predicate: range)], sortDescriptors: []
            ).result(for: store)
        }
        return all
    }

    func only(range: NSPredicate, done: @escaping ([HKSample]) -> Void) {
        let descriptors = [HKQuantityType(.stepCount)].map {
            HKQueryDescriptor(sampleType: $0, predicate: range)
        }
        let query = HKSampleQuery(queryDescriptors: descriptors, limit: 100) { _, samples, _ in
            done(samples ?? [])
        }
        store.execute(query)
    }

    func seasons(_ summer: NSPredicate, _ winter: NSPredicate) async throws -> [HKQuantitySample] {
        let steps = HKQuantityType(.stepCount)
        return try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: steps, predicate: summer),
                .quantitySample(type: HKQuantityType(.stepCount), predicate: winter),
            ],
            sortDescriptors: []
        ).result(for: store)
    }

    func observed(_ type: HKSampleType) -> HKQueryDescriptor {
        HKQueryDescriptor(sampleType: type, predicate: nil)
    }
}
