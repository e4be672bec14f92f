// Completion handlers that some way out of the function or of the handler leaves uncalled.
import HealthKit

enum StepFailure: Error { case noType, noData }

final class StepService {
    private let store: HKHealthStore
    private var isBusy = false

    init(store: HKHealthStore) { self.store = store }

    func today(completion: @escaping (Double) -> Void) {
        let start = Calendar.current.startOfDay(for: Date())
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum
        ) { _, statistics, error in
            guard let sum = statistics?.sumQuantity() else {
                print("no steps: \(String(describing: error))")
                return  // finds completion-not-called
            }
            DispatchQueue.main.async { completion(sum.doubleValue(for: .count())) }
        }
        store.execute(query)
    }

    func ask(_ done: @escaping (Bool, (any Error)?) -> Void) {
        guard HKHealthStore.isHealthDataAvailable() else { return }  // finds completion-not-called
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) { ok, error in
            done(ok, error)
        }
    }

    func samples(
        of identifier: HKQuantityTypeIdentifier, completionHandler: (([HKSample]) -> Void)?
    ) {
        guard let type = HKQuantityType.quantityType(forIdentifier: identifier) else {
            return  // finds completion-not-called
        }
        let query = HKSampleQuery(
            sampleType: type, predicate: nil, limit: 100, sortDescriptors: nil
        ) { _, samples, error in  // finds completion-not-called
            if let samples {
                completionHandler?(samples)
            }
        }
        store.execute(query)
    }

    func save(_ sample: HKSample, callback: @escaping (Result<Void, any Error>) -> Void) {
        store.save(sample) { success, error in  // finds completion-not-called
            if success {
                callback(.success(()))
            } else {
                NSLog("not saved: %@", "\(String(describing: error))")
            }
        }
    }

    func recent(completion: @escaping ([HKQuantitySample]) -> Void) {
        Task {
            let descriptor = HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: HKQuantityType(.stepCount))],
                sortDescriptors: [SortDescriptor(\.startDate)], limit: 20)  // finds newest-sample
            let samples = try await descriptor.result(for: store)  // finds completion-not-called
            completion(samples)
        }
    }

    func caught(completion: @escaping ([HKQuantitySample]) -> Void) {
        Task {  // finds completion-not-called
            do {
                let descriptor = HKSampleQueryDescriptor(
                    predicates: [.quantitySample(type: HKQuantityType(.stepCount))],
                    sortDescriptors: [SortDescriptor(\.startDate)], limit: 20)  // finds newest-sample
                completion(try await descriptor.result(for: store))
            } catch {
                print(error)
            }
        }
    }

    func lookUp(_ range: NSPredicate, completion: @escaping (Int) -> Void) {  // finds completion-not-called
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount), predicate: range, limit: 10,
            sortDescriptors: nil
        ) { _, samples, _ in
            print(samples?.count ?? 0)
        }
        store.execute(query)
    }

    func weekly(_ range: NSPredicate, completion: @escaping ([Double]) -> Void) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: Date()),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { [weak self] _, collection, error in
            guard let collection else { return }  // finds completion-not-called
            self?.finish(collection, completion)
        }
        store.execute(query)
    }

    private func finish(_ collection: HKStatisticsCollection, _ completion: ([Double]) -> Void) {
        let sums = collection.statistics().compactMap { $0.sumQuantity() }
        if sums.isEmpty { return }  // finds completion-not-called
        completion(sums.map { $0.doubleValue(for: .count()) })
    }

    func kinds(of sample: HKSample, result: @escaping (String) -> Void) {
        store.delete(sample) { success, error in  // finds completion-not-called
            switch error as? HKError {
            case let failure?: result(failure.localizedDescription)
            default: break
            }
        }
    }

    func gone(completion: @escaping (Bool) -> Void) {
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) {
            [weak self] _, error in
            guard let self else { return }  // finds completion-not-called
            isBusy = false
            completion(error == nil)
        }
    }
}
