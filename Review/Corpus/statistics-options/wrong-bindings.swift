// Options and types met through lets, guards, statics and full names.
import HealthKit

final class TodayWidgetProvider {
    private let store: HKHealthStore
    private let stepType = HKQuantityType(.stepCount)
    private static let averaging: HKStatisticsOptions = .discreteAverage

    init(store: HKHealthStore) {
        self.store = store
    }

    func averageSteps(_ range: NSPredicate, completion: @escaping (Double?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: stepType, quantitySamplePredicate: range,
            options: Self.averaging  // finds statistics-options
        ) { _, statistics, _ in
            completion(statistics?.averageQuantity()?.doubleValue(for: .count()))
        }
        store.execute(query)
    }

    func oxygen(_ range: NSPredicate, completion: @escaping (Double?) -> Void) {
        guard let oxygen = HKObjectType.quantityType(forIdentifier: .oxygenSaturation) else {
            return completion(nil)
        }
        store.execute(
            HKStatisticsQuery(
                quantityType: oxygen, quantitySamplePredicate: range,
                options: [HKStatisticsOptions.cumulativeSum],  // finds statistics-options
                completionHandler: { query, result, error in
                    completion(result?.sumQuantity()?.doubleValue(for: .percent()))
                }))
    }

    func water(_ range: NSPredicate, today: Date) -> HKStatisticsCollectionQuery {
        let identifier = HKQuantityTypeIdentifier.dietaryWater
        return HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(identifier), quantitySamplePredicate: range,
            options: .discreteMin,  // finds statistics-options
            anchorDate: Calendar.current.startOfDay(for: today),
            intervalComponents: DateComponents(day: 1))
    }
}
