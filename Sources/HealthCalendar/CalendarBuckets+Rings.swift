package import HealthEngine

// Activity summaries (rings) belong to calendar days without a time zone. A store keeps the start
// of such a day in UTC. In time zones west of UTC, this time is in the day before.
extension CalendarBuckets {
    /// Returns the day of an activity summary.
    ///
    /// - Parameter time: The stored time of the summary: the start of its day in UTC, in reference
    ///   seconds.
    package static func civilDate(ofRings time: Double) -> CivilDate {
        let seconds = time.clamped(to: -1e12...1e12).rounded(.down)
        return CivilDate.split(seconds: Int(clamping: seconds)).date
    }

    /// Returns the stored time of an activity summary of a day: its start in UTC, in reference
    /// seconds.
    private static func moment(ofRings day: CivilDate) -> Double { UTCDay.start(day.dayNumber) }

    /// Returns the start and end of a sample in reference seconds. For an activity summary, these
    /// are the start and end of its local day. For other samples, they are the recorded times.
    ///
    /// If the time zone skipped the day of a summary, both are the start of the next day.
    package func span(of sample: Sample, _ type: SampleType) -> (start: Double, end: Double) {
        guard type.kind == .activitySummary else { return (sample.start, sample.end) }
        let day = CalendarBuckets.civilDate(ofRings: sample.start)
        return (clock.start(of: day), clock.start(of: day.advanced(by: 1)))
    }

    /// Returns the day of an activity summary, or the local day on which another sample starts:
    /// "2024-03-10".
    package func day(of sample: Sample, _ type: SampleType) -> String {
        type.kind == .activitySummary
            ? CalendarBuckets.civilDate(ofRings: sample.start).description : day(sample.start)
    }

    /// Converts a half-open range of times to the half-open range of stored times of a type.
    ///
    /// For activity summaries, the result contains the stored times of all local days that the
    /// range touches. For other types it is the range itself.
    package func range(
        from: Double, to: Double, of type: SampleType
    ) -> (from: Double, to: Double) {
        guard type.kind == .activitySummary else { return (from, to) }
        let first = CivilDate(day(from)).map(CalendarBuckets.moment(ofRings:))
        let last = CivilDate(day(to.nextDown)).map {
            CalendarBuckets.moment(ofRings: $0.advanced(by: 1))
        }
        return (first ?? from, last ?? to)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
