import HealthKit
import UIKit
final class HealthVC: UIViewController {
    var healthStore: HKHealthStore?
    var query: HKObserverQuery?
    override func viewDidLoad() {
        super.viewDidLoad()
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) { [weak self] _, done, _ in // finds never-stopped
            DispatchQueue.main.async { self?.title = "Changed" }
            done()
        }
        self.query = query
        healthStore?.execute(query)
    }
}
