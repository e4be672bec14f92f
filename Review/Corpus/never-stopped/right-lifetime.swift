// Observers that live as long as the app, that others end, or that run only once.
import HealthKit
import UIKit

final class AppDelegate: UIResponder, UIApplicationDelegate {
    let health = HealthCentre.shared.store

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: nil
        ) { _, completion, _ in
            completion()
        }
        health.execute(query)
        return true
    }
}

final class HealthCentre {
    static let shared = HealthCentre(store: StoreProvider.store)
    let store: HKHealthStore

    private init(store: HKHealthStore) {
        self.store = store
    }

    func observe() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in
            completion()
        }
        store.execute(query)
    }
}

final class BackgroundSync {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func register() {
        let type = HKObjectType.workoutType()
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        store.execute(query)
        store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }
    }
}

struct Feeds {
    let store: HKHealthStore

    func sleep(_ changed: @escaping () -> Void) -> HKQuery {
        let query = HKObserverQuery(
            sampleType: HKCategoryType(.sleepAnalysis), predicate: nil
        ) { _, completion, _ in
            changed()
            completion()
        }
        store.execute(query)
        return query
    }

    func days(_ range: NSPredicate, from start: Date, show: @escaping () -> Void) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, _, _ in show() }
        store.execute(query)
    }

    func glucose(_ handle: @escaping (Int) -> Void) async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose))], anchor: nil)
        for try await update in descriptor.results(for: store) {
            handle(update.addedSamples.count - update.deletedObjects.count)
        }
    }
}
