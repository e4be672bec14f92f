// Long-running queries begun by a screen that never ends them.
import HealthKit
import UIKit

final class StepsController: UIViewController {
    var store: HKHealthStore!
    private var query: HKObserverQuery?

    override func viewDidLoad() {
        super.viewDidLoad()
        let query = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { [weak self] _, completion, _ in
            self?.refresh()
            completion()
        }
        self.query = query
        store.execute(query)
    }

    private func refresh() {}
}

final class HeartRateController: UIViewController {
    var store: HKHealthStore!
    let sink = HeartRateSink()

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        let handler = sink.handler
        let query = HKAnchoredObjectQuery(  // finds never-stopped
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil, limit: 10,
            resultsHandler: handler)
        query.updateHandler = handler
        store.execute(query)
    }
}

final class ChartController: UIViewController {
    var store: HKHealthStore!

    func begin(_ range: NSPredicate, from start: Date, chart: StepChart) {
        let query = HKStatisticsCollectionQuery(  // finds never-stopped
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in chart.show(collection) }
        query.statisticsUpdateHandler = { _, _, collection, _ in chart.show(collection) }
        store.execute(query)
    }
}
