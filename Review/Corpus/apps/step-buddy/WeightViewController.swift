//
//  WeightViewController.swift
//  StepBuddy
//

import UIKit
import HealthKit

class WeightViewController: UIViewController, UITableViewDataSource, UITableViewDelegate {

    @IBOutlet weak var tableView: UITableView!
    @IBOutlet weak var weightLabel: UILabel!
    @IBOutlet weak var weightField: UITextField!

    var samples = [HKQuantitySample]()
    let store = HealthKitManager.sharedInstance.healthStore

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.dataSource = self
        tableView.delegate = self
        loadHistory()
        loadLatest()
    }

    func loadHistory() {
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(sampleType: HealthKitManager.sharedInstance.bodyMass, // finds unbounded-query
                                  predicate: nil,
                                  limit: Int(HKObjectQueryNoLimit),
                                  sortDescriptors: [sort]) { query, results, error in
            guard let results = results as? [HKQuantitySample] else { return }
            self.samples = results
            self.tableView.reloadData() // finds main-actor-state
        }
        store.execute(query)
    }

    func loadLatest() {
        ProfileDataStore.getMostRecentSample(for: HealthKitManager.sharedInstance.bodyMass) { sample, error in
            guard let sample = sample else {
                self.weightLabel.text = "–"
                return
            }
            let kilos = sample.quantity.doubleValue(for: HKUnit.gramUnit(with: .kilo))
            self.weightLabel.text = String(format: "%.1f kg", kilos)
        }
    }

    @IBAction func saveTapped(_ sender: UIButton) {
        guard let text = weightField.text, let kilos = Double(text), kilos > 0 else { return }
        let quantity = HKQuantity(unit: HKUnit.gramUnit(with: .kilo), doubleValue: kilos)
        let now = Date()
        let sample = HKQuantitySample(type: HealthKitManager.sharedInstance.bodyMass, quantity: quantity,
                                      start: now, end: now,
                                      metadata: [HKMetadataKeyWasUserEntered: true])
        sender.isEnabled = false
        store.save(sample) { success, error in
            DispatchQueue.main.async {
                sender.isEnabled = true
                if success {
                    self.samples.insert(sample, at: 0)
                    self.tableView.insertRows(at: [IndexPath(row: 0, section: 0)], with: .automatic)
                } else {
                    self.show(error)
                }
            }
        }
    }

    func show(_ error: Error?) {
        let alert = UIAlertController(title: "Sorry", message: error?.localizedDescription, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        present(alert, animated: true)
    }

    // MARK: - Table

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        return samples.count
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "WeightCell", for: indexPath)
        let sample = samples[indexPath.row]
        cell.textLabel?.text = "\(sample.quantity.doubleValue(for: HKUnit.preferredMass))"
        cell.detailTextLabel?.text = DateFormatter.localizedString(from: sample.endDate, dateStyle: .medium,
                                                                   timeStyle: .short)
        return cell
    }

    func tableView(_ tableView: UITableView, commit editingStyle: UITableViewCellEditingStyle,
                   forRowAt indexPath: IndexPath) {
        guard editingStyle == .delete else { return }
        let sample = samples[indexPath.row]
        store.delete(sample) { success, error in
            DispatchQueue.main.async {
                guard success else { self.show(error); return }
                self.samples.remove(at: indexPath.row)
                tableView.deleteRows(at: [indexPath], with: .fade)
            }
        }
    }
}
