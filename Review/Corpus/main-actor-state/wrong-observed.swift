// Observable models, stored callbacks and local closures that run on HealthKit's queue.
import HealthKit
import Observation
import UIKit

@Observable
final class PressureModel {
    var systolic = 0.0
    var isLoading = true
    @ObservationIgnored private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func load() {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodPressureSystolic), predicate: nil, limit: 1,
            sortDescriptors: nil  // finds newest-sample
        ) { _, samples, _ in
            let sample = samples?.first as? HKQuantitySample
            self.systolic = sample?.quantity.doubleValue(for: .millimeterOfMercury()) ?? 0  // finds main-actor-state, error-as-zero
            self.isLoading = false
        }
        store.execute(query)
    }
}

final class FloorWatcher {
    static let shared = FloorWatcher()
    var onFloors: ((Int) -> Void)?
    private let store = HKHealthStore.shared

    func read() {
        let deliver: (HKStatistics?) -> Void = { statistics in
            self.onFloors?(Int(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0))
        }
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.flightsClimbed), quantitySamplePredicate: nil,
            options: .cumulativeSum
        ) { _, statistics, _ in deliver(statistics) }
        store.execute(query)
    }
}

extension HKHealthStore {
    static let shared = HKHealthStore()
}

final class FloorsController: UIViewController {
    private let floors = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        FloorWatcher.shared.onFloors = { [weak self] count in
            self?.floors.text = "\(count)"  // finds main-actor-state
        }
    }
}
