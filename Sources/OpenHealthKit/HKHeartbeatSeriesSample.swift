/// The heartbeats of a minute or so. When each came isn't told yet.
// Immutable.
open class HKHeartbeatSeriesSample: HKSeriesSample, @unchecked Sendable {}
