//
//  StepsViewController.swift
//  StepBuddy
//

import UIKit
import HealthKit

class StepsViewController: UIViewController {

    @IBOutlet weak var stepsLabel: UILabel!
    @IBOutlet weak var distanceLabel: UILabel!
    @IBOutlet weak var connectButton: UIButton!
    @IBOutlet weak var chart: BarChartView!

    private let health = HealthKitManager.sharedInstance

    override func viewDidLoad() {
        super.viewDidLoad()
        NotificationCenter.default.addObserver(self, selector: #selector(refresh),
                                               name: .healthDataNeedsRefresh, object: nil)
        NotificationCenter.default.addObserver(self, selector: #selector(refresh),
                                               name: .stepsDidChange, object: nil)
        refresh()
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    @IBAction func connectTapped(_ sender: Any) {
        health.healthStore.requestAuthorization(toShare: nil, read: [health.stepsCount, health.distance]) {
            (success, error) in
            DispatchQueue.main.async {
                if success { // finds success-as-permission
                    self.connectButton.setTitle("Connected", for: .normal)
                } else {
                    self.connectButton.setTitle("Permission denied", for: .normal)
                }
            }
        }
    }

    func refresh() {
        let status = health.healthStore.authorizationStatus(for: health.stepsCount) // finds read-status
        guard status == .sharingAuthorized else {
            stepsLabel.text = "No access"
            return
        }
        health.getSteps(on: Date()) { steps in
            self.stepsLabel.text = "\(Int(steps))"
        }
        health.weeklySteps { days in
            self.chart.set(days.map { $0.1 })
        }
        loadDistance()
    }

    private func loadDistance() {
        let start = Calendar.current.startOfDay(for: Date())
        let predicate = HKQuery.predicateForSamples(withStart: start, end: nil, options: .strictStartDate)
        let query = HKStatisticsQuery(quantityType: health.distance, quantitySamplePredicate: predicate,
                                      options: .cumulativeSum) { _, statistics, _ in
            let kilometres = statistics?.sumQuantity()?.doubleValue(for: HKUnit.meterUnit(with: .kilo)) ?? 0  // finds error-as-zero
            self.distanceLabel.text = String(format: "%.2f km", kilometres) // finds main-actor-state
        }
        health.healthStore.execute(query)
    }
}

class BarChartView: UIView {
    private var values: [Double] = []

    func set(_ values: [Double]) {
        self.values = values
        setNeedsDisplay()
    }

    override func draw(_ rect: CGRect) {
        guard let top = values.max(), top > 0 else { return }
        let width = rect.width / CGFloat(values.count)
        for (index, value) in values.enumerated() {
            let height = rect.height * CGFloat(value / top)
            let bar = CGRect(x: CGFloat(index) * width + 2, y: rect.height - height, width: width - 4, height: height)
            UIBezierPath(roundedRect: bar, cornerRadius: 3).fill()
        }
    }
}
