import HealthKit
func weeks(from start: Date) -> HKStatisticsCollectionQuery {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "UTC") ?? calendar.timeZone
    let query = HKStatisticsCollectionQuery(
        quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum,
        anchorDate: calendar.startOfDay(for: start), // finds utc-anchor-date
        intervalComponents: DateComponents(day: 7))
    return query
}
