// Functions named for aggregation that don't ask for a type's style.
import HealthKit

final class BucketStore {
    let store = HKHealthStore()

    static func identifier(_ name: String) -> HKQuantityTypeIdentifier? {
        switch name {
        case "steps": return .stepCount
        case "energy": return .activeEnergyBurned
        case "heartRate": return .heartRate
        default: return nil
        }
    }

    func queryAggregated(_ name: String, _ completion: @escaping (HKStatisticsCollection?) -> Void) {
        guard let identifier = BucketStore.identifier(name),
            let type = HKObjectType.quantityType(forIdentifier: identifier)
        else { return completion(nil) }
        let query = HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: nil,
            options: .cumulativeSum,  // finds statistics-options
            anchorDate: Calendar.current.startOfDay(for: .now), intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, results, _ in completion(results) }
        store.execute(query)
    }
}
