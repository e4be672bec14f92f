public import Foundation
import HealthEngine

/// Collects quantities of one type and saves them as one sample.
///
/// ```swift
/// let builder = HKQuantitySeriesSampleBuilder(
///     healthStore: store, quantityType: HKQuantityType(.stepCount), startDate: start, device: nil)
/// try builder.insert(HKQuantity(unit: .count(), doubleValue: 12), for: minute)
/// let samples = try await builder.finishSeries(metadata: nil)
/// ```
/// Statistics include each of the quantities, not the sum or average of the sample (Semantics
/// §3.8).
// Unchecked: all mutable state is in `series`, which is locked.
open class HKQuantitySeriesSampleBuilder: NSObject, @unchecked Sendable {
    private struct Series {
        var phase = SeriesPhase.open
        /// The unit of the first quantity, which the others are converted to; nil before the first.
        var unit: HKUnit?
        var quantities: [SeriesQuantity] = []
    }

    private let healthStore: HKHealthStore
    private let type: HKQuantityType
    private let start: Date
    private let ownDevice: HKDevice?
    private let series = Locked(Series())

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - healthStore: The store to save to.
    ///   - quantityType: The type of the quantities.
    ///   - startDate: The start of the sample; no quantity may begin earlier.
    ///   - device: The device that records the quantities, or nil.
    public init(
        healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date,
        device: HKDevice?
    ) {
        self.healthStore = healthStore
        type = quantityType
        start = startDate
        ownDevice = device
    }

    /// The type of the quantities.
    open var quantityType: HKQuantityType { type }

    /// The start of the sample.
    open var startDate: Date { start }

    /// The device that records the quantities.
    open var device: HKDevice? { ownDevice }

    /// Adds a quantity over an interval.
    ///
    /// - Parameters:
    ///   - quantity: The quantity, in a unit compatible with the type.
    ///   - dateInterval: The interval.
    /// - Throws: `errorInvalidArgument` for a unit that does not suit the type, an interval that
    ///   begins before ``startDate``, or a finished or discarded series.
    open func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
        guard quantity.is(compatibleWith: type) else {
            throw HKError(
                .errorInvalidArgument, "The unit \(quantity.unit) doesn’t fit \(type.identifier)")
        }
        guard dateInterval.start >= start else {
            throw HKError(.errorInvalidArgument, "A quantity is before the start of its series")
        }
        try series { (series) throws(HKError) in
            try series.phase.requireOpen("insert")
            let unit = series.unit ?? quantity.unit
            series.unit = unit
            series.quantities.append(
                SeriesQuantity(
                    start: dateInterval.start.timeIntervalSinceReferenceDate,
                    end: dateInterval.end.timeIntervalSinceReferenceDate,
                    value: try quantity.converted(to: unit)))
        }
    }

    /// Adds a quantity at an instant.
    ///
    /// - Parameters:
    ///   - quantity: The quantity, in a unit compatible with the type.
    ///   - date: The instant.
    /// - Throws: `errorInvalidArgument` as ``insert(_:for:)``.
    open func insert(_ quantity: HKQuantity, at date: Date) throws {
        try insert(quantity, for: DateInterval(start: date, duration: 0))
    }

    /// Saves the quantities as one sample, ordered by time. If saving fails, the series stays open.
    ///
    /// - Parameters:
    ///   - metadata: The metadata of the sample, or nil.
    ///   - endDate: The end of the sample, not before the end of any quantity; nil for the latest
    ///     end.
    ///   - completion: Receives an array with the saved sample, or an error. Called on a background
    ///     queue.
    @preconcurrency
    open func finishSeries(
        metadata: [String: Any]?, endDate: Date?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        let sendableMetadata = metadata.map { SendableMetadata(values: $0) }
        let saved = Locked<[HKQuantitySample]?>(nil)
        healthStore.write(
            { completion($0 ? saved { $0 } : nil, $1) },
            { [self] _ in
                let sample = try save(metadata: sendableMetadata?.values, end: endDate)
                saved { $0 = [sample] }
            })
    }

    /// Saves the quantities as one sample, ordered by time. If saving fails, the series stays open.
    ///
    /// - Parameters:
    ///   - metadata: The metadata of the sample, or nil.
    ///   - endDate: The end of the sample, not before the end of any quantity; nil for the latest
    ///     end.
    /// - Returns: An array with the saved sample.
    /// - Throws: ``HKError``; `errorInvalidArgument` without quantities, for an invalid end, or for
    ///   a finished or discarded series.
    @discardableResult
    open func finishSeries(
        metadata: [String: Any]?, endDate: Date?
    ) async throws -> [HKQuantitySample] {
        try await healthStore.awaitValue { done in
            finishSeries(metadata: metadata, endDate: endDate) { done($0, $1) }
        }
    }

    /// Saves the quantities as one sample that ends at the latest end of a quantity.
    ///
    /// - Parameters:
    ///   - metadata: The metadata of the sample, or nil.
    ///   - completion: Receives an array with the saved sample, or an error. Called on a background
    ///     queue.
    @preconcurrency
    open func finishSeries(
        metadata: [String: Any]?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        finishSeries(metadata: metadata, endDate: nil, completion: completion)
    }

    /// Saves the quantities as one sample that ends at the latest end of a quantity.
    ///
    /// - Parameter metadata: The metadata of the sample, or nil.
    /// - Returns: An array with the saved sample.
    /// - Throws: ``HKError``, as ``finishSeries(metadata:endDate:)``.
    @discardableResult
    open func finishSeries(metadata: [String: Any]?) async throws -> [HKQuantitySample] {
        try await finishSeries(metadata: metadata, endDate: nil)
    }

    /// Discards the series, unless it is finished. Nothing is saved.
    open func discard() { series { if $0.phase == .open { $0.phase = .discarded } } }

    /// Saves the series and finishes it. If saving fails, the series is open again.
    private func save(metadata: [String: Any]?, end: Date?) throws -> HKQuantitySample {
        let (unit, quantities) = try series { (series) throws(HKError) in
            try series.phase.requireOpen("finishSeries")
            series.phase = .finished
            return (series.unit, series.quantities)
        }
        let saved: HKQuantitySample
        do {
            saved = try sample(
                of: quantities.sorted { ($0.start, $0.end) < ($1.start, $1.end) }, in: unit,
                metadata: metadata, end: end)
            try healthStore.commit([saved], to: nil)
        } catch {
            series { $0.phase = .open }
            throw error
        }
        return try healthStore.stored(saved)
    }

    private func sample(
        of quantities: [SeriesQuantity], in unit: HKUnit?, metadata: [String: Any]?, end: Date?
    ) throws(HKError) -> HKQuantitySample {
        guard let unit, let last = quantities.map(\.end).max() else {
            throw HKError(.errorInvalidArgument, "The series has no quantities")
        }
        let latest = Date(timeIntervalSinceReferenceDate: last)
        if let end, end < latest {
            throw HKError(.errorInvalidArgument, "The series ends before its last quantity")
        }
        return HKQuantitySample.instance(
            SampleRecord(
                type, start: start, end: end ?? latest, device: ownDevice, metadata: metadata),
            value: value(of: quantities), unit: unit, series: quantities)
    }

    /// The sum for cumulative types, the average for discrete ones (Semantics §10.5).
    private func value(of quantities: [SeriesQuantity]) -> Double {
        let sum = quantities.reduce(0) { $0 + $1.value }
        return type.aggregationStyle == .cumulative ? sum : sum / Double(quantities.count)
    }
}

extension HKQuantity {
    /// Whether the unit is compatible with a type.
    func `is`(compatibleWith type: HKQuantityType) -> Bool { type.is(compatibleWith: unit) }
}
