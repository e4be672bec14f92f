import HealthKit
import UIKit
final class RightController: UITableViewController {
    var store: HKHealthStore?
    var count = 0
    func load(_ day: NSPredicate) {
        store?.execute(HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: day, limit: 100, sortDescriptors: nil
        ) { query, samples, error in
            let found = samples?.count ?? 0  // finds error-as-zero
            DispatchQueue.main.async {
                self.count = found
                self.tableView.reloadData()
            }
        })
    }
    func other(_ day: NSPredicate) {
        store?.execute(HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: day, limit: 100, sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            Task { @MainActor in
                self?.count = samples?.count ?? 0  // finds error-as-zero
                self?.title = "Loaded"
            }
            OperationQueue.main.addOperation { self?.tableView.reloadData() }
        })
    }
}
