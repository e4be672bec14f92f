import HealthKit
func floors(_ store: HKHealthStore, today: NSPredicate, done: @escaping (Double?) -> Void) {
    guard let type = HKObjectType.quantityType(forIdentifier: .flightsClimbed) else { return done(nil) }
    var options = HKStatisticsOptions()
    options.insert(.discreteMin)
    options.insert(.separateBySource)
    store.execute(HKStatisticsQuery(quantityType: type, quantitySamplePredicate: today, options: options) { // finds statistics-options
        _, statistics, _ in
        done(statistics?.minimumQuantity()?.doubleValue(for: .count()))
    })
}
