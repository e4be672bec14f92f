public import Foundation
import HealthEngine

/// A builder that collects the heartbeats of a series and saves it.
///
/// ```swift
/// let builder = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: start)
/// try await builder.addHeartbeat(at: 0.8, precededByGap: false)
/// let series = try await builder.finishSeries()
/// ```
/// Heartbeats are added in order of time (Semantics §10.5a).
// Unchecked: all mutable state is in `state`, which is locked.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    private struct State {
        var phase = SeriesPhase.open
        var beats: [Heartbeat] = []
        var metadata: [String: Any] = [:]
    }

    private let state = Locked(State())
    private let device: HKDevice?
    private let start: Date

    /// The maximum number of heartbeats in a series: 2,048. Another one is `errorInvalidArgument`.
    open class var maximumCount: Int { 2_048 }

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - healthStore: The store to save to.
    ///   - device: The device that records the heartbeats, or nil.
    ///   - startDate: The start of the series.
    public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        self.device = device
        start = startDate
        super.init(healthStore: healthStore)
    }

    /// Adds a heartbeat.
    ///
    /// `errorInvalidArgument` is reported for a time that is negative, not finite or not after that
    /// of the heartbeat before; for more than ``maximumCount`` heartbeats; and for a finished or
    /// discarded series.
    ///
    /// - Parameters:
    ///   - timeIntervalSinceStart: The seconds since the start of the series.
    ///   - precededByGap: Whether heartbeats may be missing before this one.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        var beat = Heartbeat(bpm: .nan, time: "", offset: timeIntervalSinceStart)
        beat.precededByGap = precededByGap
        let maximumCount = type(of: self).maximumCount
        healthStore.write(completion) { [state, beat] _ in
            try state { (state) throws(HKError) in
                try state.phase.requireOpen("addHeartbeat")
                try Self.check(beat, after: state.beats, maximumCount)
                state.beats.append(beat)
            }
        }
    }

    /// Adds a heartbeat; see the completion-handler form.
    ///
    /// - Parameters:
    ///   - timeIntervalSinceStart: The seconds since the start of the series.
    ///   - precededByGap: Whether heartbeats may be missing before this one.
    /// - Throws: ``HKError``; `errorInvalidArgument` as the completion-handler form.
    open func addHeartbeat(
        at timeIntervalSinceStart: TimeInterval, precededByGap: Bool
    ) async throws {
        try await healthStore.awaitSuccess {
            addHeartbeatWithTimeInterval(
                sinceSeriesStartDate: timeIntervalSinceStart, precededByGap: precededByGap,
                completion: $0)
        }
    }

    private static func check(
        _ beat: Heartbeat, after beats: [Heartbeat], _ maximumCount: Int
    ) throws(HKError) {
        guard let time = beat.offset, time.isFinite, time >= 0 else {
            throw HKError(.errorInvalidArgument, "A heartbeat is before the start of its series")
        }
        if let last = beats.last?.offset, time <= last {
            throw HKError(.errorInvalidArgument, "A heartbeat is not after the one before")
        }
        if beats.count >= maximumCount {
            throw HKError(
                .errorInvalidArgument, "A series has at most \(maximumCount) heartbeats")
        }
    }

    /// Adds metadata. A later value replaces an earlier one with the same key.
    ///
    /// - Parameters:
    ///   - metadata: Strings, numbers, dates and quantities by key. Other values are rejected when
    ///     the series is saved.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let sendableMetadata = SendableMetadata(values: metadata)
        healthStore.write(completion) { [state] _ in
            try state { (state) throws(HKError) in
                try state.phase.requireOpen("addMetadata")
                state.metadata.merge(sendableMetadata.values) { _, new in new }
            }
        }
    }

    /// Adds metadata. A later value replaces an earlier one with the same key.
    ///
    /// - Parameter metadata: Strings, numbers, dates and quantities by key. Other values are
    ///   rejected when the series is saved.
    /// - Throws: ``HKError``; `errorInvalidArgument` for a finished or discarded series.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        try await healthStore.awaitSuccess { addMetadata(metadata, completion: $0) }
    }

    /// Saves the series, which ends at its last heartbeat. If saving fails, the series stays open.
    ///
    /// - Parameter completion: Receives the saved series, or nil and the error. Called on a
    ///   background queue.
    @preconcurrency
    open func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        let saved = Locked<HKHeartbeatSeriesSample?>(nil)
        healthStore.write(
            { completion($0 ? saved { $0 } : nil, $1) },
            { [self] _ in
                let series = try save()
                saved { $0 = series }
            })
    }

    /// Saves the series, which ends at its last heartbeat. If saving fails, the series stays open.
    ///
    /// - Returns: The saved series.
    /// - Throws: ``HKError``; `errorInvalidArgument` without heartbeats, or for a finished or
    ///   discarded series.
    @discardableResult
    open func finishSeries() async throws -> HKHeartbeatSeriesSample {
        try await healthStore.awaitValue { done in finishSeries { done($0, $1) } }
    }

    /// Discards the series, unless it is finished. Nothing is saved.
    open override func discard() {
        state { if $0.phase == .open { $0.phase = .discarded } }
    }

    private func save() throws -> HKHeartbeatSeriesSample {
        let (beats, metadata) = try state { (state) throws(HKError) in
            try state.phase.requireOpen("finishSeries")
            return (state.beats, state.metadata)
        }
        guard let last = beats.last?.offset else {
            throw HKError(.errorInvalidArgument, "The series has no heartbeats")
        }
        let series = HKHeartbeatSeriesSample(
            _record: SampleRecord(
                HKSeriesType.heartbeat(), start: start, end: start.addingTimeInterval(last),
                device: device, metadata: metadata.isEmpty ? nil : metadata),
            beats: beats)
        try healthStore.commit([series], to: nil)
        state { $0.phase = .finished }
        return try healthStore.stored(series)
    }
}
