import CoreLocation
import HealthKit
func route(_ store: HKHealthStore, _ route: HKWorkoutRoute) async throws -> [CLLocation] {
    try await withCheckedThrowingContinuation { continuation in
        var all: [CLLocation] = []
        let query = HKWorkoutRouteQuery(route: route) { _, locations, done, error in
            if let error { continuation.resume(throwing: error); return }
            all += locations ?? []
            if done { continuation.resume(returning: all) }
        }
        store.execute(query)
    }
}
func once(_ store: HKHealthStore, _ query: HKStatisticsCollectionQuery) async -> HKStatisticsCollection? {
    await withCheckedContinuation { continuation in
        query.initialResultsHandler = { _, collection, _ in continuation.resume(returning: collection) }
        store.execute(query)
    }
}
