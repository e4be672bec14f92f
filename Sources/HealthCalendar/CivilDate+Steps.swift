package import HealthEngine

// Calendar steps of days, without a time zone.
extension CivilDate {
    /// Returns the date `days` days later in the proleptic Gregorian calendar.
    package func advanced(by days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    /// Returns the date `count` steps later.
    ///
    /// For months and years, the result is the first day of the month or year. For hours, it is
    /// this date.
    package func advanced(by count: Int, _ step: CalendarStep) -> CivilDate {
        switch step {
        case .hour: return self
        case .day: return advanced(by: count)
        case .week: return advanced(by: 7 * count)
        case .month: return CivilDate(monthNumber: monthNumber + count)
        case .year: return CivilDate(year + count, 1, 1)
        }
    }

    /// Returns the first day of the week, month or year that contains this day. For hours and days,
    /// the result is this day.
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
    /// number is a multiple of `count`. Months are numbered from January of the year 0.
    ///
    /// For days and hours, the result is this day. `count` has no effect on weeks.
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

    /// Returns the days from one day to another that start a step, `count` steps apart.
    ///
    /// The first one is given by ``next(_:_:_:)`` for `first`. So the numbers of months and years
    /// are multiples of `count`, and days and weeks are counted from the first one.
    ///
    /// - Parameters:
    ///   - step: The step. For hours, which do not divide days, only `first` is returned.
    ///   - count: The number of steps from one returned day to the next, at least 1.
    ///   - first: The earliest day.
    ///   - last: The latest day, inclusive. There are no days if it is before `first`.
    ///   - firstWeekday: The first day of the week: 1 is Sunday, 2 is Monday.
    /// - Returns: The days in ascending order.
    /// - Complexity: O(days returned).
    package static func starts(
        of step: CalendarStep, every count: Int = 1, from first: CivilDate,
        through last: CivilDate, firstWeekday: Int
    ) -> [CivilDate] {
        var starts: [CivilDate] = []
        var day = first.next(count, step, firstWeekday)
        while day <= last {
            starts.append(day)
            let next = day.advanced(by: count, step)
            guard next > day else { break }
            day = next
        }
        return starts
    }

    /// Returns the name of the step that starts on this day: "2024-03-10" for an hour, day or week,
    /// "2024-03" for a month, "2024" for a year.
    package func name(of step: CalendarStep) -> String {
        switch step {
        case .hour, .day, .week: description
        case .month: String(description.dropLast(3))
        case .year: String(description.dropLast(6))
        }
    }

    /// The number of months since January of the year 0.
    private var monthNumber: Int { year * 12 + month - 1 }

    /// Creates the first day of a month, given by the number of months since January of the year 0.
    private init(monthNumber: Int) {
        let month = (monthNumber % 12 + 12) % 12
        self.init((monthNumber - month) / 12, month + 1, 1)
    }
}

extension ClosedRange<CivilDate> {
    /// All days of the range, in ascending order.
    package var days: [CivilDate] {
        (lowerBound.dayNumber...upperBound.dayNumber).map { CivilDate(dayNumber: $0) }
    }
}
