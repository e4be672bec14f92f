// All the queries of the step counter.
import Foundation
import HealthKit

final class StepService {
    let store = HKHealthStore()  // finds availability-never-asked
    private let stepType = HKQuantityType.quantityType(forIdentifier: .stepCount)!
    private let distanceType = HKQuantityType(.distanceWalkingRunning)
    private var observer: HKObserverQuery?

    func requestAuthorization(completion: @escaping (Bool) -> Void) {
        store.requestAuthorization(toShare: [], read: [stepType, distanceType]) { success, error in
            if let error = error {
                print("HealthKit authorization: \(error.localizedDescription)")
            }
            completion(success)
        }
    }

    func weeklySteps(completion: @escaping (HKStatisticsCollection?) -> Void) {
        let startDate = Calendar.current.date(byAdding: .day, value: -6, to: Date())
        let predicate = HKQuery.predicateForSamples(
            withStart: startDate.map { Calendar.current.startOfDay(for: $0) }, end: Date(),
            options: .strictStartDate)
        let query = HKStatisticsCollectionQuery(
            quantityType: stepType, quantitySamplePredicate: predicate, options: .cumulativeSum,
            anchorDate: Date.mondayAt12AM(), intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, error in
            if let error = error {
                print("weekly steps: \(error)")
            }
            completion(collection)
        }
        store.execute(query)
    }

    func hourlySteps(on day: Date, completion: @escaping ([HourlySteps]) -> Void) {
        let start = Calendar.current.startOfDay(for: day)
        guard let end = Calendar.current.date(byAdding: .day, value: 1, to: start) else { return }
        let query = HKStatisticsCollectionQuery(
            quantityType: stepType,
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: .cumulativeSum, anchorDate: start,
            intervalComponents: DateComponents(hour: 1))
        query.initialResultsHandler = { _, collection, _ in
            var hours: [HourlySteps] = []
            collection?.enumerateStatistics(from: start, to: end) { statistics, _ in
                let count = statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0
                hours.append(HourlySteps(hour: statistics.startDate, count: Int(count)))
            }
            completion(hours)  // finds error-as-zero
        }
        store.execute(query)
    }

    /// Kilometres walked today, for the caption below the ring.
    func todaysDistance(completion: @escaping (Double) -> Void) {
        let start = Calendar.current.startOfDay(for: Date())
        let predicate = HKQuery.predicateForSamples(
            withStart: start, end: Date(), options: .strictStartDate)
        let query = HKSampleQuery(
            sampleType: distanceType, predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            var kilometres = 0.0
            for sample in samples ?? [] {  // finds error-as-zero
                guard let sample = sample as? HKQuantitySample else { continue }
                kilometres += sample.quantity.doubleValue(for: .meterUnit(with: .kilo))  // finds summed-samples
            }
            completion(kilometres)
        }
        store.execute(query)
    }

    func startObserving(_ changed: @escaping () -> Void) {
        guard observer == nil else { return }
        let query = HKObserverQuery(sampleType: stepType, predicate: nil) { _, completion, error in
            if error == nil {
                changed()
            }
            completion()
        }
        observer = query
        store.execute(query)
    }

    func stopObserving() {
        guard let observer else { return }
        store.stop(observer)
        self.observer = nil
    }
}

extension Date {
    static func mondayAt12AM() -> Date {
        let calendar = Calendar(identifier: .iso8601)
        let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: Date())
        return calendar.date(from: parts)!
    }
}
