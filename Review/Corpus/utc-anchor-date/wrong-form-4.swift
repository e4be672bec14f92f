import HealthKit
final class Daily {
    func query() -> HKStatisticsCollectionQuery {
        var interval = DateComponents()
        interval.day = 1
        let now = Date()
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: [.cumulativeSum],
            anchorDate: now, // finds utc-anchor-date
            intervalComponents: interval)
    }
    func floored(_ date: Date) -> HKStatisticsCollectionQuery {
        let midnight = Date(timeIntervalSinceReferenceDate: floor(date.timeIntervalSinceReferenceDate / 86_400) * 86_400)
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: [.cumulativeSum],
            anchorDate: midnight, // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
    }
}
