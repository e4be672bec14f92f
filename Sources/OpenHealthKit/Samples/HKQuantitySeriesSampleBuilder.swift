public import Foundation
import HealthEngine

/// Gathers quantities of one type, and saves them as one sample.
///
/// ```swift
/// let builder = HKQuantitySeriesSampleBuilder(
///     healthStore: store, quantityType: HKQuantityType(.stepCount), startDate: start, device: nil)
/// try builder.insert(HKQuantity(unit: .count(), doubleValue: 12), for: minute)
/// let samples = try await builder.finishSeries(metadata: nil)
/// ```
/// Statistics count each of the quantities (Semantics §3.8).
// Unchecked: all that changes is in `series`, under its lock.
open class HKQuantitySeriesSampleBuilder: NSObject, @unchecked Sendable {
    private struct Series {
        var phase = SeriesPhase.open
        /// That of the first quantity.
        var unit: HKUnit?
        var quantities: [SeriesQuantity] = []
    }

    private let healthStore: HKHealthStore
    private let type: HKQuantityType
    private let start: Date
    private let ownDevice: HKDevice?
    private let series = Locked(Series())

    /// A builder that saves into a store.
    ///
    /// - Parameter startDate: Where the sample will start; no quantity lies before it.
    public init(
        healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date,
        device: HKDevice?
    ) {
        self.healthStore = healthStore
        type = quantityType
        start = startDate
        ownDevice = device
    }

    /// What is gathered.
    open var quantityType: HKQuantityType { type }

    /// Where the sample will start.
    open var startDate: Date { start }

    /// What the quantities are measured with.
    open var device: HKDevice? { ownDevice }

    /// Adds a quantity over a stretch of time.
    ///
    /// - Throws: `errorInvalidArgument` for a unit that doesn't suit the type, a time before
    ///   ``startDate``, and once the series is finished or discarded.
    open func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
        guard quantity.is(compatibleWith: type) else {
            throw HKError(
                .errorInvalidArgument, "Unit \(quantity.unit) doesn’t suit \(type.identifier)")
        }
        guard dateInterval.start >= start else {
            throw HKError(.errorInvalidArgument, "A quantity lies before the start of its series")
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

    /// Adds a quantity at a moment; throws like ``insert(_:for:)``.
    open func insert(_ quantity: HKQuantity, at date: Date) throws {
        try insert(quantity, for: DateInterval(start: date, duration: 0))
    }

    /// Saves the quantities as one sample, in order of time.
    ///
    /// - Parameter endDate: Where it ends, not before its last quantity; nil for that one's end.
    @preconcurrency
    open func finishSeries(
        metadata: [String: Any]?, endDate: Date?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        let given = metadata.map { GivenMetadata(values: $0) }
        let saved = Locked<[HKQuantitySample]?>(nil)
        healthStore.write(
            { completion($0 ? saved { $0 } : nil, $1) },
            { [self] _ in
                let sample = try save(metadata: given?.values, end: endDate)
                saved { $0 = [sample] }
            })
    }

    /// Saves the quantities as one sample; see the completion form.
    @discardableResult
    open func finishSeries(
        metadata: [String: Any]?, endDate: Date?
    ) async throws -> [HKQuantitySample] {
        try await healthStore.value { done in
            finishSeries(metadata: metadata, endDate: endDate) { done($0, $1) }
        }
    }

    /// Saves the quantities as one sample that ends with the last of them.
    @preconcurrency
    open func finishSeries(
        metadata: [String: Any]?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        finishSeries(metadata: metadata, endDate: nil, completion: completion)
    }

    /// Saves the quantities as one sample that ends with the last of them.
    @discardableResult
    open func finishSeries(metadata: [String: Any]?) async throws -> [HKQuantitySample] {
        try await finishSeries(metadata: metadata, endDate: nil)
    }

    /// Gives the series up; nothing of it is saved.
    open func discard() { series { if $0.phase == .open { $0.phase = .discarded } } }

    /// Takes no more quantities from now on, unless saving fails.
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
        return HKQuantitySample.made(
            SampleRecord(
                type, start: start, end: end ?? latest, device: ownDevice, metadata: metadata),
            value: value(of: quantities), unit: unit, series: quantities)
    }

    /// The sum of amounts, the average of readings (Semantics §10.5).
    private func value(of quantities: [SeriesQuantity]) -> Double {
        let sum = quantities.reduce(0) { $0 + $1.value }
        return type.aggregationStyle == .cumulative ? sum : sum / Double(quantities.count)
    }
}

extension HKQuantity {
    /// Whether a type's samples may hold it.
    func `is`(compatibleWith type: HKQuantityType) -> Bool { type.is(compatibleWith: unit) }
}
