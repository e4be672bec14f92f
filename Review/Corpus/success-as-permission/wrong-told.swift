// The success of asking told to the person as their answer.
import HealthKit
import UIKit

final class PermissionController: UIViewController {
    var store: HKHealthStore!
    @IBOutlet private var statusLabel: UILabel!
    private let types: Set<HKObjectType> = [HKQuantityType(.heartRate)]

    @IBAction private func ask(_ sender: Any) {
        store.requestAuthorization(toShare: nil, read: types) { [weak self] success, _ in
            DispatchQueue.main.async {
                if success {  // finds success-as-permission
                    self?.statusLabel.text = "Access granted"
                } else {
                    self?.statusLabel.text = "Access denied"
                }
            }
        }
    }

    @IBAction private func askShort(_ sender: Any) {
        store.requestAuthorization(toShare: nil, read: types) { [weak self] success, _ in
            DispatchQueue.main.async {
                self?.statusLabel.text = success ? "Allowed" : "Denied"  // finds success-as-permission
            }
        }
    }

    func askGuarded() {
        store.requestAuthorization(toShare: nil, read: types) { [weak self] success, _ in
            guard success else {  // finds success-as-permission
                DispatchQueue.main.async {
                    self?.showAlert(title: "You denied access to your heart rate")
                }
                return
            }
            self?.load()
        }
    }

    func askAndLoad() {
        store.requestAuthorization(toShare: nil, read: types) { [weak self] success, error in
            if success {
                self?.load()
            }
        }
    }

    private func load() {}

    private func showAlert(title: String) {
        present(
            UIAlertController(title: title, message: nil, preferredStyle: .alert), animated: true)
    }
}
