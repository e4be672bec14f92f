package import HealthEngine

// Assignment of times to nights.
extension CalendarBuckets {
    /// Returns the day that a sleep belongs to (Semantics §10.7).
    ///
    /// - Parameters:
    ///   - moment: The middle of the sleep, in reference seconds.
    ///   - cut: The local hour at which days are cut. From 12 on it is an hour of the evening
    ///     before the day, otherwise an hour of the day itself.
    /// - Returns: The day whose 24 hours from `cut` contain `moment`.
    package func day(ofSleepAt moment: Double, cut: Int) -> CivilDate {
        let (date, second) = clock.reading(at: moment)
        let hour = second / 3600
        if cut >= 12 {
            // About noon of the next day, which exists even where the time zone skips midnight or a
            // date.
            return hour < cut
                ? date : clock.reading(at: moment + Double(36 - hour) * 3600).date
        }
        return hour >= cut ? date : clock.reading(at: moment - Double(12 + hour) * 3600).date
    }

    /// Returns the noon at or before a time, the next noon, and the day of that noon. All times are
    /// reference seconds.
    package func noonToNoon(
        holding moment: Double
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
