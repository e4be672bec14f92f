import HealthKit

/// Heartbeat series and live beats as async sequences.
struct BeatStream: Sendable {

    let store: HKHealthStore

    func beats(of series: HKHeartbeatSeriesSample) -> AsyncThrowingStream<TimeInterval, any Error> {
        AsyncThrowingStream { continuation in
            let query = HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, gap, done, error in
                if let error {
                    continuation.finish(throwing: error)
                    return
                }
                if !gap { continuation.yield(time) }
                if done { continuation.finish() }
            }
            continuation.onTermination = { _ in store.stop(query) }
            store.execute(query)
        }
    }

    func allBeats(of series: HKHeartbeatSeriesSample) async throws -> [TimeInterval] {
        try await withCheckedThrowingContinuation { continuation in
            var beats: [TimeInterval] = []
            let query = HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, _, done, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                beats.append(time)
                if done {
                    continuation.resume(returning: beats)
                }
            }
            store.execute(query)
        }
    }

    func latestSeries(limit: Int) async throws -> [HKHeartbeatSeriesSample] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries()],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)],
            limit: limit)
        return try await descriptor.result(for: store)
    }

    func workouts(since start: Date) async throws -> [HKWorkout] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForSamples(withStart: start, end: nil))],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }
}
