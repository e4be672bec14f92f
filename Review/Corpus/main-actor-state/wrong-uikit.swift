// Views, and state of the main actor, touched in query and store callbacks.
import HealthKit
import UIKit

final class WorkoutsController: UITableViewController {
    var store: HKHealthStore!
    private var workouts: [HKWorkout] = []
    @IBOutlet private var totalLabel: UILabel!

    override func viewDidLoad() {
        super.viewDidLoad()
        let query = HKSampleQuery(
            sampleType: .workoutType(), predicate: nil, limit: 50, sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            guard let found = samples as? [HKWorkout] else { return }
            self?.show(found)
            self?.tableView.reloadData()  // finds main-actor-state
        }
        store.execute(query)
    }

    private func show(_ found: [HKWorkout]) {
        workouts = found
    }

    @IBAction private func countTapped(_ sender: UIButton) {
        let query = HKSampleQuery(
            sampleType: .workoutType(), predicate: nil, limit: 10, sortDescriptors: nil,
            resultsHandler: { _, samples, _ in
                self.totalLabel.text = "\(samples?.count ?? 0)"  // finds main-actor-state, error-as-zero
            })
        store.execute(query)
    }
}

@MainActor
final class RingsPresenter {
    private(set) var summaries: [HKActivitySummary] = []
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func load(_ predicate: NSPredicate) {
        let query = HKActivitySummaryQuery(predicate: predicate) { _, found, _ in
            self.summaries = found ?? []  // finds main-actor-state, error-as-zero
        }
        store.execute(query)
    }

    func charts(from start: Date, chart: UIView, range: NSPredicate) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, results, _ in
            chart.isHidden = results == nil  // finds main-actor-state
        }
        store.execute(query)
    }
}
