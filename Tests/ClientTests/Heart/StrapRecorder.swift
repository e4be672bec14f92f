import Foundation
import HealthKit

/// Saves the heartbeats of a chest strap, and reads past recordings, as a breathing app does.
final class StrapRecorder: Sendable {
    /// A heartbeat as the app shows it.
    struct Beat: Equatable {
        var time: TimeInterval
        var isAfterGap: Bool
    }

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func authorize() async throws {
        let type = HKSeriesType.heartbeat()
        try await healthStore.requestAuthorization(toShare: [type], read: [type])
    }

    /// Saves beats with the completion handlers, as older apps do. Calls `completion` once.
    func save(
        _ beats: [Beat], from start: Date,
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        let builder = HKHeartbeatSeriesBuilder(
            healthStore: healthStore, device: .local(), start: start)
        for beat in beats.prefix(HKHeartbeatSeriesBuilder.maximumCount) {
            builder.addHeartbeatWithTimeInterval(
                sinceSeriesStartDate: beat.time, precededByGap: beat.isAfterGap
            ) { success, error in
                if !success { print("A beat was not saved: \(String(describing: error))") }
            }
        }
        builder.addMetadata(["strap": "H10"]) { _, _ in }
        builder.finishSeries { series, error in completion(series, error) }
    }

    /// Saves beats with the asynchronous calls.
    func save(_ beats: [Beat], from start: Date) async throws -> HKHeartbeatSeriesSample {
        let builder = HKHeartbeatSeriesBuilder(healthStore: healthStore, device: nil, start: start)
        for beat in beats {
            try await builder.addHeartbeat(at: beat.time, precededByGap: beat.isAfterGap)
        }
        return try await builder.finishSeries()
    }

    /// Returns the recordings, latest first.
    func recordings() async throws -> [HKHeartbeatSeriesSample] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries()],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)])
        return try await descriptor.result(for: healthStore)
    }

    /// Returns the recordings with a query of the older kind.
    func recordings(in days: DateInterval) async throws -> [HKHeartbeatSeriesSample] {
        try await withCheckedThrowingContinuation { continuation in
            let predicate = HKQuery.predicateForSamples(
                withStart: days.start, end: days.end, options: .strictStartDate)
            let query = HKSampleQuery(
                sampleType: HKSeriesType.heartbeat(), predicate: predicate,
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: samples as? [HKHeartbeatSeriesSample] ?? [])
            }
            healthStore.execute(query)
        }
    }

    /// Returns the beats of a recording with a query of the older kind.
    func beats(of series: HKHeartbeatSeriesSample) async throws -> [Beat] {
        let (stream, continuation) = AsyncThrowingStream<Beat, any Error>.makeStream()
        let query = HKHeartbeatSeriesQuery(heartbeatSeries: series) {
            _, time, precededByGap, done, error in
            if let error { return continuation.finish(throwing: error) }
            continuation.yield(Beat(time: time, isAfterGap: precededByGap))
            if done { continuation.finish() }
        }
        healthStore.execute(query)
        var beats: [Beat] = []
        for try await beat in stream { beats.append(beat) }
        return beats
    }

    /// Returns the mean heart rate over intervals without gaps, in beats per minute.
    func meanRate(of series: HKHeartbeatSeriesSample) async throws -> Double? {
        var (last, total, count): (TimeInterval?, TimeInterval, Int) = (nil, 0, 0)
        let descriptor = HKHeartbeatSeriesQueryDescriptor(series)
        for try await beat in descriptor.results(for: healthStore) {
            if let last, !beat.precededByGap {
                total += beat.timeIntervalSinceStart - last
                count += 1
            }
            last = beat.timeIntervalSinceStart
        }
        return count > 0 ? 60 * Double(count) / total : nil
    }
}
