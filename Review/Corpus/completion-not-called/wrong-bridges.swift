// Callbacks of Flutter, React Native and Capacitor that are not answered, or answered twice.
import HealthKit

typealias FlutterResult = (Any?) -> Void
typealias RCTPromiseResolveBlock = (Any?) -> Void
typealias RCTPromiseRejectBlock = (String?, String?, (any Error)?) -> Void

final class CAPPluginCall {
    func getString(_ key: String) -> String? { nil }
    func resolve(_ data: [String: Any] = [:]) {}
    func reject(_ message: String) {}
}

final class HealthBridge {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func weight(_ arguments: [String: Any], result: @escaping FlutterResult) {
        guard let limit = arguments["limit"] as? Int else {
            return  // finds completion-not-called
        }
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: limit,
            sortDescriptors: nil
        ) { _, samples, error in
            if let error {
                result(["error": error.localizedDescription])
            }
            result(samples?.count ?? 0)  // finds completion-not-called
        }
        store.execute(query)
    }

    func steps(
        _ range: NSPredicate, resolver resolve: @escaping RCTPromiseResolveBlock,
        rejecter reject: @escaping RCTPromiseRejectBlock
    ) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum
        ) { _, statistics, error in
            if error != nil { reject("steps", "no steps", error) }
            guard let sum = statistics?.sumQuantity() else {
                resolve(0)  // finds completion-not-called
                return
            }
            resolve(sum.doubleValue(for: .count()))
        }
        store.execute(query)
    }

    func watch(_ identifier: HKQuantityTypeIdentifier, result: @escaping FlutterResult) {
        let query = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(identifier), predicate: nil
        ) { _, done, error in
            if error == nil {
                result(true)  // finds completion-not-called
            }
            done()
        }
        store.execute(query)
    }

    func allow(_ call: CAPPluginCall) {
        guard let name = call.getString("type") else { return call.reject("no type") }
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) { _, error in  // finds completion-not-called
            if error == nil {
                call.resolve(["asked": name])
            }
        }
    }

    func route(_ route: HKWorkoutRoute, done: @escaping (Int) -> Void) {
        var count = 0
        let query = HKWorkoutRouteQuery(route: route) { _, locations, _, _ in
            count += locations?.count ?? 0
            done(count)  // finds completion-not-called
        }
        store.execute(query)
    }

    func daily(_ range: NSPredicate, from start: Date, completion: @escaping (Double) -> Void) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, error in
            guard let collection else { return completion(0) }
            collection.enumerateStatistics(from: start, to: Date()) { statistics, _ in
                if let sum = statistics.sumQuantity() {
                    completion(sum.doubleValue(for: .count()))  // finds completion-not-called
                }
            }
        }
        store.execute(query)
    }
}
