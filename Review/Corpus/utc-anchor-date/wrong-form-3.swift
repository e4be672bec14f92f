import HealthKit
func monthly(_ predicate: NSPredicate) -> HKStatisticsCollectionQuery? {
    guard let anchor = ISO8601DateFormatter().date(from: "2024-01-01T00:00:00Z") else { return nil }
    return HKStatisticsCollectionQuery(
        quantityType: HKQuantityType(.activeEnergyBurned), quantitySamplePredicate: predicate,
        options: .cumulativeSum,
        anchorDate: anchor, // finds utc-anchor-date
        intervalComponents: DateComponents(month: 1))
}
