import Foundation
package import HealthEngine

// Dates as people and scripts write them.
extension CalendarBuckets {
    /// Reads "2024-03-10", the first local moment of that day, or ISO 8601 with an offset:
    /// "2024-03-10T08:30+01:00", "2024-03-10T07:30:00.250Z".
    ///
    /// - Throws: ``StoreError`` naming the text that is no date, a day outside
    ///   `CivilDate.askable`, or a day that the zone skipped.
    public func time(_ text: String) throws -> Double {
        let day: CivilDate
        do {
            day = try CivilDate(asked: String(text.prefix { $0 != "T" }))
        } catch .outOfRange {
            let why = CivilDate.AskedTextError.outOfRange.words
            throw StoreError(.invalidArgument, "“\(text)” \(why)")
        } catch {
            throw CalendarBuckets.notADate(text)
        }
        guard let written = WrittenTime(text) else { throw CalendarBuckets.notADate(text) }
        if let seconds = written.seconds { return Double(day.dayNumber) * 86_400 + seconds }
        guard let start = start(of: day) else {
            throw StoreError(
                .invalidArgument, "There was no \(text) in \(calendar.timeZone.identifier).")
        }
        return start
    }

    private static func notADate(_ text: String) -> StoreError {
        StoreError(
            .invalidArgument,
            "“\(text)” is no date: write 2024-03-10, or 2024-03-10T08:30:00+01:00.")
    }

    /// ISO 8601 with the local offset: "2024-03-31T00:00:00+01:00".
    ///
    /// Milliseconds appear only where there are any. The offset is in whole minutes; where a zone
    /// once had seconds too, the wall time is moved by them, so that the moment is always right.
    /// Empty for what is no moment.
    public func text(_ time: Double) -> String {
        guard let milliseconds = Int64(exactly: (time * 1000).rounded()) else { return "" }
        let (whole, rest) = milliseconds.flooredDivision(by: 1000)
        let offset = offset(at: Double(whole))
        let local = CivilTime(reference: whole + Int64(offset))
        let fraction = rest == 0 ? "" : "." + CivilTime.digits(Int(rest), width: 3)
        return local.text(separator: "T") + fraction + CivilTime.offset(seconds: offset)
    }

    /// "2024-03-31", the local day of a moment; empty for what is no moment.
    public func day(_ time: Double) -> String {
        guard let whole = Int64(exactly: time.rounded(.down)), whole.magnitude < 1 << 50 else {
            return ""
        }
        let date = Date(timeIntervalSinceReferenceDate: time)
        return CivilTime(reference: whole + Int64(calendar.timeZone.secondsFromGMT(for: date)))
            .dayText
    }

    /// The local day of a moment, of any double: moments some 18 million years away and further have
    /// the day at that distance.
    package func civilDate(_ time: Double) -> CivilDate {
        let bounded = Int64(clamping: min(max(time, -0x1p49), 0x1p49).rounded(.down))
        let date = Date(timeIntervalSinceReferenceDate: Double(bounded))
        return CivilTime(reference: bounded + Int64(calendar.timeZone.secondsFromGMT(for: date)))
            .date
    }

    private func offset(at time: Double) -> Int {
        let date = Date(timeIntervalSinceReferenceDate: time)
        return calendar.timeZone.secondsFromGMT(for: date) / 60 * 60
    }
}

/// The time and the offset behind a date, if there are any.
private struct WrittenTime {
    /// From midnight UTC of that date to the moment; nil for a date alone.
    var seconds: Double?

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
        if reader.isAtEnd { return }
        guard reader.skip("T"), let clock = reader.clock(), let offset = reader.offset(),
            reader.isAtEnd
        else { return nil }
        seconds = clock - Double(offset)
    }
}

extension DigitReader {
    /// "08:30", "08:30:15" or "08:30:15.25", in seconds.
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
            // Sixteen digits are all a double can tell apart.
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
