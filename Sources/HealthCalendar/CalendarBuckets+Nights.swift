package import HealthEngine

// Assignment of times to nights.
extension CalendarBuckets {
    /// Returns the day that a time of sleep is assigned to (Semantics §10.7).
    ///
    /// Days for sleep start at a given hour instead of midnight. If the hour is 18, a day lasts
    /// from 18:00 of the previous date to 18:00 of its own date. If it is 4, a day lasts from 04:00
    /// of its own date to 04:00 of the next date.
    ///
    /// - Parameters:
    ///   - moment: A time of the sleep, usually its middle, in reference seconds.
    ///   - cut: The hour of local clocks, 0 to 23, at which a day starts. Values below 12 are an
    ///     hour of the day's own date, others an hour of the previous date.
    /// - Returns: The day that contains `moment`.
    package func day(ofSleepAt moment: Double, cut: Int) -> CivilDate {
        let (date, second) = clock.reading(at: moment)
        let hour = second / 3600
        if cut >= 12 {
            // A time in the hour after noon of the next day. A time zone can skip midnight, but not
            // noon. If it skips the whole next day, the time is in the day after that.
            return hour < cut
                ? date : clock.reading(at: moment + Double(36 - hour) * 3600).date
        }
        return hour >= cut ? date : clock.reading(at: moment - Double(12 + hour) * 3600).date
    }

    /// Returns the noon at or before a time, the next noon, and the day of the next noon. All times
    /// are reference seconds.
    package func noonToNoon(
        containing moment: Double
    ) -> (start: Double, end: Double, morning: CivilDate) {
        let day = clock.day(at: moment)
        let noon = noon(of: day)
        if moment < noon { return (self.noon(of: existingDay(-1, after: day)), noon, day) }
        let morning = existingDay(1, after: day)
        return (noon, self.noon(of: morning), morning)
    }

    private func noon(of day: CivilDate) -> Double {
        clock.first(showing: day, secondOfDay: 43_200)
    }
}
