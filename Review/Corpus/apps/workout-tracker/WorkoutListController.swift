// The list of workouts with pull to refresh and delete.
import HealthKit
import UIKit

class WorkoutListController: UITableViewController {
    private var workouts: [HKWorkout] = []
    private lazy var dateFormatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.timeStyle = .short
        formatter.dateStyle = .medium
        return formatter
    }()
    private let energyFormatter = EnergyFormatter()

    override func viewDidLoad() {
        super.viewDidLoad()
        clearsSelectionOnViewWillAppear = false
        refreshControl?.addTarget(self, action: #selector(reload), for: .valueChanged)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        HealthKitSetup.authorize { [weak self] success, error in
            guard success else {
                print(error?.localizedDescription ?? "HealthKit is not available")
                return
            }
            self?.reload()
        }
    }

    @objc func reload() {
        WorkoutStore.loadWorkouts { [weak self] workouts, error in
            self?.workouts = workouts ?? []  // finds error-as-zero
            self?.tableView.reloadData()
            self?.refreshControl?.endRefreshing()
        }
    }

    override func tableView(
        _ tableView: UITableView, numberOfRowsInSection section: Int
    ) -> Int {
        workouts.count
    }

    override func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "WorkoutCell", for: indexPath)
        let workout = workouts[indexPath.row]
        cell.textLabel?.text = dateFormatter.string(from: workout.startDate)
        let burned = workout.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()
        if let kilocalories = burned?.doubleValue(for: .kilocalorie()) {
            cell.detailTextLabel?.text = energyFormatter.string(
                fromValue: kilocalories, unit: .kilocalorie)
        } else {
            cell.detailTextLabel?.text = nil
        }
        return cell
    }

    override func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete else { return }
        WorkoutStore.delete(workouts[indexPath.row]) { [weak self] success in
            guard success, let self else { return }
            self.workouts.remove(at: indexPath.row)
            self.tableView.deleteRows(at: [indexPath], with: .automatic)
        }
    }

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
        guard let detail = segue.destination as? WorkoutDetailController,
            let row = tableView.indexPathForSelectedRow?.row
        else { return }
        detail.workout = workouts[row]
    }
}
