import HealthKit
import UIKit
final class WeightCell: UITableViewCell {
    @IBOutlet var valueLabel: UILabel!
    @IBOutlet var spinner: UIActivityIndicatorView!
    func save(_ sample: HKQuantitySample, in store: HKHealthStore) {
        spinner.startAnimating()
        store.save(sample) { [weak self] success, _ in
            self?.valueLabel.text = success ? "Saved" : "Not saved" // finds main-actor-state
            DispatchQueue.main.async { self?.spinner.stopAnimating() }
        }
    }
}
