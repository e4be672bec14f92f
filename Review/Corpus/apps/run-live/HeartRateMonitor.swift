import HealthKit
import WatchKit

/// The live heart rate outside of a workout.
class HeartRateInterfaceController: WKInterfaceController {

    @IBOutlet var label: WKInterfaceLabel!
    @IBOutlet var heart: WKInterfaceImage!

    let healthStore = HKHealthStore()
    let heartRateUnit = HKUnit(from: "count/min")
    var currentQuery: HKQuery?

    override func willActivate() {
        super.willActivate()
        guard HKHealthStore.isHealthDataAvailable() else {
            label.setText("not available")
            return
        }
        guard let quantityType = HKQuantityType.quantityType(forIdentifier: .heartRate) else { return }
        healthStore.requestAuthorization(toShare: nil, read: [quantityType]) { success, error in
            guard success else { return }
            self.start()
        }
    }

    override func didDeactivate() {
        if let query = currentQuery { healthStore.stop(query) }
        currentQuery = nil
        super.didDeactivate()
    }

    func start() {
        guard let quantityType = HKObjectType.quantityType(forIdentifier: .heartRate) else { return }
        let datePredicate = HKQuery.predicateForSamples(withStart: Date(), end: nil, options: .strictStartDate)
        let query = HKAnchoredObjectQuery(
            type: quantityType, predicate: datePredicate, anchor: nil, limit: Int(HKObjectQueryNoLimit)
        ) { [weak self] query, samples, deleted, anchor, error in
            self?.update(samples, deleted: deleted)
        }
        query.updateHandler = { [weak self] query, samples, deleted, anchor, error in
            self?.update(samples, deleted: deleted)
        }
        currentQuery = query
        healthStore.execute(query)
    }

    func update(_ samples: [HKSample]?, deleted: [HKDeletedObject]?) {
        guard let sample = (samples as? [HKQuantitySample])?.last else { return }
        let removed = (deleted ?? []).contains { $0.uuid == sample.uuid }
        DispatchQueue.main.async {
            guard !removed else { return }
            let value = sample.quantity.doubleValue(for: self.heartRateUnit)
            self.label.setText(String(UInt16(value)))
        }
    }
}
