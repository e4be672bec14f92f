/// The content of a hearing test: the sensitivity of the ears at several frequencies.
public struct Audiogram: Hashable, Sendable, Codable {
    /// The tested frequencies, in the order in which they were recorded.
    public var points: [Point]

    public init(points: [Point] = []) { self.points = points }

    /// The tests at one frequency.
    public struct Point: Hashable, Sendable, Codable {
        /// The frequency of the tone, normally in hertz.
        public var frequency: RecordedQuantity
        /// The tests at the frequency, in the order in which they were recorded.
        public var tests: [Test]

        public init(frequency: RecordedQuantity, tests: [Test] = []) {
            self.frequency = frequency
            self.tests = tests
        }
    }

    /// One test of one ear.
    public struct Test: Hashable, Sendable, Codable {
        /// `HKAudiogramSensitivityTestSide.left`'s raw value.
        public static let left = 0
        /// `HKAudiogramSensitivityTestSide.right`'s raw value.
        public static let right = 1
        /// `HKAudiogramConductionType.air`'s raw value.
        public static let air = 0

        /// The lowest level at which the tone was heard, normally in dBHL.
        public var sensitivity: RecordedQuantity
        /// The raw value of `HKAudiogramSensitivityTestSide`: 0 is left, 1 is right.
        public var side: Int
        /// The raw value of `HKAudiogramConductionType`: 0 is air.
        public var conduction: Int
        /// Whether the other ear was masked with noise.
        public var masked: Bool
        /// The limits to which the sensitivity was clamped; nil if there are none.
        public var clamping: Clamping?

        public init(
            sensitivity: RecordedQuantity, side: Int, conduction: Int = Test.air,
            masked: Bool = false, clamping: Clamping? = nil
        ) {
            self.sensitivity = sensitivity
            self.side = side
            self.conduction = conduction
            self.masked = masked
            self.clamping = clamping
        }
    }

    /// The limits to which a sensitivity was clamped, in dBHL. At least one is set.
    public struct Clamping: Hashable, Sendable, Codable {
        /// The lower limit; nil if there is none.
        public var lower: Double?
        /// The upper limit; nil if there is none.
        public var upper: Double?

        /// Returns nil if there is neither limit.
        public init?(lower: Double?, upper: Double?) {
            if lower == nil, upper == nil { return nil }
            self.lower = lower
            self.upper = upper
        }
    }
}

extension Audiogram {
    /// Creates an audiogram from lists of numbers, in which devices have sent them
    /// (`leftFrequencies`, `leftSensitivities` and the same for the right ear, in hertz and dBHL).
    /// Points are in the order in which their frequencies first appear.
    ///
    /// - Parameter numbers: The lists. Numbers without a counterpart are left out.
    public init(numbers: [String: [Double]]) {
        self.init()
        for (ear, side) in [("left", Test.left), ("right", Test.right)] {
            let frequencies = numbers[ear + "Frequencies"] ?? []
            for (hertz, level) in zip(frequencies, numbers[ear + "Sensitivities"] ?? []) {
                let test = Test(sensitivity: RecordedQuantity(level, "dBHL"), side: side)
                let place = points.firstIndex { $0.frequency.value == hertz }
                if let place {
                    points[place].tests.append(test)
                } else {
                    let frequency = RecordedQuantity(hertz, "Hz")
                    points.append(Point(frequency: frequency, tests: [test]))
                }
            }
        }
    }

    /// The part that an element of Apple's export holds: at each frequency the first test of each
    /// ear, the left one first, by air.
    package var exportable: Audiogram {
        Audiogram(
            points: points.map { point in
                Point(
                    frequency: point.frequency,
                    tests: [Test.left, Test.right].compactMap { point.exportedTest(of: $0) })
            })
    }
}

extension Audiogram.Point {
    /// Returns the test of an ear that Apple's export has room for: the first one by air.
    package func exportedTest(of side: Int) -> Audiogram.Test? {
        tests.first { $0.side == side && $0.conduction == Audiogram.Test.air }
    }
}

extension SampleDetail {
    /// Returns the content of an audiogram, also if a device sent it as lists of numbers.
    ///
    /// - Parameter type: The name of the sample's type.
    /// - Returns: The content; nil for other types and details.
    package func audiogram(ofType type: String) -> Audiogram? {
        switch self {
        case .audiogram(let audiogram): audiogram
        case .numbers(let numbers) where type == "audiogram": Audiogram(numbers: numbers)
        default: nil
        }
    }
}
