package import HealthEngine

// Rings belong to days without a zone. A store holds such a day as its midnight in UTC, which is an
// hour of the day before in the zones west of it.
extension CalendarBuckets {
    /// The day of a moment that stands for a day without a zone.
    package static func civilDate(ofRings time: Double) -> CivilDate {
        let seconds = time.clamped(to: -1e12...1e12).rounded(.down)
        return CivilDate.split(seconds: Int(clamping: seconds)).date
    }

    /// The moment that stands for a day without a zone.
    private static func moment(ofRings day: CivilDate) -> Double { Double(day.dayNumber) * 86_400 }

    /// Where a sample begins and ends in this calendar: that of rings with its local day, any other
    /// where it says.
    ///
    /// A day that the zone skipped begins and ends where the next one begins.
    package func span(of sample: Sample, _ type: SampleType) -> (start: Double, end: Double) {
        guard type.kind == .activitySummary else { return (sample.start, sample.end) }
        let day = CalendarBuckets.civilDate(ofRings: sample.start)
        return (start(of: day), start(of: CivilDate(dayNumber: day.dayNumber + 1)))
    }

    /// The local day on which a sample begins, "2024-03-10"; of rings their own.
    package func day(of sample: Sample, _ type: SampleType) -> String {
        type.kind == .activitySummary
            ? CalendarBuckets.civilDate(ofRings: sample.start).description : day(sample.start)
    }

    /// The range in which a store has the rings of all days that a range touches; other types have
    /// theirs in the range itself.
    package func range(
        from: Double, to: Double, of type: SampleType
    ) -> (from: Double, to: Double) {
        guard type.kind == .activitySummary else { return (from, to) }
        let first = CivilDate(day(from)).map(CalendarBuckets.moment(ofRings:))
        let last = CivilDate(day(to.nextDown)).map {
            CalendarBuckets.moment(ofRings: CivilDate(dayNumber: $0.dayNumber + 1))
        }
        return (first ?? from, last ?? to)
    }

    private func start(of day: CivilDate) -> Double {
        start(year: day.year, month: day.month, day: day.day)
            ?? start(of: .day, at: CalendarBuckets.moment(ofRings: day) + 43_200)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
