public import Foundation
public import HealthEngine

/// A sample with a quantity: steps over a minute, a heart rate.
///
/// `HKQuantitySample(type:…)` gives an ``HKCumulativeQuantitySample`` or an
/// ``HKDiscreteQuantitySample``, whichever its type calls for (Semantics §9.9).
// Immutable.
open class HKQuantitySample: HKSample, _Substitutable, @unchecked Sendable {
    /// The number in ``unit``; of a series its sum or average.
    let value: Double
    let unit: HKUnit
    /// The backing quantities of a series in ``unit``; empty for a single quantity.
    let series: [SeriesQuantity]

    /// A quantity sample by its parts; not Apple's.
    ///
    /// - Parameters:
    ///   - value: In `unit`; of a series the sum or average that its store keeps.
    ///   - series: Backing quantities in `unit` and in order of start; empty for a single quantity.
    public init(
        _record: SampleRecord, value: Double, unit: HKUnit, series: [SeriesQuantity] = []
    ) {
        self.value = value
        self.unit = unit
        self.series = series
        super.init(_record: _record)
    }

    /// A quantity of a type; a unit that doesn't suit the type is refused by `save`.
    public required convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: nil)
    }

    /// A quantity of a type with metadata.
    public required convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// A quantity of a type with its device and metadata.
    public required convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, device: HKDevice?, metadata: [String: Any]?
    ) {
        let record = SampleRecord(
            quantityType, start: startDate, end: endDate, device: device, metadata: metadata)
        if Self.self == HKQuantitySample.self {
            self.init(
                substituting: HKQuantitySample.made(
                    record, value: quantity.value, unit: quantity.unit, series: []))
        } else {
            self.init(_record: record, value: quantity.value, unit: quantity.unit)
        }
        validateIfStrict()
    }

    /// The subclass that a type calls for, as stores hand it out.
    static func made(
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

    /// Reads an archived sample; nil without its unit.
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

    /// What it is a sample of.
    open var quantityType: HKQuantityType {
        sampleType as? HKQuantityType ?? HKQuantityType(_identifier: sampleType.identifier)
    }

    /// The amount; of a series its sum or average.
    open var quantity: HKQuantity { HKQuantity(_unit: unit, value: value) }

    /// How many quantities stand behind it: 1, or those of a series (Semantics §10.5).
    open var count: Int { max(1, series.count) }

    override var valueDescription: String { quantity.description }
    override var storedValue: Double { value }
    override var storedUnit: HKUnit? { unit }
    override var detail: SampleDetail? { series.isEmpty ? nil : .series(series) }
}

/// A sample of a type whose amounts add up.
// Immutable.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The sum of its quantities.
    open var sumQuantity: HKQuantity { quantity }
}

/// A sample with several amounts that add up; since iOS 13 an
/// ``HKCumulativeQuantitySample`` says the same.
// Immutable.
open class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
    /// The sum of its quantities.
    open var sum: HKQuantity { sumQuantity }
}

/// A sample of a type whose values are readings.
// Immutable.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The smallest of its readings.
    open var minimumQuantity: HKQuantity { of(series.lazy.map(\.value).min()) }

    /// The average of its readings: its ``quantity``.
    open var averageQuantity: HKQuantity { quantity }

    /// The largest of its readings.
    open var maximumQuantity: HKQuantity { of(series.lazy.map(\.value).max()) }

    /// The reading with the latest start (Semantics §3.5).
    open var mostRecentQuantity: HKQuantity { of(latest?.value) }

    /// The time of ``mostRecentQuantity``.
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
    /// From reference seconds; an end before the start is taken for the start, since Foundation
    /// traps on it.
    init(reference start: Double, _ end: Double) {
        self.init(
            start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(timeIntervalSinceReferenceDate: max(start, end)))
    }
}
