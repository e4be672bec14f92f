import HealthKit
func temperatures(_ store: HKHealthStore, _ day: NSPredicate, _ done: @escaping ([Double]) -> Void) {
    guard let type = HKQuantityType.quantityType(forIdentifier: .bodyTemperature) else { return }
    store.execute(HKSampleQuery(sampleType: type, predicate: day, limit: 50, sortDescriptors: nil) { _, samples, _ in
        var values: [Double] = []
        for case let sample as HKQuantitySample in samples ?? [] {
            values.append(sample.quantity.doubleValue(for: HKUnit(from: "kcal"))) // finds unit-mismatch
        }
        done(values)
    })
}
