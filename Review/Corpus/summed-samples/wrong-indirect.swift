// Sums whose samples come a long way: of a type given by callers, kept in a property, mapped first.
import HealthKit

struct StepEntry {
    let start: Date
    let count: Double
}

final class ActivityModel {
    private let store: HKHealthStore
    private var walked: [HKQuantitySample] = []

    init(store: HKHealthStore) { self.store = store }

    private func samples(
        of type: HKQuantityType, from start: Date, to end: Date
    ) async throws -> [HKQuantitySample] {
        let range = HKQuery.predicateForSamples(withStart: start, end: end)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: range)], sortDescriptors: [])
        return try await descriptor.result(for: store)
    }

    func floors(from start: Date, to end: Date) async throws -> Double {
        let climbed = try await samples(of: HKQuantityType(.flightsClimbed), from: start, to: end)
        return climbed.lazy.map { $0.quantity.doubleValue(for: .count()) }.reduce(0, +)  // finds summed-samples
    }

    func pulse(from start: Date, to end: Date) async throws -> Double {
        let bpm = HKUnit.count().unitDivided(by: .minute())
        let beats = try await samples(of: HKQuantityType(.heartRate), from: start, to: end)
        return beats.reduce(0) { $0 + $1.quantity.doubleValue(for: bpm) } / Double(beats.count)
    }

    func total(_ id: HKQuantityTypeIdentifier, in unit: HKUnit, since start: Date) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(id),
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, results, _ in
            guard let results = results as? [HKQuantitySample] else { return }
            var sum = 0.0
            for result in results {
                sum = sum + result.quantity.doubleValue(for: unit)  // finds summed-samples
            }
            print(sum)
        }
        store.execute(query)
    }

    func refresh(since start: Date) {
        total(.stepCount, in: .count(), since: start)
        total(.distanceWalkingRunning, in: .meter(), since: start)
    }

    func load(since start: Date) async throws {
        walked = try await samples(of: HKQuantityType(.stepCount), from: start, to: Date())
    }

    var steps: Int {
        Int(walked.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) })  // finds summed-samples
    }

    func entries(since start: Date) async throws -> Double {
        let raw = try await samples(of: HKQuantityType(.stepCount), from: start, to: Date())
        let entries = raw.map {
            StepEntry(start: $0.startDate, count: $0.quantity.doubleValue(for: .count()))
        }
        return entries.reduce(0) { $0 + $1.count }  // finds summed-samples
    }
}
