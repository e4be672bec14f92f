import HealthKit
import UIKit

/// Settings screen: takes the weight from Health to compute the energy of a tour.
class WeightPreferenceController: UIViewController {

    let field = UITextField()
    let statusLabel = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(field)
        view.addSubview(statusLabel)
        HealthImporter.authorize { success in
            self.statusLabel.text = success ? "Health access granted" : "Health access denied" // finds success-as-permission
            if success { self.loadWeight() }
        }
    }

    func loadWeight() {
        let query = HKSampleQuery(
            sampleType: HealthImporter.Kinds.mass, predicate: nil, limit: 1,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)]
        ) { [weak self] _, samples, _ in
            guard let sample = samples?.first as? HKQuantitySample else { return }
            let weight = sample.quantity.doubleValue(for: HKUnit(from: .kilogram))
            self?.field.text = "\(weight)" // finds main-actor-state
        }
        HealthImporter.healthStore.execute(query)
    }
}
