/// Days in UTC, which all have 86,400 seconds. They are numbered from 2001-01-01, day 0.
///
/// They group times independently of a person's time zone. The days that people read are those of
/// ``CalendarBuckets``.
package enum UTCDay {
    /// The length of a day in seconds.
    package static let seconds = 86_400.0

    /// Returns the start of a day, in reference seconds.
    package static func start(_ number: Int) -> Double { Double(number) * seconds }

    /// Returns the start of the day that contains a time. Both are reference seconds.
    package static func start(containing time: Double) -> Double {
        (time / seconds).rounded(.down) * seconds
    }

    /// Returns the number of the day that contains a time in reference seconds. Numbers outside the
    /// range of `Int` are clamped; NaN gives 0.
    package static func number(containing time: Double) -> Int {
        let day = (time / seconds).rounded(.down)
        return day.isNaN ? 0 : Int(exactly: day) ?? (day < 0 ? .min : .max)
    }
}
