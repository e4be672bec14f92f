// The type is told by a branch, a loop, a caller's list; the options by a property or a variable.
import HealthKit

final class Charts {
    private let store: HKHealthStore
    private var total: HKStatisticsOptions { [.cumulativeSum] }
    private lazy var pulse = HKQuantityType(.heartRate)

    init(store: HKHealthStore) { self.store = store }

    func pulse(in range: NSPredicate) {
        let query = HKStatisticsQuery(
            quantityType: pulse, quantitySamplePredicate: range,
            options: total  // finds statistics-options
        ) { _, statistics, _ in
            print(statistics?.sumQuantity() as Any)
        }
        store.execute(query)
    }

    func energy(isActive: Bool, in range: NSPredicate) {
        let type = isActive ? HKQuantityType(.activeEnergyBurned) : HKQuantityType(.basalEnergyBurned)
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: range,
            options: .discreteAverage  // finds statistics-options
        ) { _, statistics, _ in
            print(statistics?.averageQuantity() as Any)
        }
        store.execute(query)
    }

    func body(in range: NSPredicate) async throws {
        for type in [HKQuantityType(.bodyMass), HKQuantityType(.bodyFatPercentage)] {
            let descriptor = HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: type, predicate: range),
                options: .cumulativeSum)  // finds statistics-options
            print(try await descriptor.result(for: store) as Any)
        }
    }

    func identified(in range: NSPredicate) {
        guard let type = HKObjectType.quantityType(
            forIdentifier: HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierStepCount"))
        else { return }
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: range,
            options: [.discreteMin, .separateBySource]  // finds statistics-options
        ) { _, statistics, _ in
            print(statistics?.minimumQuantity() as Any)
        }
        store.execute(query)
    }
}
