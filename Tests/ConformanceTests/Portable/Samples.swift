// Shorthand for samples of an app.

func steps(
    _ value: Double, _ start: Date, _ end: Date, metadata: [String: Any]? = nil
) -> HKQuantitySample {
    quantity(.stepCount, value, .count(), start, end, metadata: metadata)
}

func pulse(_ value: Double, _ start: Date, _ end: Date? = nil) -> HKQuantitySample {
    quantity(.heartRate, value, .count().unitDivided(by: .minute()), start, end ?? start)
}

func weight(
    _ kilograms: Double, _ date: Date, metadata: [String: Any]? = nil
) -> HKQuantitySample {
    quantity(.bodyMass, kilograms, .gramUnit(with: .kilo), date, date, metadata: metadata)
}

func quantity(
    _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, _ start: Date, _ end: Date,
    metadata: [String: Any]? = nil
) -> HKQuantitySample {
    HKQuantitySample(
        type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
        start: start, end: end, metadata: metadata)
}

func sleep(
    _ value: HKCategoryValueSleepAnalysis, _ start: Date, _ end: Date
) -> HKCategorySample {
    HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: start, end: end)
}

func bloodPressure(_ systolic: Double, _ diastolic: Double, _ date: Date) -> HKCorrelation {
    HKCorrelation(
        type: HKCorrelationType(.bloodPressure), start: date, end: date,
        objects: [
            quantity(.bloodPressureSystolic, systolic, .millimeterOfMercury(), date, date),
            quantity(.bloodPressureDiastolic, diastolic, .millimeterOfMercury(), date, date),
        ])
}

/// Returns the metadata that makes a sample replaceable.
func version(_ version: Int, of identifier: String) -> [String: Any] {
    [HKMetadataKeySyncIdentifier: identifier, HKMetadataKeySyncVersion: version]
}

extension HKStatistics {
    func sum(_ unit: HKUnit = .count()) -> Double? { sumQuantity()?.doubleValue(for: unit) }
    func sum(of source: HKSource, _ unit: HKUnit = .count()) -> Double? {
        sumQuantity(for: source)?.doubleValue(for: unit)
    }
}

extension HKSample {
    /// Returns the value of a quantity sample in a unit; NaN for other samples.
    func number(_ unit: HKUnit = .count()) -> Double {
        (self as? HKQuantitySample)?.quantity.doubleValue(for: unit) ?? .nan
    }
}

extension HKUnit {
    static var perMinute: HKUnit { .count().unitDivided(by: .minute()) }
    static var kilogram: HKUnit { .gramUnit(with: .kilo) }
}
