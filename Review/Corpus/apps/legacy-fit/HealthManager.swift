// A fitness app of the first years of Swift: singletons, notifications, old closures.
import Foundation
import HealthKit

let HealthDidUpdateNotification = Notification.Name("HealthDidUpdateNotification")

@objc class HealthManager: NSObject {
    @objc static let sharedInstance = HealthManager()
    let healthStore: HKHealthStore? = {
        if HKHealthStore.isHealthDataAvailable() {
            return HKHealthStore()
        } else {
            return nil
        }
    }()
    let stepsCount = HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier.stepCount)
    let stepsUnit = HKUnit.count()
    let sleepType = HKObjectType.categoryType(
        forIdentifier: HKCategoryTypeIdentifier.sleepAnalysis)

    private override init() {
        super.init()
    }

    func authorizeHealthKit(completion: ((_ success: Bool, _ error: NSError?) -> Void)!) {
        guard let stepsCount = stepsCount, let sleepType = sleepType else {
            completion(false, nil)
            return
        }
        let readTypes = NSSet(objects: stepsCount, sleepType) as! Set<HKObjectType>
        healthStore?.requestAuthorization(toShare: nil, read: readTypes) {
            (success, error) -> Void in
            if success {
                print("[HealthManager] request shown")
            } else {
                print("[HealthManager] request failed: \(String(describing: error))")
            }
            completion(success, error as NSError?)
        }
    }

    func querySteps(
        startDate: Date, endDate: Date,
        handler: @escaping (_ steps: Double, _ error: Error?) -> Void
    ) {
        let predicate = HKQuery.predicateForSamples(
            withStart: startDate, end: endDate, options: HKQueryOptions.strictStartDate)
        let query = HKStatisticsQuery(
            quantityType: stepsCount!, quantitySamplePredicate: predicate,
            options: HKStatisticsOptions.cumulativeSum
        ) { (query: HKStatisticsQuery, result: HKStatistics?, error: Error?) -> Void in
            guard let sum = result?.sumQuantity() else {
                handler(0, error)
                return
            }
            handler(sum.doubleValue(for: self.stepsUnit), nil)
        }
        healthStore?.execute(query)
    }

    func observeSteps() {
        let query = HKObserverQuery(sampleType: stepsCount!, predicate: nil) {
            (query, completionHandler, error) in
            if error != nil {
                completionHandler()
                return
            }
            NotificationCenter.default.post(name: HealthDidUpdateNotification, object: self)
            completionHandler()
        }
        healthStore?.execute(query)
        healthStore?.enableBackgroundDelivery(
            for: stepsCount!, frequency: .hourly,
            withCompletion: { (succeeded: Bool, error: Error?) in
                if succeeded {
                    print("Enabled background delivery of step changes")
                } else if let theError = error {
                    print("Failed: \(theError.localizedDescription)")
                }
            })
    }

    func querySleep(
        limit: Int = 30, handler: @escaping (_ samples: [HKCategorySample]) -> Void
    ) {
        let sortDescriptor = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: sleepType!, predicate: nil, limit: limit,
            sortDescriptors: [sortDescriptor],
            resultsHandler: { (query, results, error) in
                var samples = [HKCategorySample]()
                if let results = results {
                    for item in results {
                        if let sample = item as? HKCategorySample {
                            samples.append(sample)
                        }
                    }
                }
                handler(samples)
            })
        healthStore?.execute(query)
    }
}
