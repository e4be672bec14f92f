// Weight and height, entered by hand.
import HealthKit
import UIKit

class BodyViewController: UITableViewController {
    var healthStore: HKHealthStore?
    @IBOutlet private var weightValueLabel: UILabel!
    @IBOutlet private var heightValueLabel: UILabel!

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard let healthStore = healthStore else { return }
        let dataTypesToWrite: Set<HKSampleType> = [
            HKObjectType.quantityType(forIdentifier: .bodyMass)!,
            HKObjectType.quantityType(forIdentifier: .height)!,
        ]
        let dataTypesToRead: Set<HKObjectType> = dataTypesToWrite as Set<HKObjectType>
        healthStore.requestAuthorization(toShare: dataTypesToWrite, read: dataTypesToRead) {
            success, error in
            if !success {
                print("HealthKit could not be asked: \(String(describing: error))")
                return
            }
            DispatchQueue.main.async {
                self.updateWeight()
                self.updateHeight()
            }
        }
    }

    func updateWeight() {
        let formatter = MassFormatter()
        formatter.isForPersonMassUse = true
        latest(HKQuantityType(.bodyMass)) { quantity in
            guard let quantity = quantity else { return }
            let kilograms = quantity.doubleValue(for: HKUnit.gramUnit(with: .kilo))
            self.weightValueLabel.text = formatter.string(fromKilograms: kilograms)
        }
    }

    func updateHeight() {
        let formatter = LengthFormatter()
        formatter.isForPersonHeightUse = true
        latest(HKQuantityType(.height)) { quantity in
            guard let quantity = quantity else { return }
            let meters = quantity.doubleValue(for: HKUnit.meter())
            self.heightValueLabel.text = formatter.string(fromMeters: meters)
        }
    }

    private func latest(
        _ type: HKQuantityType, completion: @escaping (HKQuantity?) -> Void
    ) {
        let timeSortDescriptor = NSSortDescriptor(
            key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: 1, sortDescriptors: [timeSortDescriptor]
        ) { query, results, error in
            DispatchQueue.main.async {
                completion((results?.first as? HKQuantitySample)?.quantity)
            }
        }
        healthStore?.execute(query)
    }

    func saveWeight(_ kilograms: Double) {
        let quantity = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms)
        let now = Date()
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: quantity, start: now, end: now)
        healthStore?.save(sample) { success, error in
            if !success {
                print("weight not saved: \(String(describing: error))")
                return
            }
            self.tableView.reloadData()  // finds main-actor-state
        }
    }
}
