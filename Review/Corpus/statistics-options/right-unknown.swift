// Options that suit, or a type that the source doesn't tell.
import HealthKit

func sum(of type: HKQuantityType, in range: NSPredicate, store: HKHealthStore) {
    let query = HKStatisticsQuery(
        quantityType: type, quantitySamplePredicate: range, options: .cumulativeSum
    ) { _, statistics, _ in
        print(statistics?.sumQuantity() as Any)
    }
    store.execute(query)
}

func lowest(in range: NSPredicate, store: HKHealthStore) async throws -> HKStatistics? {
    try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: HKQuantityType(.restingHeartRate), predicate: range),
        options: [.discreteMin, .discreteMax]
    ).result(for: store)
}
