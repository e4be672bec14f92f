// A zone of UTC with something behind it that is never needed.
import HealthKit

func weekly(_ steps: HKQuantityType, since start: Date) -> [HKStatisticsCollectionQuery] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    let anchor = calendar.startOfDay(for: start)
    var other = Calendar.current
    other.timeZone = TimeZone(identifier: "UTC") ?? other.timeZone
    return [
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: anchor, intervalComponents: DateComponents(day: 7)),  // finds utc-anchor-date
        HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: other.startOfDay(for: start),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1)),
    ]
}
