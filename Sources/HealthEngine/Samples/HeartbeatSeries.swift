extension [Heartbeat] {
    /// The beats of an exported heart-rate-variability reading as a series in order of time.
    ///
    /// An export has the clock time and the instantaneous rate of each beat, and no gaps. The rate
    /// is that of the interval before the beat. So a gap precedes a beat if the time since the
    /// beat before differs from that interval by more than the export's rounding (Semantics
    /// §10.5b). Beats without a readable time are left out, and a gap precedes the next one.
    ///
    /// ```swift
    /// [Heartbeat(bpm: 60, time: "", offset: 1), Heartbeat(bpm: 60, time: "", offset: 4)]
    ///     .exportedSeries.map(\.precededByGap)   // [false, true]
    /// ```
    ///
    /// - Complexity: O(n).
    package var exportedSeries: [Heartbeat] {
        var series: [Heartbeat] = []
        series.reserveCapacity(count)
        var isInterrupted = false
        // Offsets are known modulo 15 minutes only.
        var wrapped = 0.0
        for var beat in self {
            guard let offset = beat.offset, offset.isFinite else {
                isInterrupted = true
                continue
            }
            var time = offset + wrapped
            if let last = series.last?.offset {
                if last - time > Heartbeat.offsetModulus / 2 {
                    wrapped += Heartbeat.offsetModulus
                    time += Heartbeat.offsetModulus
                }
                guard time > last else {
                    isInterrupted = true
                    continue
                }
                beat.precededByGap = isInterrupted || !beat.follows(after: time - last)
            }
            beat.offset = time
            isInterrupted = false
            series.append(beat)
        }
        return series
    }

    /// The beats of a saved heartbeat series with their times. A beat that a device sent without a
    /// time is placed by its rate after the beat before; one with neither is left out, and the next
    /// one is preceded by a gap.
    ///
    /// - Complexity: O(n).
    package var timedSeries: [Heartbeat] {
        var series: [Heartbeat] = []
        series.reserveCapacity(count)
        var isInterrupted = false
        for var beat in self {
            let placed = beat.bpm > 0 ? (series.last?.offset ?? 0) + 60 / beat.bpm : nil
            guard let time = beat.offset ?? placed, time.isFinite else {
                isInterrupted = true
                continue
            }
            beat.offset = time
            beat.precededByGap = beat.precededByGap || isInterrupted
            isInterrupted = false
            series.append(beat)
        }
        return series
    }
}

extension Heartbeat {
    /// The period of ``offset`` in imported samples, in seconds.
    fileprivate static let offsetModulus = 900.0
    /// Rates are exported as whole numbers, and times in hundredths of a second.
    private static let (rateRounding, timeRounding) = (0.5, 0.015)

    /// Whether the rate is that of an interval, as exactly as exports state it.
    fileprivate func follows(after interval: Double) -> Bool {
        guard bpm > Heartbeat.rateRounding, bpm.isFinite else { return false }
        let longest = 60 / (bpm - Heartbeat.rateRounding) + Heartbeat.timeRounding
        let shortest = 60 / (bpm + Heartbeat.rateRounding) - Heartbeat.timeRounding
        return (shortest...longest).contains(interval)
    }
}
