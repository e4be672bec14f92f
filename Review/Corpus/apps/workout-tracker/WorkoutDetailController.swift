// One workout: its heart rate as it came, and live heart rate while the screen is open.
import HealthKit
import MapKit
import UIKit

class WorkoutDetailController: UIViewController {
    var workout: HKWorkout?
    @IBOutlet private var averageLabel: UILabel!
    @IBOutlet private var maximumLabel: UILabel!
    @IBOutlet private var liveLabel: UILabel!
    @IBOutlet private var mapView: MKMapView!
    private let bpm = HKUnit.count().unitDivided(by: .minute())

    override func viewDidLoad() {
        super.viewDidLoad()
        guard let workout else { return }
        WorkoutStore.heartRates(during: workout) { [weak self] samples in
            guard let self else { return }
            let values = samples.map { $0.quantity.doubleValue(for: self.bpm) }
            let average = values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
            DispatchQueue.main.async {
                self.averageLabel.text = "\(Int(average))"
                self.maximumLabel.text = "\(Int(values.max() ?? 0))"
            }
        }
        WorkoutStore.locations(of: workout) { [weak self] locations in
            let line = MKPolyline(
                coordinates: locations.map(\.coordinate), count: locations.count)
            DispatchQueue.main.async {
                self?.mapView.addOverlay(line)
            }
        }
        if Date().timeIntervalSince(workout.endDate) < 600 {
            followRecovery(after: workout)
        }
    }

    private func followRecovery(after workout: HKWorkout) {
        let predicate = HKQuery.predicateForSamples(withStart: workout.endDate, end: nil)
        let query = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(.heartRate), predicate: predicate
        ) { _, completionHandler, error in  // finds strong-self
            guard error == nil else {
                return  // finds observer-completion
            }
            self.showLatest(predicate)
            completionHandler()
        }
        HealthKitSetup.store.execute(query)
    }

    private func showLatest(_ predicate: NSPredicate) {
        let newest = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: predicate, limit: 1,
            sortDescriptors: [newest]
        ) { [weak self] _, samples, _ in
            guard let self, let sample = samples?.first as? HKQuantitySample else { return }
            self.liveLabel.text = "\(Int(sample.quantity.doubleValue(for: self.bpm)))"  // finds main-actor-state
        }
        HealthKitSetup.store.execute(query)
    }
}
