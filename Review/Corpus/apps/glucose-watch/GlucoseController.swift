// The chart and the last reading.
import HealthKit
import UIKit

final class GlucoseController: UIViewController {
    var store: HKHealthStore!
    @IBOutlet private var valueLabel: UILabel!
    @IBOutlet private var ageLabel: UILabel!
    private let unit = Reading.millimolesPerLiter

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        showLatest()
        showDay()
    }

    private func showLatest() {
        let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: nil, limit: 1,
            sortDescriptors: [newest]
        ) { [weak self] _, samples, _ in
            guard let sample = samples?.first as? HKQuantitySample, let self else { return }
            DispatchQueue.main.async {
                let value = sample.quantity.doubleValue(for: self.unit)
                self.valueLabel.text = value.formatted(.number.precision(.fractionLength(1)))
                self.ageLabel.text = sample.endDate.formatted(.relative(presentation: .named))
            }
        }
        store.execute(query)
    }

    private func showDay() {
        let start = Calendar.current.startOfDay(for: .now)
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.bloodGlucose),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: [.discreteAverage, .discreteMin, .discreteMax], anchorDate: start,
            intervalComponents: DateComponents(minute: 15))
        query.initialResultsHandler = { [weak self] _, collection, _ in
            let points = (collection?.statistics() ?? []).compactMap { statistics in
                statistics.averageQuantity().map { (statistics.startDate, $0) }
            }
            DispatchQueue.main.async { self?.draw(points) }
        }
        store.execute(query)
    }

    private func draw(_ points: [(Date, HKQuantity)]) {
        view.setNeedsDisplay()
    }
}
