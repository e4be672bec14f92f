public import Foundation
public import HealthEngine

/// A hearing test: the sensitivity of the ears at several frequencies.
///
/// ```swift
/// let point = try HKAudiogramSensitivityPoint(
///     frequency: HKQuantity(unit: .hertz(), doubleValue: 1000),
///     leftEarSensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: 15),
///     rightEarSensitivity: nil)
/// let test = HKAudiogramSample(
///     sensitivityPoints: [point], start: start, end: end, device: nil, metadata: nil)
/// try await store.save(test)
/// ```
/// Values and their units are stored as given. `save` refuses more than 30 points, and numbers that
/// are not finite (Semantics §10.5d).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKAudiogramSample: HKSample, @unchecked Sendable {
    /// The maximum number of points that `save` accepts.
    static let maximumPoints = 30

    private let content: Audiogram
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
            content: Audiogram(points: sensitivityPoints.map(\.content)))
        validateIfStrict()
    }

    /// Creates a hearing test from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - content: The sensitivity at each frequency.
    public init(_record: SampleRecord, content: Audiogram) {
        self.content = content
        points = content.points.compactMap { HKAudiogramSensitivityPoint(_content: $0) }
        super.init(_record: _record)
    }

    /// Decodes a hearing test; nil if its UUID, type or content is missing.
    public required init?(coder: NSCoder) {
        guard let content = coder.property(Audiogram.self, "audiogram") else { return nil }
        self.content = content
        points = content.points.compactMap { HKAudiogramSensitivityPoint(_content: $0) }
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: content, for: "audiogram")
    }

    /// The sensitivity at each frequency. Points of an import whose frequency is in no unit of
    /// frequency are left out.
    open var sensitivityPoints: [HKAudiogramSensitivityPoint] { points }

    override var detail: SampleDetail? { .audiogram(content) }

    override var valueDescription: String {
        "\(sampleType.identifier) \(points.count) \(points.count == 1 ? "point" : "points")"
    }

    /// Checks the rules of `save`.
    func checkContent() throws(HKError) {
        guard content.points.count <= HKAudiogramSample.maximumPoints else {
            throw HKError(
                .errorInvalidArgument,
                "An audiogram has \(content.points.count) points, more than "
                    + "\(HKAudiogramSample.maximumPoints).")
        }
        for point in content.points {
            guard point.frequency.value.isFinite, point.frequency.value > 0 else {
                throw HKError(
                    .errorInvalidArgument, "A frequency of an audiogram is not a positive number.")
            }
            guard point.tests.allSatisfy({ $0.sensitivity.value.isFinite }) else {
                throw HKError(
                    .errorInvalidArgument, "A sensitivity of an audiogram is not a number.")
            }
        }
    }
}
