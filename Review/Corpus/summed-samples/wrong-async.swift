// The same sums over what an async descriptor or an anchored query returns.
import HealthKit

struct WaterReader {
    let store: HKHealthStore

    func steps(in day: DateInterval) async throws -> Double {
        let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.stepCount), predicate: predicate)
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        let samples = try await descriptor.result(for: store)
        return samples.map { $0.quantity.doubleValue(for: .count()) }.reduce(0, +)  // finds summed-samples
    }

    func water(in day: DateInterval) async throws -> Double {
        let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        let type = HKQuantityType(.dietaryWater)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: predicate)], sortDescriptors: [])
        var liters = 0.0
        for sample in try await descriptor.result(for: store) {
            liters += sample.quantity.doubleValue(for: .liter())  // finds summed-samples
        }
        return liters
    }

    func stepsPerDay(in month: DateInterval) async throws -> [Date: Double] {
        let predicate = HKQuery.predicateForSamples(withStart: month.start, end: month.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.stepCount), predicate: predicate)
            ],
            sortDescriptors: []
        ).result(for: store)
        var byDay: [Date: Double] = [:]
        for sample in samples {
            let day = Calendar.current.startOfDay(for: sample.startDate)
            byDay[day, default: 0] += sample.quantity.doubleValue(for: .count())  // finds summed-samples
        }
        return byDay
    }
}

@MainActor
final class LiveStepCounter: ObservableObject {
    @Published var steps = 0.0
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func follow() async throws {
        let start = Calendar.current.startOfDay(for: Date())
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.stepCount),
                    predicate: HKQuery.predicateForSamples(withStart: start, end: nil))
            ],
            anchor: nil)
        for try await update in descriptor.results(for: store) {
            if !update.deletedObjects.isEmpty { steps = 0 }
            for sample in update.addedSamples {
                steps += sample.quantity.doubleValue(for: .count())  // finds summed-samples
            }
        }
    }
}
