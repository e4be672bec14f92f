import HealthKit
import UIKit
final class SamplesController: UITableViewController {
    var store: HKHealthStore?
    func load(_ day: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: day, limit: 100, sortDescriptors: nil
        ) { query, samples, error in
            self.tableView.reloadData() // finds main-actor-state
        }
        store?.execute(query)
    }
}
