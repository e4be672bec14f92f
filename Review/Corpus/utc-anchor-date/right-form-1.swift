import HealthKit
func days(_ start: Date, _ end: Date) -> [HKStatisticsCollectionQuery] {
    let calendar = Calendar.current
    var components = calendar.dateComponents([.year, .month, .day], from: start)
    components.hour = 3
    let three = calendar.date(bySettingHour: 3, minute: 0, second: 0, of: end) ?? end
    let monday = calendar.dateInterval(of: .weekOfYear, for: start)?.start ?? calendar.startOfDay(for: start)
    return [calendar.startOfDay(for: Date()), three, monday, calendar.date(from: components) ?? three].map {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: $0, intervalComponents: DateComponents(day: 1))
    }
}
func minutes() -> HKStatisticsCollectionQuery {
    HKStatisticsCollectionQuery(
        quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: nil, options: .discreteMax,
        anchorDate: Date(), intervalComponents: DateComponents(minute: 5))
}
