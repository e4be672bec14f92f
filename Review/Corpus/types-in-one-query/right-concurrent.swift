// Several types at once, each with its own query: a refusal empties only its own.
import HealthKit

struct ParallelReader {
    let store: HKHealthStore
    static let types = [HKQuantityType(.restingHeartRate), HKQuantityType(.respiratoryRate)]

    func vitals(on day: DateInterval) async -> [HKQuantityType: [HKQuantitySample]] {
        await withTaskGroup(of: (HKQuantityType, [HKQuantitySample]).self) { group in
            for type in Self.types {
                group.addTask { (type, (try? await samples(of: type, on: day)) ?? []) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private func samples(of type: HKQuantityType, on day: DateInterval) async throws
        -> [HKQuantitySample]
    {
        let range = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: range)], sortDescriptors: []
        ).result(for: store)
    }

    // Asking for many types at once is right; only reading them at once isn't.
    func authorize() async throws {
        try await store.requestAuthorization(
            toShare: [],
            read: [HKQuantityType(.restingHeartRate), HKQuantityType(.respiratoryRate)])
    }

    func summaries(_ first: HKQueryDescriptor, _ second: HKQueryDescriptor) -> Bool {
        [first, second].allSatisfy { $0.predicate != nil }
    }
}
