/// The heading of an electrocardiogram's file in an export.
///
/// A kept file begins with the recorded date. Labels and values are in the language of the phone, so
/// fields are recognized by position and form (ExportFormat §4.2): the classification and the
/// symptoms by their line, the device, the version, the rate, the heart rate and the unit by their
/// form.
package struct ElectrocardiogramHeading: Hashable, Sendable {
    /// The classification as exported, such as "Sinus Rhythm" or "Sinusrhythmus"; nil if the line is
    /// missing, empty, not UTF-8 or longer than ``maximumLength`` characters.
    package private(set) var classification: String?
    /// The symptoms as exported; nil under the same conditions.
    package private(set) var symptoms: String?
    /// The version of the software that recorded it, such as "1.90"; nil if there is none.
    package private(set) var softwareVersion: String?
    /// The hardware that recorded it, such as "Watch7,12"; nil if there is none.
    package private(set) var device: String?
    /// Voltages per second; nil if the rate is missing or not between 1 and 100,000.
    package private(set) var rate: Double?
    /// The average heart rate in beats per minute, which only some files have.
    package private(set) var averageHeartRate: Double?
    /// What a voltage is multiplied with to give microvolts; nil if the unit is missing or unknown.
    package private(set) var scale: Double?
    /// The number of bytes before the voltages.
    private(set) var byteCount = 0

    /// The maximum number of characters of a text.
    package static let maximumLength = 100
    /// The maximum number of lines before the voltages.
    static let maximumLines = 32

    /// Reads the heading of a kept file.
    ///
    /// The heading ends before the first number. After the unit, it also ends with a blank line or
    /// before a line that isn't a label with a value. So an unreadable voltage is never a part of
    /// it.
    ///
    /// - Parameter head: The first bytes of the file. Its last line may be incomplete and is
    ///   ignored, unless it ends with a newline.
    /// - Complexity: O(bytes of the heading).
    package init(_ head: [UInt8]) {
        var rest = head[...]
        var position = 0
        var isAfterBlank = false
        while position < ElectrocardiogramHeading.maximumLines,
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        {
            let line = ElectrocardiogramLine(rest[..<end])
            if line?.number != nil { break }
            if scale != nil {
                guard let line, line.isEmpty || !isAfterBlank && line.isLabelled else { break }
                isAfterBlank = isAfterBlank || line.isEmpty
            }
            if let line { read(line, at: position) }
            rest = rest[(end + 1)...]
            position += 1
        }
        byteCount = rest.startIndex - head.startIndex
    }

    private mutating func read(_ line: ElectrocardiogramLine, at position: Int) {
        if position == 1 { classification = line.text(upTo: Self.maximumLength) }
        if let scale = line.scale {
            self.scale = self.scale ?? scale
        } else if let (number, word) = line.measurement {
            if word.isHeartRate {
                averageHeartRate = averageHeartRate ?? (number > 0 ? number : nil)
            } else if rate == nil, ElectrocardiogramRecording.rates.contains(number) {
                rate = number
            }
        } else if position > 1 {
            if line.isDevice {
                device = device ?? line.value
            } else if line.isVersion {
                softwareVersion = softwareVersion ?? line.value
            } else if position == 2 {
                symptoms = line.text(upTo: Self.maximumLength)
            }
        }
    }
}

/// A line of an electrocardiogram's file: a label and a value, or a voltage.
package struct ElectrocardiogramLine {
    /// The whole line, without surrounding white space.
    private let line: String
    /// What follows the first comma, without surrounding white space and quotes; the whole line
    /// without a comma.
    let value: String
    private let hasLabel: Bool

    /// Creates a line; nil if the bytes are not UTF-8.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let line = text.trimming(while: \.isWhitespace)
        let comma = line.firstIndex(of: ",")
        let rest = comma.map { line[line.index(after: $0)...] } ?? line[...]
        self.line = line
        hasLabel = comma != nil
        value = String(rest).trimming { $0.isWhitespace || $0 == "\"" }
    }

    /// Whether the line has no characters.
    var isEmpty: Bool { line.isEmpty }

    /// Whether it is a label with a value, such as "Lead,Lead I".
    var isLabelled: Bool { hasLabel && line.first { $0 != "\"" }?.isLetter == true }

    /// The number that the whole line consists of, also in quotes; nil for any other line.
    package var number: Double? {
        let isQuoted = line.count > 1 && line.hasPrefix("\"") && line.hasSuffix("\"")
        return ElectrocardiogramLine.decimal(isQuoted ? line.dropFirst().dropLast() : line[...])
    }

    /// Returns the value after a label; nil if it is empty or too long, or if there is no label.
    func text(upTo length: Int) -> String? {
        hasLabel && !value.isEmpty && value.count <= length ? value : nil
    }

    /// A number with a word, such as "512 hertz", "511,562 Hertz" or "512ヘルツ".
    var measurement: (number: Double, word: ElectrocardiogramUnit)? {
        let digits = ElectrocardiogramLine.leadingNumber(value)
        let word = String(value[digits.endIndex...]).trimming(while: \.isWhitespace)
        guard let first = word.first, first.isLetter || first == "/",
            let number = ElectrocardiogramLine.decimal(digits)
        else { return nil }
        return (number, ElectrocardiogramUnit(word: word))
    }

    /// What a voltage of the unit that the value is must be multiplied with; nil for other values.
    var scale: Double? { ElectrocardiogramLine.scales[value] }

    /// Whether the value is the name of hardware, such as "Watch7,12".
    var isDevice: Bool {
        let name = value.prefix { $0.isASCII && $0.isLetter }
        let numbers = value[name.endIndex...].split(
            separator: ",", omittingEmptySubsequences: false)
        return !name.isEmpty && value.utf8.count <= ElectrocardiogramHeading.maximumLength
            && numbers.count == 2
            && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
    }

    /// Whether the value is a version, such as "1.90", "2" or "1,90".
    var isVersion: Bool {
        !value.isEmpty && value.first?.isNumber == true && value.count <= 20
            && value.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    }

    /// Micro is U+00B5 or U+03BC.
    private static let scales: [String: Double] = [
        "\u{B5}V": 1, "\u{3BC}V": 1, "uV": 1, "mV": 1_000, "V": 1_000_000,
    ]

    /// Returns the digits at the beginning, with points, commas and an exponent.
    private static func leadingNumber(_ text: String) -> Substring {
        let isDigit: (Character) -> Bool = { $0.isASCII && $0.isNumber }
        let digits = text.prefix { isDigit($0) || $0 == "." || $0 == "," }
        var rest = text[digits.endIndex...]
        guard let mark = rest.popFirst(), mark == "e" || mark == "E" else { return digits }
        if let sign = rest.first, sign == "-" || sign == "+" { rest.removeFirst() }
        let exponent = rest.prefix(while: isDigit)
        return exponent.isEmpty ? digits : text[..<exponent.endIndex]
    }

    /// Returns a number with a point or a comma, an exponent or none, and nothing else. A minus sign
    /// is U+002D, U+2212 or one of the dashes U+2012 and U+2013, which some languages print.
    private static func decimal(_ text: Substring) -> Double? {
        guard let last = text.utf8.last, (0x30...0x39).contains(last) else { return nil }
        var text = text
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            text = Substring(String(text.map { minusSigns.contains($0) ? "-" : $0 }))
        }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "-+.,eE".utf8.contains($0) })
        else { return nil }
        return Double(text.replacing(",", with: ".")).flatMap { $0.isFinite ? $0 : nil }
    }

    private static let minusSigns: Set<Character> = ["\u{2212}", "\u{2012}", "\u{2013}"]
}

/// The word after a number in the heading.
struct ElectrocardiogramUnit: Hashable {
    /// The word in lower case.
    private let word: String

    init(word: String) { self.word = word.lowercased() }

    /// Whether it is a unit of heart rates in a known language, not one of sample rates.
    var isHeartRate: Bool {
        ElectrocardiogramUnit.heartRates.contains { word.hasPrefix($0) } || word.hasSuffix("/min")
            || word.hasSuffix("/分")
    }

    private static let heartRates = [
        "bpm", "count/min", "/min", "lpm", "ppm", "s/min", "slag/min", "拍/分", "次/分", "уд/мин",
    ]
}

extension String {
    /// Returns the text without the characters at both ends for which a condition is true.
    fileprivate func trimming(while isEdge: (Character) -> Bool) -> String {
        var text = self[...].drop(while: isEdge)
        while let last = text.last, isEdge(last) { text.removeLast() }
        return String(text)
    }
}
