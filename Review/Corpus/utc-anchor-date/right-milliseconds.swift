// A moment that a bridge hands over in milliseconds is the caller's.
import HealthKit

func totals(from milliseconds: NSNumber, _ type: HKQuantityType, _ every: Int) -> HKStatisticsCollectionQuery {
    let start = Date(timeIntervalSince1970: milliseconds.doubleValue / 1000)
    return HKStatisticsCollectionQuery(
        quantityType: type, quantitySamplePredicate: nil, options: [],
        anchorDate: start, intervalComponents: DateComponents(second: every))
}
