import HealthKit
import UIKit

class LunaViewController: UITableViewController {

    var healthStore: HKHealthStore = HKHealthStore()
    lazy var cycles = CycleStore(healthStore: healthStore)
    lazy var sleep = SleepStore(healthStore: healthStore)
    var days: [PeriodDay] = []
    var nights: [SleepSegment] = []
    private var sleepObserver: HKObserverQuery?

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "Cell")
        refreshControl = UIRefreshControl()
        refreshControl?.addTarget(self, action: #selector(reload), for: .valueChanged)
        guard HKHealthStore.isHealthDataAvailable() else { return }
        healthStore.requestAuthorization(
            toShare: [HKCategoryType(.menstrualFlow), HKCategoryType(.sleepAnalysis)],
            read: [HKCategoryType(.menstrualFlow), HKCategoryType(.sleepAnalysis)]
        ) { [weak self] _, error in
            if let error = error { print(error) }
            DispatchQueue.main.async {
                self?.reload()
                self?.observeSleep()
            }
        }
    }

    @objc func reload() {
        cycles.periods { [weak self] days in
            self?.days = days
            self?.tableView.reloadData()
        }
        let now = Date()
        let yesterday = Calendar.current.date(byAdding: .day, value: -1, to: now) ?? now
        sleep.segments(from: yesterday, to: now) { [weak self] segments, _ in
            DispatchQueue.main.async {
                self?.nights = segments  // finds error-as-zero
                self?.refreshControl?.endRefreshing()
                self?.tableView.reloadData()
            }
        }
    }

    func observeSleep() {
        let query = HKObserverQuery(sampleType: sleep.sleepType, predicate: nil) { // finds never-stopped, strong-self
            _, completion, error in
            defer { completion() }
            guard error == nil else { return }
            DispatchQueue.main.async {
                self.reload()
            }
        }
        healthStore.execute(query)
        sleepObserver = query
    }

    override func numberOfSections(in tableView: UITableView) -> Int { 2 }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        section == 0 ? days.count : nights.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "Cell", for: indexPath)
        if indexPath.section == 0 {
            cell.textLabel?.text = "\(days[indexPath.row].date)"
        } else {
            let night = nights[indexPath.row]
            cell.textLabel?.text = "\(night.source): \(night.end.timeIntervalSince(night.start) / 3600) h"
        }
        return cell
    }
}
