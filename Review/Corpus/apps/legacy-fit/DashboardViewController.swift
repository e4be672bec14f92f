// The dashboard: steps of today and of the week, and the last nights.
import HealthKit
import UIKit

class DashboardViewController: UIViewController, UITableViewDataSource {
    @IBOutlet weak var tableView: UITableView!
    @IBOutlet weak var stepsLabel: UILabel!
    @IBOutlet weak var sourceControl: UISegmentedControl!
    var nights = [HKCategorySample]()
    var totals = [Date: Double]()

    override func viewDidLoad() {
        super.viewDidLoad()
        NotificationCenter.default.addObserver(
            self, selector: #selector(reload), name: HealthDidUpdateNotification, object: nil)
        HealthManager.sharedInstance.authorizeHealthKit { (success, error) in
            if success {
                DispatchQueue.main.async {
                    self.reload()
                }
            }
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    @objc func reload() {
        let now = Date()
        let today = Calendar.current.startOfDay(for: now)
        HealthManager.sharedInstance.querySteps(startDate: today, endDate: now) { steps, error in
            DispatchQueue.main.async {
                self.stepsLabel.text = "\(Int(steps))"  // finds error-as-zero
            }
        }
        HealthManager.sharedInstance.querySleep { samples in
            DispatchQueue.main.async {
                self.nights = self.filtered(samples)
                self.tableView.reloadData()
            }
        }
        loadWeek(until: now)
    }

    func filtered(_ samples: [HKCategorySample]) -> [HKCategorySample] {
        switch sourceControl.selectedSegmentIndex {
        case 1:
            return samples.filter { $0.sourceRevision.source.name.contains("Watch") }  // finds source-by-name
        case 2:
            return samples.filter { $0.value == HKCategoryValueSleepAnalysis.inBed.rawValue }
        default:
            return samples
        }
    }

    func loadWeek(until now: Date) {
        let manager = HealthManager.sharedInstance
        guard let type = manager.stepsCount,
            let start = Calendar.current.date(byAdding: .day, value: -7, to: now)
        else { return }
        var interval = DateComponents()
        interval.day = 1
        var anchorComponents = Calendar.current.dateComponents([.day, .month, .year], from: now)
        anchorComponents.hour = 0
        let anchorDate = Calendar.current.date(from: anchorComponents)!
        let query = HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: nil, options: [.cumulativeSum],
            anchorDate: anchorDate, intervalComponents: interval)
        query.initialResultsHandler = { query, results, error in
            guard let results = results else {
                return
            }
            results.enumerateStatistics(from: start, to: now) { statistics, stop in
                if let quantity = statistics.sumQuantity() {
                    let value = quantity.doubleValue(for: HKUnit.count())
                    DispatchQueue.main.async {
                        self.totals[statistics.startDate] = value
                    }
                }
            }
            self.tableView.reloadData()  // finds main-actor-state
        }
        manager.healthStore?.execute(query)
    }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        return nights.count
    }

    func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "night", for: indexPath)
        let night = nights[indexPath.row]
        let hours = night.endDate.timeIntervalSince(night.startDate) / 3600
        cell.textLabel?.text = String(format: "%.1f h", hours)
        cell.detailTextLabel?.text = night.sourceRevision.source.name
        return cell
    }
}
