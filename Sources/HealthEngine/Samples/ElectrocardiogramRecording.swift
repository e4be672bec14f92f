/// The voltages of an electrocardiogram at a fixed rate.
///
/// Imports, HealthKit's queries and exports read the electrocardiogram files of exports with it.
package struct ElectrocardiogramRecording: Hashable, Sendable {
    /// The start, in reference seconds.
    package var start: Double
    /// Voltages per second.
    package var rate: Double
    /// Microvolts; NaN for one that can't be read.
    package var microvolts: [Double]
    /// Seconds since the start for each voltage, as a device sent them; nil if they follow from the
    /// rate.
    package var times: [Double]?
    /// The classification as written, such as "Sinus Rhythm"; nil for none.
    package var classification: String?
    /// The heading of the file; nil for the numbers of a device.
    package var heading: ElectrocardiogramHeading?

    /// The maximum number of voltages: more than an hour at the rate of a Watch.
    static let maximumCount = 2_000_000
    /// The possible rates.
    static let rates = 1.0...100_000.0

    /// Reads a kept file of an export, which begins with the line of the recorded date.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - recorded: When it was recorded, in reference seconds.
    /// - Returns: Nil if the file can't be a sample (``ElectrocardiogramReading/fault``).
    /// - Complexity: O(bytes).
    package init?(file: [UInt8], recorded: Double) {
        self.init(ElectrocardiogramReading(file), recorded: recorded)
    }

    /// Creates the recording of a file; nil if the file can't be a sample.
    package init?(_ reading: ElectrocardiogramReading, recorded: Double) {
        guard reading.fault == nil, let rate = reading.heading.rate else { return nil }
        (start, self.rate, microvolts) = (recorded, rate, reading.microvolts)
        (heading, classification) = (reading.heading, reading.heading.classification)
    }

    /// Reads the numbers of a sample that a device sent, or that came without its file.
    ///
    /// Voltages are `microvolts`; or `voltages`, which are volts with `times` (the push protocol)
    /// and microvolts with `offsets` (Health Auto Export). Times and offsets are seconds since the
    /// start.
    ///
    /// - Parameters:
    ///   - numbers: The numbers by name (`SampleDetail.numbers`).
    ///   - start: The start of the sample, in reference seconds.
    /// - Returns: Nil without voltages or a rate.
    package init?(numbers: [String: [Double]], start: Double) {
        let given = numbers[Key.times] ?? numbers[Key.offsets]
        let scale = numbers[Key.times] == nil ? 1 : 1_000_000.0
        let sent = numbers[Key.voltages]?.map { $0 * scale }
        guard let values = numbers[Key.microvolts] ?? sent, values.count > 1,
            values.count <= Self.maximumCount
        else { return nil }
        let times = given?.count == values.count ? given : nil
        var rate = numbers[Key.samplingFrequency]?.first
        if rate == nil, let first = times?.first, let last = times?.last, last > first {
            rate = Double(values.count - 1) / (last - first)
        }
        guard let rate, Self.rates.contains(rate) else { return nil }
        (self.start, self.rate, microvolts) = (start, rate, values)
        self.times = times
        classification = numbers[Key.classification]?.first.flatMap { Self.classifications[$0] }
    }

    /// HealthKit's classifications by raw value, in the words of Apple's English exports.
    private static let classifications: [Double: String] = [
        1: "Sinus Rhythm", 2: "Atrial Fibrillation", 3: "Inconclusive: low heart rate",
        4: "Inconclusive: high heart rate", 5: "Inconclusive: poor reading", 6: "Inconclusive",
        100: "Unrecognized",
    ]

    /// Returns the seconds from the start to a voltage, given by its index.
    package func time(of index: Int) -> Double {
        times?[index] ?? Double(index) / rate
    }

    /// The end, in reference seconds: one period after the last voltage.
    package var end: Double { start + Double(microvolts.count) / rate }
}

extension ElectrocardiogramRecording {
    /// The names of the numbers of an electrocardiogram in `SampleDetail.numbers`.
    package enum Key {
        package static let classification = "classification"
        package static let symptomsStatus = "symptomsStatus"
        package static let samplingFrequency = "samplingFrequency"
        package static let averageHeartRate = "averageHeartRate"
        package static let count = "numberOfVoltageMeasurements"
        package static let microvolts = "microvolts"
        /// 2 or more for a sample whose file has replaced an earlier one of the same recording.
        package static let fileVersion = "fileVersion"
        static let voltages = "voltages"
        static let times = "times"
        static let offsets = "offsets"
    }

    /// The numbers that a store keeps of a file: all but the voltages, which stay in the file.
    package var numbers: [String: [Double]] {
        var numbers: [String: [Double]] = [
            Key.samplingFrequency: [rate], Key.count: [Double(microvolts.count)],
            Key.classification: [heading.map { Double($0.classificationValue) } ?? 0],
            Key.symptomsStatus: [heading.map { Double($0.symptomsValue) } ?? 0],
        ]
        if let average = heading?.averageHeartRate { numbers[Key.averageHeartRate] = [average] }
        return numbers
    }
}
