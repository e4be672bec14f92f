/// The voltages of an electrocardiogram at a fixed rate.
package struct ElectrocardiogramRecording: Hashable, Sendable {
    /// The start, in reference seconds.
    package var start: Double
    /// Voltages per second.
    package var rate: Double
    /// Microvolts; NaN for one that can't be read.
    package var microvolts: [Double]
    /// The classification as written, such as "Sinus Rhythm"; nil for none.
    package var classification: String?

    /// The maximum number of voltages: more than an hour at the rate of a Watch.
    private static let maximumCount = 2_000_000
    private static let rates = 1.0...100_000.0
    private static let maximumHeadingLines = 32

    /// Reads a kept file of an export, which begins with the line of the recorded date.
    ///
    /// Labels and values are localized, so lines are recognized by their form: the sample rate by a
    /// number with a word, the unit by its symbol, voltages by lines with a number only
    /// (ExportFormat §4.2).
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - recorded: When it was recorded, in reference seconds.
    /// - Returns: Nil if the rate, the unit or the voltages are missing.
    /// - Complexity: O(bytes).
    package init?(file: [UInt8], recorded: Double) {
        var heading: [String] = []
        var (rate, scale): (Double?, Double?) = (nil, nil)
        var values: [Double] = []
        for line in file.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line, as: UTF8.self).trimmingSpace
            if let value = Self.decimal(text) {
                guard values.count < Self.maximumCount else { return nil }
                values.append(value)
            } else if !values.isEmpty {
                if !text.isEmpty { values.append(.nan) }
            } else {
                guard heading.count < Self.maximumHeadingLines else { return nil }
                let value = Self.value(text)
                heading.append(value)
                rate = rate ?? Self.rate(value)
                scale = scale ?? Self.scales[value]
            }
        }
        guard let rate, let scale, !values.isEmpty else { return nil }
        (start, self.rate) = (recorded, rate)
        microvolts = values.map { $0 * scale }
        classification = heading.count > 1 ? FHIRText.string(heading[1]) : nil
    }

    /// Reads the numbers of a sample that a device sent: voltages in microvolts, and their times or
    /// their rate.
    ///
    /// - Parameters:
    ///   - numbers: The numbers by name (`SampleDetail.numbers`).
    ///   - start: The start of the sample, in reference seconds.
    /// - Returns: Nil without voltages or a rate.
    package init?(numbers: [String: [Double]], start: Double) {
        guard let values = numbers["voltages"], values.count > 1,
            values.count <= Self.maximumCount
        else { return nil }
        var rate = numbers["samplingFrequency"]?.first
        if rate == nil, let offsets = numbers["offsets"], offsets.count == values.count,
            let first = offsets.first, let last = offsets.last, last > first
        {
            rate = Double(values.count - 1) / (last - first)
        }
        guard let rate, Self.rates.contains(rate) else { return nil }
        (self.start, self.rate, microvolts) = (start, rate, values)
        classification = numbers["classification"]?.first.flatMap { Self.classifications[$0] }
    }

    /// HealthKit's classifications by raw value, in the words of Apple's English exports.
    private static let classifications: [Double: String] = [
        1: "Sinus Rhythm", 2: "Atrial Fibrillation", 3: "Inconclusive: low heart rate",
        4: "Inconclusive: high heart rate", 5: "Inconclusive: poor reading", 6: "Inconclusive",
        100: "Unrecognized",
    ]

    /// What a voltage of each unit is multiplied with. Micro is U+00B5 or U+03BC.
    private static let scales: [String: Double] = [
        "\u{B5}V": 1, "\u{3BC}V": 1, "uV": 1, "mV": 1_000, "V": 1_000_000,
    ]

    /// Returns what follows the first comma, without quotes; the whole line without a comma.
    private static func value(_ line: String) -> String {
        let rest = line.firstIndex(of: ",").map { line[line.index(after: $0)...] } ?? line[...]
        return String(rest.filter { $0 != "\"" }).trimmingSpace
    }

    /// Returns a rate such as "512 hertz", "511,562 Hertz" or "512ヘルツ".
    private static func rate(_ value: String) -> Double? {
        let digits = value.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
        guard let word = String(value[digits.endIndex...]).trimmingSpace.first, word.isLetter,
            let rate = decimal(String(digits)), rates.contains(rate)
        else { return nil }
        return rate
    }

    /// Returns a number with a point or a comma, and nothing else.
    private static func decimal(_ text: String) -> Double? {
        guard let last = text.utf8.last, (0x30...0x39).contains(last),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "-.,".utf8.contains($0) })
        else { return nil }
        return Double(text.replacing(",", with: "."))
    }
}

extension String {
    /// The text without surrounding white space, which includes no-break spaces.
    fileprivate var trimmingSpace: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
