import HealthEngine

/// Parses the local times of heartbeats in many formats: "08:33:44,67", "6:14:48.94 PM",
/// "٠٨:٣٣:٤٤٫٦٧".
enum WallClock {
    /// Returns the time of a heartbeat relative to the start of its reading, in seconds, modulo
    /// 900: above -30 and up to 870, rounded to milliseconds.
    ///
    /// The time has neither date nor zone, but UTC offsets and the twelve hours between AM and PM
    /// are multiples of a quarter of an hour.
    ///
    /// - Parameters:
    ///   - time: The local time as written.
    ///   - start: The start of the reading, in seconds since 2001-01-01T00:00:00Z.
    /// - Returns: The offset, or nil if `time` is not a valid time.
    static func offset(of time: String, from start: Double) -> Double? {
        guard let clock = seconds(time), start.isFinite else { return nil }
        let difference = (clock - start).truncatingRemainder(dividingBy: 900)
        let positive = difference < 0 ? difference + 900 : difference
        let rounded = (positive * 1000).rounded() / 1000
        return rounded > 870 ? rounded - 900 : rounded
    }

    /// Parses a time such as "6:14:48.94 PM" and returns the seconds since 00:00:00; nil if the
    /// text is not a valid time.
    ///
    /// AM and PM are not evaluated: ``offset(of:from:)`` computes modulo 15 minutes, so twelve
    /// hours make no difference.
    private static func seconds(_ time: String) -> Double? {
        var fields: SIMD4<Int> = .zero
        var widths: SIMD4<Int> = .zero
        var field = 0
        var (fraction, scale) = (0.0, 1.0)
        var isFraction = false
        for scalar in time.unicodeScalars {
            if let digit = digit(scalar) {
                if isFraction {
                    // Digits after the ninth are ignored.
                    if scale < 1e9 {
                        (fraction, scale) = (fraction * 10 + Double(digit), scale * 10)
                    }
                } else {
                    fields[field] = fields[field] * 10 + digit
                    widths[field] += 1
                    if widths[field] > 2 { return nil }
                }
            } else if field < 2, scalar == ":" || scalar == "." {
                field += 1
            } else if field == 2, scalar == "." || scalar == "," || scalar == "\u{66B}" {
                isFraction = true
            }
        }
        guard widths[0] > 0, widths[1] > 0, widths[2] > 0, fields[0] <= 24, fields[1] < 60,
            fields[2] <= 60
        else { return nil }
        return Double(fields[0] * 3600 + fields[1] * 60 + fields[2]) + fraction / scale
    }

    /// Returns the value of a decimal digit in any script; nil for other numeric characters such as
    /// "½".
    @inline(__always)
    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII {
            return (48...57).contains(scalar.value) ? Int(scalar.value) - 48 : nil
        }
        // Shortcut for the special spaces before AM and PM, which occur in every time with a
        // 12-hour clock.
        if (0x2000...0x206F).contains(scalar.value) { return nil }
        guard scalar.properties.numericType == .decimal else { return nil }
        return scalar.properties.numericValue.map { Int(clamping: $0) }
    }
}
