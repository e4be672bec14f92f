// A sample saved each time that a screen appears.
import HealthKit
import SwiftUI
import UIKit

struct SummaryView: View {
    let healthStore: HKHealthStore
    let minutes: Double

    var body: some View {
        Text("\(minutes) minutes of meditation")
            .onAppear { record() }
    }

    private func record() {
        guard HKHealthStore.isHealthDataAvailable() else { return }
        let end = Date.now
        let session = HKCategorySample(
            type: HKCategoryType(.mindfulSession), value: HKCategoryValue.notApplicable.rawValue,
            start: end.addingTimeInterval(-minutes * 60), end: end)
        healthStore.save(session) { _, error in  // finds duplicate-save
            if let error { print(error) }
        }
    }
}

final class ProfileController: UIViewController {
    var healthStore: HKHealthStore?
    var height = 1.8

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        healthStore?.requestAuthorization(
            toShare: [HKQuantityType(.height)], read: []
        ) { [weak self] success, _ in
            if success { self?.writeHeight() }
        }
    }

    private func writeHeight() {
        let sample = HKQuantitySample(
            type: HKQuantityType(.height),
            quantity: HKQuantity(unit: .meter(), doubleValue: height), start: .now, end: .now)
        Task {
            do {
                try await healthStore?.save(sample)  // finds duplicate-save
            } catch {
                title = error.localizedDescription
            }
        }
    }
}
