/// The variability of the intervals between heartbeats in the time domain: SDNN and RMSSD.
///
/// ```swift
/// let beats = [0.0, 0.8, 1.61, 2.4].map { Heartbeat(bpm: .nan, time: "", offset: $0) }
/// let variability = HeartRateVariability(beats)
/// variability.sdnn    // 10 ms: intervals of 800, 810 and 790 ms
/// variability.rmssd   // 15.8 ms: differences of 10 and -20 ms
/// ```
/// The definitions are those of the Task Force of the European Society of Cardiology and the North
/// American Society of Pacing and Electrophysiology (Circulation 93, 1996, 1043 to 1065), with the
/// sample's standard deviation (n − 1). An interval across a gap isn't counted, and neither is a
/// difference of two intervals that don't share a beat. No interval is corrected or left out as
/// abnormal.
public struct HeartRateVariability: Hashable, Sendable {
    /// The number of intervals between successive beats, without those across gaps.
    public let intervalCount: Int
    /// The number of differences between successive intervals, without those across gaps.
    public let differenceCount: Int
    /// The standard deviation of the intervals, in milliseconds; nil for fewer than two intervals.
    public let sdnn: Double?
    /// The root mean square of the differences between successive intervals, in milliseconds; nil
    /// without differences.
    public let rmssd: Double?

    /// Computes the variability of a series of beats.
    ///
    /// - Parameter beats: The beats in order of time, with ``Heartbeat/offset`` and
    ///   ``Heartbeat/precededByGap``. A beat without an offset, and one that isn't later than the
    ///   beat before, ends the run of intervals as a gap does. Other properties are ignored.
    /// - Complexity: O(n), with one number in memory for each interval.
    public init(_ beats: [Heartbeat]) {
        var intervals: [Double] = []
        var (squares, differences) = (0.0, 0)
        var (last, interval): (Double?, Double?) = (nil, nil)
        for beat in beats {
            guard let time = beat.offset, time.isFinite else {
                (last, interval) = (nil, nil)
                continue
            }
            guard let previous = last, !beat.precededByGap, time > previous else {
                (last, interval) = (time, nil)
                continue
            }
            let length = (time - previous) * 1000
            if let interval {
                squares += (length - interval) * (length - interval)
                differences += 1
            }
            intervals.append(length)
            (last, interval) = (time, length)
        }
        intervalCount = intervals.count
        differenceCount = differences
        sdnn = HeartRateVariability.deviation(intervals)
        rmssd = differences > 0 ? (squares / Double(differences)).squareRoot() : nil
    }

    /// Returns the sample's standard deviation; nil for fewer than two values.
    private static func deviation(_ values: [Double]) -> Double? {
        guard values.count > 1 else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot()
    }
}
