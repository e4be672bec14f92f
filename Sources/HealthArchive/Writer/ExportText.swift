import HealthEngine

/// An output buffer for XML text, with dates at a fixed UTC offset and shortest round-trip numbers.
struct ExportText {
    private(set) var bytes: [UInt8] = []
    /// The number of characters that XML can't represent, written as U+FFFD.
    private(set) var replacedCharacters = 0
    private let offset: Int
    private let offsetSuffix: [UInt8]
    private var cachedDay: CivilDate?
    private var cachedDate: [UInt8] = []

    /// Creates an empty buffer.
    ///
    /// - Parameter offset: The offset of every date, in seconds east of UTC.
    init(offset: Int) {
        self.offset = offset
        let minutes = abs(offset) / 60
        let digits = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
        offsetSuffix = Array(" \(offset < 0 ? "-" : "+")\(digits)".utf8)
    }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends text without escaping.
    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ rendered: [UInt8]) { bytes.append(contentsOf: rendered) }

    /// Appends ` name="value"` with the value escaped.
    mutating func attribute(_ name: String, _ value: String) {
        open(name)
        escape(value)
        close()
    }

    mutating func attribute(_ name: String, _ value: Double?) {
        guard let value else { return }
        open(name)
        number(value)
        close()
    }

    mutating func attribute(_ name: String, date: Double?) {
        guard let date else { return }
        open(name)
        self.date(date)
        close()
    }

    private mutating func open(_ name: String) {
        bytes.append(UInt8(ascii: " "))
        append(name)
        append("=\"")
    }

    private mutating func close() { bytes.append(UInt8(ascii: "\"")) }
}

extension ExportText {
    /// Appends text, escaped so that an XML parser returns the same text, even in an attribute.
    ///
    /// XML 1.0 has no form for U+FFFE, U+FFFF and C0 control characters other than tab, line feed
    /// and carriage return. Each is replaced by U+FFFD and counted.
    mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "\t": append("&#9;")
            case "\n": append("&#10;")
            case "\r": append("&#13;")
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}":
                append("\u{FFFD}")
                replacedCharacters += 1
            case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                bytes.append(
                    contentsOf: Unicode.UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// Appends an integer below 2⁵³ in full, and any other number with the shortest digits that
    /// parse to the same double: `72`, `0.97`, `1e-05`.
    mutating func number(_ value: Double) {
        if value.rounded(.towardZero) == value, abs(value) < 0x1p53,
            !(value == 0 && value.sign == .minus)
        {
            integer(Int(clamping: value))
        } else {
            append(value.description)
        }
    }

    private mutating func integer(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var divisor: UInt = 1
        while magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends a date such as "2026-09-08 08:55:02 +0100", rounded down to whole seconds.
    ///
    /// - Parameter seconds: Seconds since 2001-01-01T00:00:00Z. A date that is not writable is
    ///   replaced by the nearest writable one.
    mutating func date(_ seconds: Double) {
        let (day, second) = CivilDate.split(seconds: Self.writable(seconds) + offset)
        if day != cachedDay {
            cachedDay = day
            cachedDate = Array("\(day) ".utf8)
        }
        bytes.append(contentsOf: cachedDate)
        twoDigits(second / 3600)
        bytes.append(UInt8(ascii: ":"))
        twoDigits(second / 60 % 60)
        bytes.append(UInt8(ascii: ":"))
        twoDigits(second % 60)
        bytes.append(contentsOf: offsetSuffix)
    }

    /// Returns whether a time can be written at every UTC offset with a year from 0001 to 9999. The
    /// range ends about eleven days before these years do, which is more than any offset.
    static func isWritable(_ seconds: Double) -> Bool { (earliest...latest).contains(seconds) }

    /// Clamps a time to the writable range and rounds it down to whole seconds. The time is in
    /// seconds since 2001-01-01T00:00:00Z.
    static func writable(_ seconds: Double) -> Int {
        Int(clamping: min(max(seconds, earliest), latest).rounded(.down))
    }

    private static let earliest: Double = -63_113_000_000
    private static let latest: Double = 252_423_000_000

    private mutating func twoDigits(_ number: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
