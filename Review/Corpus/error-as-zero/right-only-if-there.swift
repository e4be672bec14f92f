// A 0 that is never kept: the value is stored if there is one, the error leaves, or nil says it.
import Foundation
import HealthKit

final class CarefulCache {
    private let store: HKHealthStore
    private let defaults = UserDefaults.standard
    private let type = HKQuantityType(.flightsClimbed)

    init(store: HKHealthStore) { self.store = store }

    private func query(
        _ handler: @escaping (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void
    ) -> HKStatisticsQuery {
        HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum,
            completionHandler: handler)
    }

    /// Stored only when it is more than 0.
    func refresh() {
        let day = HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: .now), end: nil)
        store.execute(
            HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: day, options: .cumulativeSum
            ) { [defaults] _, result, _ in
                let flights = result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
                guard flights > 0 else { return }
                defaults.set(flights, forKey: "flights")
            })
    }

    func flights() async throws -> Double {
        let day = HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: .now), end: nil)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: day), options: .cumulativeSum)
        let result = try await descriptor.result(for: store)
        return result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }

    func keepFlights() async {
        do {
            let flights = try await flights()
            defaults.set(flights, forKey: "flights")
        } catch {
            print(error)
        }
    }

    func keepIfRead() async {
        guard let flights = try? await flights() else { return }
        defaults.set(flights, forKey: "flights")
    }

    /// The number of attempts has nothing to do with the read.
    func retry() async {
        do {
            _ = try await flights()
            defaults.set(0, forKey: "failures")
        } catch {
            let count = defaults.integer(forKey: "failures")
            defaults.set(count + 1, forKey: "failures")
        }
    }
}
