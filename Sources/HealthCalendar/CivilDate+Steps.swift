package import HealthEngine

// Calendar steps of days, without a time zone.
extension CivilDate {
    /// Returns the date `days` days later in the proleptic Gregorian calendar.
    package func advanced(by days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    /// Returns the date `count` steps later.
    ///
    /// For months and years, it is the first day of the month or year. Hours leave the date
    /// unchanged.
    package func advanced(by count: Int, _ step: CalendarStep) -> CivilDate {
        switch step {
        case .hour: return self
        case .day: return advanced(by: count)
        case .week: return advanced(by: 7 * count)
        case .month: return CivilDate(monthNumber: monthNumber + count)
        case .year: return CivilDate(year + count, 1, 1)
        }
    }

    /// Returns the first day of the week, month or year that contains this day.
    ///
    /// - Parameter firstWeekday: The first day of the week: 1 is Sunday, 2 is Monday.
    package func first(of step: CalendarStep, _ firstWeekday: Int) -> CivilDate {
        switch step {
        case .hour, .day: return self
        case .week:
            let first = (firstWeekday + 5) % 7
            return advanced(by: -((weekday - first + 7) % 7))
        case .month: return CivilDate(year, month, 1)
        case .year: return CivilDate(year, 1, 1)
        }
    }

    /// Returns the first day at or after this one that starts a week, or a month or year whose
    /// number is a multiple of `count`.
    ///
    /// For days and hours, it is this day.
    package func next(_ count: Int, _ step: CalendarStep, _ firstWeekday: Int) -> CivilDate {
        let first = first(of: step, firstWeekday)
        let begun = first == self ? first : first.advanced(by: 1, step)
        func roundedUp(_ number: Int) -> Int { (number + count - 1) / count * count }
        switch step {
        case .hour, .day, .week: return begun
        case .month: return CivilDate(monthNumber: roundedUp(begun.monthNumber))
        case .year: return CivilDate(roundedUp(begun.year), 1, 1)
        }
    }

    /// The number of months since January of the year 0.
    private var monthNumber: Int { year * 12 + month - 1 }

    /// Creates the first day of a month.
    private init(monthNumber: Int) {
        let month = (monthNumber % 12 + 12) % 12
        self.init((monthNumber - month) / 12, month + 1, 1)
    }
}
