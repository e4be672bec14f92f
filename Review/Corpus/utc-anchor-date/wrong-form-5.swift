import HealthKit
func fixedDays(_ day: Date) -> [HKStatisticsCollectionQuery] {
    let start = Calendar.current.startOfDay(for: day)
    return [
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: start,
            intervalComponents: DateComponents(hour: 24)), // finds utc-anchor-date
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: start,
            intervalComponents: DateComponents(second: 86_400)), // finds utc-anchor-date
    ]
}
