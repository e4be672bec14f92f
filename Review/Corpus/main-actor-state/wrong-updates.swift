// State changed in updates, enumerations and answers of the store.
import HealthKit
import SwiftUI
import UIKit

@MainActor
final class LiveModel: ObservableObject {
    @Published var days: [Double] = []
    @Published var changes = 0
    @Published var lastError: String?
    private let store: HKHealthStore
    private var running: [HKQuery] = []

    init(store: HKHealthStore) {
        self.store = store
    }

    func week(_ range: NSPredicate, from start: Date, to end: Date) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { [weak self] _, collection, error in
            guard let collection else {
                self?.lastError = error?.localizedDescription  // finds main-actor-state
                return
            }
            var found: [Double] = []
            collection.enumerateStatistics(from: start, to: end) { day, _ in
                found.append(day.sumQuantity()?.doubleValue(for: .count()) ?? 0)
            }
            self?.days = found
        }
        store.execute(query)
    }

    func observe() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { [weak self] _, completion, _ in
            self?.changes += 1  // finds main-actor-state
            completion()
        }
        running.append(query)
        store.execute(query)
    }

    func stop() {
        running.forEach { store.stop($0) }
    }
}

final class EntryController: UIViewController {
    var store: HKHealthStore!
    @IBOutlet private var collectionView: UICollectionView!
    @IBOutlet private var imageView: UIImageView!

    func save(_ sample: HKSample) {
        store.save(sample) { [weak self] success, _ in
            guard success else { return }
            self?.collectionView.reloadData()  // finds main-actor-state
        }
    }

    func remove(_ sample: HKSample) {
        store.delete(sample) { _, error in
            self.imageView.image = UIImage(systemName: error == nil ? "trash" : "xmark")  // finds main-actor-state
        }
    }
}
