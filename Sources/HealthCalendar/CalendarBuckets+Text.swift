import Foundation
package import HealthEngine

// Parsing and formatting of dates.
extension CalendarBuckets {
    /// Parses a date or a time.
    ///
    /// "2024-03-10" is the start of the local day. ISO 8601 with an offset is a time:
    /// "2024-03-10T08:30+01:00", "2024-03-10T07:30:00.250Z". Without an offset it is what local
    /// clocks show, the first time they do: "2024-03-10T08:30".
    ///
    /// - Parameter text: A date, or a date and time.
    /// - Returns: Reference seconds.
    /// - Throws: ``CalendarError`` if the text is not a date, if the day is outside
    ///   `CivilDate.supportedRange`, or if the time zone skipped the day or the local time.
    public func time(_ text: String) throws(CalendarError) -> Double {
        let day: CivilDate
        do {
            day = try CivilDate(validating: String(text.prefix { $0 != "T" }))
        } catch .outOfRange {
            throw .outOfRange(text)
        } catch {
            throw .notADate(text)
        }
        guard let written = WrittenTime(text) else { throw .notADate(text) }
        switch written {
        case .day: break
        case .universal(let seconds): return Double(day.dayNumber) * 86_400 + seconds
        case .local(let seconds):
            let whole = seconds.rounded(.down)
            let moment = clock.moments(showing: day, secondOfDay: Int(whole)).first
            guard let moment else { throw .skipped(text, zone: clock.zone.identifier) }
            return moment + seconds - whole
        }
        guard let start = start(of: day) else {
            throw .skipped(text, zone: clock.zone.identifier)
        }
        return start
    }

    /// Parses a date or a time as ``time(_:)`` does, or the first day of a written period: "today",
    /// "last week" (``DayPeriod``).
    ///
    /// - Throws: ``CalendarError`` as ``time(_:)`` does.
    package func time(_ text: String, today: CivilDate) throws(CalendarError) -> Double {
        if text.first?.isNumber != true,
            let period = try? DayPeriod(text, today: today, firstWeekday: firstWeekday)
        {
            return times(of: period).from
        }
        return try time(text)
    }

    /// Returns the first time at which local clocks show an hour and minute of a day, in reference
    /// seconds. Returns nil if the time zone skips that minute.
    package func moment(_ hour: Int, _ minute: Int, on day: CivilDate) -> Double? {
        clock.moments(showing: day, secondOfDay: hour * 3600 + minute * 60).first
    }

    /// Formats a time in ISO 8601 with the local offset: "2024-03-31T00:00:00+01:00".
    ///
    /// Milliseconds are written only if they are not 0. The offset is in whole minutes. Where a
    /// historic offset had seconds, the local time is adjusted, so that the text always denotes the
    /// right instant.
    ///
    /// - Parameter time: Reference seconds, rounded to milliseconds.
    /// - Returns: The text; empty if the time is not finite or 2^63 milliseconds or more from the
    ///   reference date.
    public func text(_ time: Double) -> String {
        guard let milliseconds = Int64(exactly: (time * 1000).rounded()) else { return "" }
        let (whole, rest) = milliseconds.flooredDivision(by: 1000)
        let offset = clock.offset(at: Double(whole)) / 60 * 60
        let local = CivilTime(reference: whole + Int64(offset))
        let fraction = rest == 0 ? "" : "." + CivilTime.digits(Int(rest), width: 3)
        return local.text(separator: "T") + fraction + CivilTime.offset(seconds: offset)
    }

    /// Returns the local day that a time belongs to: "2024-03-31".
    ///
    /// - Parameter time: Reference seconds, clamped to 2^49 seconds from the reference date.
    /// - Returns: The day in ISO 8601; empty if the time is not finite or 2^50 seconds or more from
    ///   the reference date.
    public func day(_ time: Double) -> String {
        guard let whole = Int64(exactly: time.rounded(.down)), whole.magnitude < 1 << 50 else {
            return ""
        }
        return clock.day(at: time).description
    }

    /// Returns the local day that a time belongs to. Any double is allowed: times beyond 2^49
    /// seconds (18 million years) are clamped, and NaN is 0.
    package func civilDate(_ time: Double) -> CivilDate { clock.day(at: time) }
}

/// The time of day and offset that follow the date in a text, if there are any.
private enum WrittenTime {
    /// A date alone.
    case day
    /// The seconds from midnight UTC of the date.
    case universal(Double)
    /// The seconds of the day that a local clock shows.
    case local(Double)

    init?(_ text: String) {
        var text = text
        let written = text.withUTF8 { WrittenTime(utf8: $0) }
        guard let written else { return nil }
        self = written
    }

    private init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        var reader = DigitReader(bytes)
        guard reader.number(4) != nil, reader.skip("-"), reader.number(2) != nil,
            reader.skip("-"), reader.number(2) != nil
        else { return nil }
        self = .day
        if reader.isAtEnd { return }
        guard reader.skip("T"), let clock = reader.clock() else { return nil }
        self = .local(clock)
        if reader.isAtEnd { return }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        self = .universal(clock - Double(offset))
    }
}

extension DigitReader {
    /// Reads a time of day, "08:30", "08:30:15" or "08:30:15.25", and returns the seconds since
    /// midnight; nil for other text.
    fileprivate mutating func clock() -> Double? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60
        else { return nil }
        var seconds = Double(hour * 3600 + minute * 60)
        guard skip(":") else { return seconds }
        guard let second = number(2), second < 60 else { return nil }
        seconds += Double(second)
        guard skip(".") else { return seconds }
        guard var digit = number(1) else { return nil }
        var (fraction, scale) = (0.0, 1.0)
        while true {
            // Digits after the 15th are ignored, because a double cannot represent them.
            if scale < 1e15 { (fraction, scale) = (fraction * 10 + Double(digit), scale * 10) }
            guard isAtDigit, let next = number(1) else { return seconds + fraction / scale }
            digit = next
        }
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
