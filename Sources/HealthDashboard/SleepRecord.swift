public import Foundation

/// A sample of sleep as plain values, whichever store it came from; what ``SleepNights`` settles.
public struct SleepRecord: Hashable, Sendable {
    public var start: Date
    /// `Date.distantFuture` where it is undetermined.
    public var end: Date
    /// Nil for a raw value that nobody here knows.
    public var stage: SleepStage?
    /// Its place among the sources, the winner 0.
    public var source: Int
    /// When it was saved; nil where that can't be seen, which counts as before all others.
    public var saved: Date?

    public init(start: Date, end: Date, stage: SleepStage?, source: Int, saved: Date? = nil) {
        self.start = start
        self.end = end
        self.stage = stage
        self.source = source
        self.saved = saved
    }
}

extension SleepStage {
    /// Which of two stages holds that one source recorded for the same moment and saved at the
    /// same time: awake, REM, deep, core, then asleep in some way (Semantics §10.7c).
    var precedence: Int {
        switch self {
        case .awake: 5
        case .rem: 4
        case .deep: 3
        case .core: 2
        case .asleep: 1
        case .inBed: 0
        }
    }
}
