public import Foundation

/// A hearing test. The family is left for later: `save` refuses it, and nothing is read.
// Immutable.
open class HKAudiogramSample: HKSample, @unchecked Sendable {
    private let points: [HKAudiogramSensitivityPoint]

    /// A hearing test by its points.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// A hearing test by its points, with its device.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            _record: SampleRecord(
                .audiogramSampleType(), start: startDate, end: endDate, device: device,
                metadata: metadata),
            points: sensitivityPoints)
    }

    /// A hearing test by its parts; not Apple's.
    public init(_record: SampleRecord, points: [HKAudiogramSensitivityPoint]) {
        self.points = points
        super.init(_record: _record)
    }

    /// Archives of this family can't be read yet.
    public required init?(coder: NSCoder) { return nil }

    /// How loud a tone had to be, by frequency.
    open var sensitivityPoints: [HKAudiogramSensitivityPoint] { points }
}

/// How loud a tone of one frequency had to be to be heard.
// Immutable.
open class HKAudiogramSensitivityPoint: NSObject, @unchecked Sendable {
    private let tone: HKQuantity
    private let results: [HKAudiogramSensitivityTest]

    /// A tone with its tests.
    ///
    /// - Throws: `errorInvalidArgument` for a frequency not in hertz.
    public init(frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]) throws {
        guard frequency.is(compatibleWith: .hertz()) else {
            throw HKError(.errorInvalidArgument, "An audiogram’s frequency is measured in hertz")
        }
        tone = frequency
        results = tests
    }

    /// A tone with the sensitivity of each ear, tested through the air.
    ///
    /// - Throws: `errorInvalidArgument` for a frequency not in hertz, a sensitivity not in decibels.
    public convenience init(
        frequency: HKQuantity, leftEarSensitivity: HKQuantity?, rightEarSensitivity: HKQuantity?
    ) throws {
        let ears: [(HKQuantity?, HKAudiogramSensitivityTestSide)] = [
            (leftEarSensitivity, .left), (rightEarSensitivity, .right),
        ]
        try self.init(
            frequency: frequency,
            tests: try ears.compactMap { sensitivity, side in
                try sensitivity.map {
                    try HKAudiogramSensitivityTest(
                        sensitivity: $0, type: .air, masked: false, side: side, clampingRange: nil)
                }
            })
    }

    /// The tone, in hertz.
    open var frequency: HKQuantity { tone }
    /// The tests of both ears.
    open var tests: [HKAudiogramSensitivityTest] { results }
    /// The left ear's sensitivity.
    open var leftEarSensitivity: HKQuantity? { results.first { $0.side == .left }?.sensitivity }
    /// The right ear's sensitivity.
    open var rightEarSensitivity: HKQuantity? { results.first { $0.side == .right }?.sensitivity }
}

/// One test of one ear.
// Immutable.
open class HKAudiogramSensitivityTest: NSObject, @unchecked Sendable {
    /// How loud the tone had to be, in decibels of hearing level.
    public let sensitivity: HKQuantity
    /// How the tone reached the ear.
    public let type: HKAudiogramConductionType
    /// Whether the other ear heard noise meanwhile.
    public let masked: Bool
    /// Which ear.
    public let side: HKAudiogramSensitivityTestSide
    /// The limits that the sensitivity was cut to.
    public let clampingRange: HKAudiogramSensitivityPointClampingRange?

    /// One test of one ear.
    ///
    /// - Throws: `errorInvalidArgument` for a sensitivity not in decibels.
    public init(
        sensitivity: HKQuantity, type: HKAudiogramConductionType, masked: Bool,
        side: HKAudiogramSensitivityTestSide,
        clampingRange: HKAudiogramSensitivityPointClampingRange?
    ) throws {
        guard sensitivity.is(compatibleWith: .decibelHearingLevel()) else {
            throw HKError(
                .errorInvalidArgument, "An audiogram’s sensitivity is measured in decibels")
        }
        self.sensitivity = sensitivity
        self.type = type
        self.masked = masked
        self.side = side
        self.clampingRange = clampingRange
    }
}

/// The limits that a sensitivity was cut to.
// Immutable.
open class HKAudiogramSensitivityPointClampingRange: NSObject, @unchecked Sendable {
    /// The lowest sensitivity that can be told, in decibels of hearing level.
    public let lowerBound: HKQuantity?
    /// The highest sensitivity that can be told.
    public let upperBound: HKQuantity?

    /// Limits in decibels of hearing level.
    ///
    /// - Throws: `errorInvalidArgument` if the lower one is above the upper one.
    public init(lowerBound: NSNumber?, upperBound: NSNumber?) throws {
        if let lowerBound, let upperBound, lowerBound.doubleValue > upperBound.doubleValue {
            throw HKError(.errorInvalidArgument, "The lower bound is above the upper bound")
        }
        func level(_ number: NSNumber) -> HKQuantity {
            HKQuantity(unit: .decibelHearingLevel(), doubleValue: number.doubleValue)
        }
        self.lowerBound = lowerBound.map(level)
        self.upperBound = upperBound.map(level)
    }
}
