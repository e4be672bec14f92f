public import Foundation
public import HealthEngine

/// A series of heartbeats. ``HKHeartbeatSeriesQuery`` returns their times.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKHeartbeatSeriesSample: HKSeriesSample, @unchecked Sendable {
    /// The beats in the order in which they were saved.
    let beats: [Heartbeat]

    /// Creates a series from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - beats: The beats in order of time.
    public init(_record: SampleRecord, beats: [Heartbeat]) {
        self.beats = beats
        super.init(_record: _record, count: beats.count)
    }

    /// Decodes a series; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        beats = coder.property([Heartbeat].self, "beats") ?? []
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: beats, for: "beats")
    }

    override var detail: SampleDetail? { .heartbeats(beats) }
}
