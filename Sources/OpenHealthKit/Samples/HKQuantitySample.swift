public import Foundation
public import HealthEngine

/// A sample with a quantity, such as steps or a heart rate.
///
/// `HKQuantitySample(type:…)` returns an ``HKCumulativeQuantitySample`` or an
/// ``HKDiscreteQuantitySample``, depending on the type (Semantics §9.9).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKQuantitySample: HKSample, @unchecked Sendable {
    /// The number in ``unit``; for a series, the stored sum or average.
    let value: Double
    let unit: HKUnit
    /// The individual quantities of a series in ``unit``; empty for a single quantity.
    let series: [SeriesQuantity]

    /// Creates a quantity sample from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - value: The number in `unit`; for a series, the stored sum or average.
    ///   - unit: The unit.
    ///   - series: The individual quantities in `unit`, ordered by start; empty for a single
    ///     quantity.
    public init(
        _record: SampleRecord, value: Double, unit: HKUnit, series: [SeriesQuantity] = []
    ) {
        self.value = value
        self.unit = unit
        self.series = series
        super.init(_record: _record)
    }

    /// Creates a quantity sample. `save` rejects a unit that does not suit the type.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - quantity: The quantity, in a unit compatible with the type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    public required convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: nil)
    }

    /// Creates a quantity sample with metadata.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - quantity: The quantity, in a unit compatible with the type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - metadata: Additional facts, or nil.
    public required convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// Creates a quantity sample with a device and metadata.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - quantity: The quantity, in a unit compatible with the type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - device: The device that recorded the sample, or nil.
    ///   - metadata: Additional facts, or nil.
    public required convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, device: HKDevice?, metadata: [String: Any]?
    ) {
        let record = SampleRecord(
            quantityType, start: startDate, end: endDate, device: device, metadata: metadata)
        if Self.self == HKQuantitySample.self {
            self.init(
                substituting: HKQuantitySample.instance(
                    record, value: quantity.value, unit: quantity.unit, series: []))
        } else {
            self.init(_record: record, value: quantity.value, unit: quantity.unit)
        }
        validateIfStrict()
    }

    /// Creates an instance of the subclass for the type. Cumulative types with several quantities
    /// have a class of their own. A type that is not in the catalogue is treated as discrete.
    static func instance(
        _ record: SampleRecord, value: Double, unit: HKUnit, series: [SeriesQuantity]
    ) -> HKQuantitySample {
        guard record.sampleType.row?.aggregation == .cumulative else {
            return HKDiscreteQuantitySample(
                _record: record, value: value, unit: unit, series: series)
        }
        return series.count > 1
            ? HKCumulativeQuantitySeriesSample(
                _record: record, value: value, unit: unit, series: series)
            : HKCumulativeQuantitySample(_record: record, value: value, unit: unit, series: series)
    }

    /// Decodes a sample; nil if its UUID, type or unit is missing.
    public required init?(coder: NSCoder) {
        guard let unit = coder.value(HKUnit.self, "unit") else { return nil }
        self.unit = unit
        value = coder.decodeDouble(forKey: "value")
        series =
            coder.data("series").flatMap {
                try? JSONDecoder().decode([SeriesQuantity].self, from: $0)
            } ?? []
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(unit, forKey: "unit")
        coder.encode(value, forKey: "value")
        if !series.isEmpty { coder.encode(try? JSONEncoder().encode(series), for: "series") }
    }

    /// The type of the sample.
    open var quantityType: HKQuantityType {
        sampleType as? HKQuantityType ?? HKQuantityType(_identifier: sampleType.identifier)
    }

    /// The quantity. For a series, it is the sum for a cumulative type and the average for a
    /// discrete type.
    open var quantity: HKQuantity { HKQuantity(_unit: unit, value: value) }

    /// The number of individual quantities: 1, or the length of the series (Semantics §10.5).
    open var count: Int { max(1, series.count) }

    override var valueDescription: String { quantity.description }
    override var storedValue: Double { value }
    override var storedUnit: HKUnit? { unit }
    override var detail: SampleDetail? { series.isEmpty ? nil : .series(series) }
}

/// A sample of a cumulative type.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The sum of the individual quantities.
    open var sumQuantity: HKQuantity { quantity }
}

/// A cumulative sample with several individual quantities. Since iOS 13,
/// ``HKCumulativeQuantitySample`` provides the same.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
    /// The sum of the individual quantities.
    open var sum: HKQuantity { sumQuantity }
}

/// A sample of a discrete type.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The smallest of the individual quantities.
    open var minimumQuantity: HKQuantity { of(series.lazy.map(\.value).min()) }

    /// The average of the individual quantities: ``HKQuantitySample/quantity``.
    open var averageQuantity: HKQuantity { quantity }

    /// The largest of the individual quantities.
    open var maximumQuantity: HKQuantity { of(series.lazy.map(\.value).max()) }

    /// The individual quantity with the latest start; among equal starts, with the latest end
    /// (Semantics §3.5).
    open var mostRecentQuantity: HKQuantity { of(latest?.value) }

    /// The interval of ``mostRecentQuantity``.
    open var mostRecentQuantityDateInterval: DateInterval {
        DateInterval(reference: latest?.start ?? start, latest?.end ?? end)
    }

    private var latest: SeriesQuantity? {
        series.max { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    private func of(_ reading: Double?) -> HKQuantity {
        HKQuantity(_unit: unit, value: reading ?? value)
    }
}

extension DateInterval {
    /// Creates an interval from seconds since 2001-01-01T00:00:00Z. An end before the start is
    /// replaced by the start, because Foundation would trap.
    init(reference start: Double, _ end: Double) {
        self.init(
            start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(timeIntervalSinceReferenceDate: max(start, end)))
    }
}
