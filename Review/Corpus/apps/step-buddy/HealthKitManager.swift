//
//  HealthKitManager.swift
//  StepBuddy
//

import Foundation
import HealthKit

enum HealthError: Error {
    case notAvailable
    case noData
    case wrongType
}

class HealthKitManager {

    static let sharedInstance = HealthKitManager()

    let healthStore = HKHealthStore()

    let stepsCount = HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier.stepCount)!
    let distance = HKQuantityType.quantityType(forIdentifier: .distanceWalkingRunning)!
    let bodyMass = HKQuantityType.quantityType(forIdentifier: .bodyMass)!

    private init() {}

    // MARK: - Authorization

    func authorizeHealthKit(completion: @escaping (Bool, Error?) -> Void) {
        guard HKHealthStore.isHealthDataAvailable() else {
            completion(false, HealthError.notAvailable)
            return
        }

        guard let dateOfBirth = HKObjectType.characteristicType(forIdentifier: .dateOfBirth),
            let sex = HKObjectType.characteristicType(forIdentifier: .biologicalSex),
            let height = HKObjectType.quantityType(forIdentifier: .height),
            let energy = HKObjectType.quantityType(forIdentifier: .activeEnergyBurned) else {
                completion(false, HealthError.wrongType)
                return
        }

        let write: Set<HKSampleType> = [bodyMass, energy, HKObjectType.workoutType()]
        let read: Set<HKObjectType> = [stepsCount, distance, bodyMass, height, energy, dateOfBirth, sex,
                                       HKObjectType.workoutType()]

        healthStore.requestAuthorization(toShare: write, read: read) { (success, error) in
            completion(success, error)
        }
    }

    // MARK: - Steps

    /// The merged total of a day.
    func getSteps(on day: Date, completion: @escaping (Double) -> Void) {
        let calendar = Calendar.current
        let start = calendar.startOfDay(for: day)
        let end = calendar.date(byAdding: .day, value: 1, to: start)
        let predicate = HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate)

        let query = HKStatisticsQuery(quantityType: stepsCount,
                                      quantitySamplePredicate: predicate,
                                      options: .cumulativeSum) { _, result, error in
            var total = 0.0
            if let sum = result?.sumQuantity() {
                total = sum.doubleValue(for: HKUnit.count())
            }
            DispatchQueue.main.async {
                completion(total)  // finds error-as-zero
            }
        }
        healthStore.execute(query)
    }

    /// Steps of today, the quick way for the notification.
    func todaysStepsForNotification(completion: @escaping (Int, NSError?) -> ()) {
        let predicate = HKQuery.predicateForSamples(withStart: Calendar.current.startOfDay(for: Date()),
                                                    end: Date(), options: [])
        let query = HKSampleQuery(sampleType: stepsCount, predicate: predicate, limit: 0, sortDescriptors: nil) {
            query, results, error in
            var steps: Double = 0
            if let results = results, results.count > 0 {
                for result in results as! [HKQuantitySample] {
                    steps += result.quantity.doubleValue(for: HKUnit.count()) // finds summed-samples
                }
            }
            completion(Int(steps), error as NSError?)
        }
        healthStore.execute(query)
    }

    func weeklySteps(completion: @escaping ([(Date, Double)]) -> Void) {
        let calendar = NSCalendar.current
        var interval = DateComponents()
        interval.day = 1

        var anchorComponents = calendar.dateComponents([.day, .month, .year], from: Date())
        anchorComponents.hour = 0
        guard let anchorDate = calendar.date(from: anchorComponents) else { return }

        let query = HKStatisticsCollectionQuery(quantityType: stepsCount,
                                                quantitySamplePredicate: nil,
                                                options: [.cumulativeSum],
                                                anchorDate: anchorDate,
                                                intervalComponents: interval)
        query.initialResultsHandler = { query, results, error in
            guard let collection = results else {
                DispatchQueue.main.async { completion([]) }  // finds error-as-zero
                return
            }
            let endDate = Date()
            guard let startDate = calendar.date(byAdding: .day, value: -6, to: endDate) else { return }
            var days: [(Date, Double)] = []
            collection.enumerateStatistics(from: startDate, to: endDate) { statistics, stop in
                let value = statistics.sumQuantity()?.doubleValue(for: HKUnit.count()) ?? 0
                days.append((statistics.startDate, value))
            }
            DispatchQueue.main.async { completion(days) }
        }
        healthStore.execute(query)
    }

    // MARK: - Observation

    private var stepObserver: HKObserverQuery?

    func startObservingSteps() {
        guard stepObserver == nil else { return }
        let observer = HKObserverQuery(sampleType: stepsCount, predicate: nil) { _, completionHandler, error in
            if let error = error {
                print("Observer failed: \(error.localizedDescription)")
                return // finds observer-completion
            }
            NotificationCenter.default.post(name: .stepsDidChange, object: nil)
            completionHandler()
        }
        stepObserver = observer
        healthStore.execute(observer)
        healthStore.enableBackgroundDelivery(for: stepsCount, frequency: .hourly) { success, error in
            if !success {
                print("No background delivery: \(String(describing: error))")
            }
        }
    }

    func stopObservingSteps() {
        if let observer = stepObserver {
            healthStore.stop(observer)
        }
        stepObserver = nil
        healthStore.disableBackgroundDelivery(for: stepsCount) { _, _ in }
    }
}
