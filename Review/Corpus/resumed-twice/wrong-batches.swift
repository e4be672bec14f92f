// Continuations resumed with the first batch of a route, a series, a heartbeat, a trace.
import CoreLocation
import HealthKit

struct SeriesReader {
    let store: HKHealthStore

    func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKWorkoutRouteQuery(route: route) { _, locations, _, error in
                continuation.resume(  // finds resumed-twice
                    with: error.map { .failure($0) } ?? .success(locations ?? []))
            }
            store.execute(query)
        }
    }

    func beats(of series: HKHeartbeatSeriesSample) async -> TimeInterval {
        await withCheckedContinuation { continuation in
            store.execute(
                HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, _, _, _ in
                    continuation.resume(returning: time)  // finds resumed-twice
                })
        }
    }

    func quantities(matching predicate: NSPredicate) async -> Double? {
        await withCheckedContinuation { continuation in
            let query = HKQuantitySeriesSampleQuery(
                quantityType: HKQuantityType(.heartRate), predicate: predicate
            ) { _, quantity, _, _, _, _ in
                let bpm = HKUnit.count().unitDivided(by: .minute())
                continuation.resume(returning: quantity?.doubleValue(for: bpm))  // finds resumed-twice
            }
            store.execute(query)
        }
    }

    func voltage(of ecg: HKElectrocardiogram) async -> HKQuantity? {
        await withCheckedContinuation { continuation in
            let query = HKElectrocardiogramQuery(ecg) { _, result in
                guard case .measurement(let measurement) = result else { return }
                continuation.resume(returning: measurement.quantity(for: .appleWatchSimilarToLeadI))  // finds resumed-twice
            }
            store.execute(query)
        }
    }
}
