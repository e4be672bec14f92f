public import Foundation
import HealthEngine

/// The hearing sensitivity at one frequency.
///
/// Points are equal if their frequencies are the same amount and their tests are equal.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSensitivityPoint: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let storedFrequency: HKQuantity
    private let results: [HKAudiogramSensitivityTest]

    private init(_ frequency: HKQuantity, _ tests: [HKAudiogramSensitivityTest]) {
        storedFrequency = frequency
        results = tests
    }

    /// Creates a point from its stored form; nil if the frequency is in no unit of frequency. Tests
    /// in other units, and of unknown kinds, are left out.
    convenience init?(_content: Audiogram.Point) {
        guard let frequency = HKQuantity.recorded(_content.frequency, .hertz()) else { return nil }
        self.init(
            frequency, _content.tests.compactMap { HKAudiogramSensitivityTest(_content: $0) })
    }

    /// Creates a point from its tests.
    ///
    /// - Parameters:
    ///   - frequency: The frequency, in a unit compatible with hertz.
    ///   - tests: The tests at this frequency.
    /// - Throws: `errorInvalidArgument` if the frequency is not compatible with hertz.
    public convenience init(frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]) throws {
        guard frequency.is(compatibleWith: .hertz()) else {
            throw HKError(.errorInvalidArgument, "An audiogram’s frequency is measured in hertz")
        }
        self.init(frequency, tests)
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

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a point; nil if its content is missing or damaged.
    public required convenience init?(coder: NSCoder) {
        guard let content = coder.property(Audiogram.Point.self, "point") else { return nil }
        self.init(_content: content)
    }

    open func encode(with coder: NSCoder) { coder.encode(property: content, for: "point") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The frequency of the tone, in the unit it was created with.
    open var frequency: HKQuantity { storedFrequency }
    /// The tests of both ears.
    open var tests: [HKAudiogramSensitivityTest] { results }
    /// The sensitivity of the first test of the left ear; nil without one.
    open var leftEarSensitivity: HKQuantity? { results.first { $0.side == .left }?.sensitivity }
    /// The sensitivity of the first test of the right ear; nil without one.
    open var rightEarSensitivity: HKQuantity? { results.first { $0.side == .right }?.sensitivity }

    /// The stored form.
    var content: Audiogram.Point {
        Audiogram.Point(frequency: storedFrequency.recorded, tests: results.map(\.content))
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKAudiogramSensitivityPoint else { return false }
        return storedFrequency == other.storedFrequency && results == other.results
    }

    open override var hash: Int { storedFrequency.hash }

    open override var description: String { "\(storedFrequency): \(results)" }
}

/// One test of one ear. Tests are equal if all their properties are equal.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSensitivityTest: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
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

    /// Creates a test from its stored form; nil for an unknown ear or conduction, and for a level in
    /// another unit.
    init?(_content: Audiogram.Test) {
        guard let level = HKQuantity.recorded(_content.sensitivity, .decibelHearingLevel()),
            let type = HKAudiogramConductionType(rawValue: _content.conduction),
            let side = HKAudiogramSensitivityTestSide(rawValue: _content.side)
        else { return nil }
        sensitivity = level
        self.type = type
        masked = _content.masked
        self.side = side
        clampingRange = _content.clamping.map {
            HKAudiogramSensitivityPointClampingRange(_content: $0)
        }
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a test; nil if its content is missing or damaged.
    public required convenience init?(coder: NSCoder) {
        guard let content = coder.property(Audiogram.Test.self, "test") else { return nil }
        self.init(_content: content)
    }

    open func encode(with coder: NSCoder) { coder.encode(property: content, for: "test") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The stored form.
    var content: Audiogram.Test {
        Audiogram.Test(
            sensitivity: sensitivity.recorded, side: side.rawValue, conduction: type.rawValue,
            masked: masked, clamping: clampingRange?.content)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKAudiogramSensitivityTest else { return false }
        return sensitivity == other.sensitivity && type == other.type && masked == other.masked
            && side == other.side && clampingRange == other.clampingRange
    }

    open override var hash: Int { sensitivity.hash }

    open override var description: String {
        "\(side == .left ? "left" : "right") \(sensitivity)\(masked ? " masked" : "")"
    }
}

/// The range that a sensitivity was clamped to. Ranges are equal if their limits are equal.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSensitivityPointClampingRange: NSObject, NSSecureCoding, NSCopying,
    @unchecked Sendable
{
    /// The lowest sensitivity in the range, in decibels of hearing level; nil without a limit.
    public let lowerBound: HKQuantity?
    /// The highest sensitivity in the range, in decibels of hearing level; nil without a limit.
    public let upperBound: HKQuantity?

    /// Creates a range.
    ///
    /// - Parameters:
    ///   - lowerBound: The lower limit in decibels of hearing level, or nil.
    ///   - upperBound: The upper limit in decibels of hearing level, or nil.
    /// - Throws: `errorInvalidArgument` without a limit, for a limit that is not finite, and if the
    ///   lower limit is not below the upper limit.
    public convenience init(lowerBound: NSNumber?, upperBound: NSNumber?) throws {
        let (lower, upper) = (lowerBound?.doubleValue, upperBound?.doubleValue)
        guard let content = Audiogram.Clamping(lower: lower, upper: upper) else {
            throw HKError(.errorInvalidArgument, "A clamping range has no bound")
        }
        guard [lower, upper].allSatisfy({ $0?.isFinite ?? true }) else {
            throw HKError(.errorInvalidArgument, "A bound of a clamping range is not a number")
        }
        if let lower, let upper, lower >= upper {
            throw HKError(.errorInvalidArgument, "The lower bound is not below the upper bound")
        }
        self.init(_content: content)
    }

    /// Creates a range from its stored form.
    init(_content: Audiogram.Clamping) {
        func level(_ number: Double) -> HKQuantity {
            HKQuantity(unit: .decibelHearingLevel(), doubleValue: number)
        }
        lowerBound = _content.lower.map(level)
        upperBound = _content.upper.map(level)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a range; nil if its content is missing or damaged.
    public required convenience init?(coder: NSCoder) {
        guard let content = coder.property(Audiogram.Clamping.self, "range") else { return nil }
        self.init(_content: content)
    }

    open func encode(with coder: NSCoder) {
        if let content { coder.encode(property: content, for: "range") }
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The stored form.
    var content: Audiogram.Clamping? {
        Audiogram.Clamping(lower: lowerBound?.value, upper: upperBound?.value)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKAudiogramSensitivityPointClampingRange else { return false }
        return lowerBound == other.lowerBound && upperBound == other.upperBound
    }

    open override var hash: Int { (lowerBound?.hash ?? 0) ^ (upperBound?.hash ?? 1) }
}
