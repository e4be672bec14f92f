import HealthKit
func shown(_ sample: HKQuantitySample, in unit: HKUnit) -> Double? {
    guard sample.quantity.is(compatibleWith: unit) else { return nil }
    return sample.quantity.doubleValue(for: unit)
}
func energy(_ store: HKHealthStore, _ day: NSPredicate, _ done: @escaping (Double) -> Void) {
    store.execute(HKStatisticsQuery(
        quantityType: HKQuantityType(.activeEnergyBurned), quantitySamplePredicate: day, options: .cumulativeSum
    ) { _, statistics, _ in
        done(statistics?.sumQuantity()?.doubleValue(for: .jouleUnit(with: .kilo)) ?? 0)
    })
}
func save(_ pressure: Double) -> HKQuantitySample {
    HKQuantitySample(
        type: HKQuantityType(.bloodPressureSystolic),
        quantity: HKQuantity(unit: .pascalUnit(with: .kilo), doubleValue: pressure), start: .now, end: .now)
}
