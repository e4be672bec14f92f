// Units with names of their own, and statistics of collections.
import HealthKit

extension HKUnit {
    static let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
    static let milligramsPerDeciliter = HKUnit(from: "mg/dL")
}

final class WeekSummary {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func steps(
        _ range: NSPredicate, from start: Date, to end: Date, add: @escaping (Double) -> Void
    ) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in
            collection?.enumerateStatistics(from: start, to: end) { statistics, _ in
                add(statistics.sumQuantity()?.doubleValue(for: .beatsPerMinute) ?? 0)  // finds unit-mismatch
            }
        }
        store.execute(query)
    }

    func insulin(_ units: Double, at date: Date) -> HKQuantitySample {
        HKQuantitySample(  // finds required-metadata
            type: HKQuantityType(.insulinDelivery),
            quantity: HKQuantity(unit: .milligramsPerDeciliter, doubleValue: units),  // finds unit-mismatch
            start: date, end: date)
    }

    func height(completion: @escaping (Double?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.height), quantitySamplePredicate: nil,
            options: .mostRecent
        ) { _, statistics, _ in
            let centimeters = HKUnit.literUnit(with: .centi)
            completion(statistics?.mostRecentQuantity()?.doubleValue(for: centimeters))  // finds unit-mismatch
        }
        store.execute(query)
    }
}
