// A caller decides the type or the options of a query; a table decides the options by the type.
import HealthKit

final class StatisticsService {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func statistics(
        _ id: HKQuantityTypeIdentifier, options: HKStatisticsOptions, unit: HKUnit,
        done: @escaping (Double?) -> Void
    ) {
        guard let type = HKObjectType.quantityType(forIdentifier: id) else { return }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil, options: options
        ) { _, statistics, error in
            let quantity = options == .cumulativeSum
                ? statistics?.sumQuantity() : statistics?.averageQuantity()
            done(error == nil ? quantity?.doubleValue(for: unit) : nil)
        }
        store.execute(query)
    }

    func load() {
        statistics(.stepCount, options: .cumulativeSum, unit: .count()) { _ in }
        statistics(.heartRate, options: .cumulativeSum, unit: HKUnit(from: "count/min")) { _ in }  // finds statistics-options
        statistics(.stepCount, options: [.discreteAverage], unit: .count()) { _ in }  // finds statistics-options
        statistics(.bodyMass, options: .discreteMax, unit: .gramUnit(with: .kilo)) { _ in }
    }

    func hours(of id: HKQuantityTypeIdentifier) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(id), quantitySamplePredicate: nil,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: .now),
            intervalComponents: DateComponents(hour: 1))
    }

    func queries() -> [HKStatisticsCollectionQuery] {
        [
            hours(of: .stepCount),
            hours(of: .oxygenSaturation),  // finds statistics-options
        ]
    }

    func options(for id: HKQuantityTypeIdentifier) -> HKStatisticsOptions {
        switch id {
        case .stepCount, .distanceCycling: return .cumulativeSum
        case .heartRate, .restingHeartRate:
            return .cumulativeSum  // finds statistics-options
        default: return .discreteAverage
        }
    }

    static let known: [HKQuantityTypeIdentifier: HKStatisticsOptions] = [
        .stepCount: .cumulativeSum,
        .respiratoryRate: .cumulativeSum,  // finds statistics-options
        .flightsClimbed: .discreteMax,  // finds statistics-options
    ]
}
