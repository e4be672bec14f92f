public import Foundation

/// Gathers beats of the heart. The family is left for later: every step reports
/// `errorHealthDataUnavailable`.
// Immutable.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    /// How many beats a series may have.
    open class var maximumCount: Int { 2_048 }

    /// A builder of a series that begins at a date.
    public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        super.init(healthStore: healthStore)
    }

    private var refusal: HKError { HKError.absent("Saving heartbeat series") }

    /// Reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { [refusal] in completion(false, refusal) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func addHeartbeat(
        at timeIntervalSinceStart: TimeInterval, precededByGap: Bool
    ) async throws {
        throw refusal
    }

    /// Reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { [refusal] in completion(false, refusal) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func addMetadata(_ metadata: [String: Any]) async throws { throw refusal }

    /// Reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        healthStore.handle { [refusal] in completion(nil, refusal) }
    }

    /// Throws `errorHealthDataUnavailable`.
    @discardableResult
    open func finishSeries() async throws -> HKHeartbeatSeriesSample {
        throw refusal
    }
}
