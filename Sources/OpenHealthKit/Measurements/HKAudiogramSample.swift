public import Foundation

/// A hearing test. Audiograms are not implemented: `save` does not store the sensitivity points,
/// and queries return a plain ``HKSample`` with the times, source and metadata.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSample: HKSample, @unchecked Sendable {
    private let points: [HKAudiogramSensitivityPoint]

    /// Creates a hearing test without a device.
    ///
    /// - Parameters:
    ///   - sensitivityPoints: The sensitivity at each frequency.
    ///   - startDate: The start of the test.
    ///   - endDate: The end of the test.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// Creates a hearing test.
    ///
    /// - Parameters:
    ///   - sensitivityPoints: The sensitivity at each frequency.
    ///   - startDate: The start of the test.
    ///   - endDate: The end of the test.
    ///   - device: The device that recorded the test, or nil.
    ///   - metadata: Additional facts, or nil.
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

    /// Creates a hearing test from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - points: The sensitivity at each frequency.
    public init(_record: SampleRecord, points: [HKAudiogramSensitivityPoint]) {
        self.points = points
        super.init(_record: _record)
    }

    /// Returns nil: audiograms cannot be decoded yet.
    public required init?(coder: NSCoder) { return nil }

    /// The sensitivity at each frequency.
    open var sensitivityPoints: [HKAudiogramSensitivityPoint] { points }
}

/// The hearing sensitivity at one frequency.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSensitivityPoint: NSObject, @unchecked Sendable {
    private let storedFrequency: HKQuantity
    private let results: [HKAudiogramSensitivityTest]

    /// Creates a point from its tests.
    ///
    /// - Parameters:
    ///   - frequency: The frequency, in a unit compatible with hertz.
    ///   - tests: The tests at this frequency.
    /// - Throws: `errorInvalidArgument` if the frequency is not compatible with hertz.
    public init(frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]) throws {
        guard frequency.is(compatibleWith: .hertz()) else {
            throw HKError(.errorInvalidArgument, "An audiogram’s frequency is measured in hertz")
        }
        storedFrequency = frequency
        results = tests
    }

    /// Creates a point from the sensitivity of each ear, tested by air conduction without masking.
    ///
    /// - Parameters:
    ///   - frequency: The frequency, in a unit compatible with hertz.
    ///   - leftEarSensitivity: The left ear's sensitivity in decibels of hearing level; nil if not
    ///     tested.
    ///   - rightEarSensitivity: The right ear's sensitivity in decibels of hearing level; nil if
    ///     not tested.
    /// - Throws: `errorInvalidArgument` if the frequency is not compatible with hertz or a
    ///   sensitivity is not compatible with decibels of hearing level.
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

    /// The frequency of the tone, in the unit it was created with.
    open var frequency: HKQuantity { storedFrequency }
    /// The tests of both ears.
    open var tests: [HKAudiogramSensitivityTest] { results }
    /// The sensitivity of the first test of the left ear; nil without one.
    open var leftEarSensitivity: HKQuantity? { results.first { $0.side == .left }?.sensitivity }
    /// The sensitivity of the first test of the right ear; nil without one.
    open var rightEarSensitivity: HKQuantity? { results.first { $0.side == .right }?.sensitivity }
}

/// One test of one ear.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSensitivityTest: NSObject, @unchecked Sendable {
    /// The lowest level at which the tone was heard, in decibels of hearing level.
    public let sensitivity: HKQuantity
    /// How the tone was conducted to the ear.
    public let type: HKAudiogramConductionType
    /// Whether the other ear was masked with noise.
    public let masked: Bool
    /// The tested ear.
    public let side: HKAudiogramSensitivityTestSide
    /// The range that the sensitivity was clamped to, or nil.
    public let clampingRange: HKAudiogramSensitivityPointClampingRange?

    /// Creates a test of one ear.
    ///
    /// - Parameters:
    ///   - sensitivity: The lowest level at which the tone was heard, in decibels of hearing level.
    ///   - type: How the tone was conducted to the ear.
    ///   - masked: Whether the other ear was masked with noise.
    ///   - side: The tested ear.
    ///   - clampingRange: The range that the sensitivity was clamped to, or nil.
    /// - Throws: `errorInvalidArgument` if the sensitivity is not compatible with decibels of
    ///   hearing level.
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

/// The range that a sensitivity was clamped to.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSensitivityPointClampingRange: NSObject, @unchecked Sendable {
    /// The lowest sensitivity in the range, in decibels of hearing level; nil without a limit.
    public let lowerBound: HKQuantity?
    /// The highest sensitivity in the range, in decibels of hearing level; nil without a limit.
    public let upperBound: HKQuantity?

    /// Creates a range.
    ///
    /// - Parameters:
    ///   - lowerBound: The lower limit in decibels of hearing level, or nil.
    ///   - upperBound: The upper limit in decibels of hearing level, or nil.
    /// - Throws: `errorInvalidArgument` if the lower limit is above the upper limit.
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
