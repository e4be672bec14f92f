// Options put together as the type has it.
import HealthKit

func total(of type: HKQuantityType, on day: NSPredicate, bySource: Bool, store: HKHealthStore) {
    var options: HKStatisticsOptions = []
    if type.aggregationStyle == .cumulative {
        options.insert(.cumulativeSum)
    } else {
        options.insert(.discreteAverage)
    }
    store.execute(
        HKStatisticsQuery(quantityType: type, quantitySamplePredicate: day, options: options) { _, found, _ in
            print(found as Any)
        })
    var more: HKStatisticsOptions = .cumulativeSum
    if bySource { more.insert(.separateBySource) }
    store.execute(
        HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: day, options: more
        ) { _, found, _ in
            print(found as Any)
        })
}
