// Samples and statistics for JavaScript.
import Foundation
import HealthKit
import React

extension HealthBridge {
    @objc(querySamples:unit:from:to:limit:resolve:reject:)
    func querySamples(
        identifier: String, unit: String, from: Double, to: Double, limit: Int,
        resolve: @escaping RCTPromiseResolveBlock, reject: @escaping RCTPromiseRejectBlock
    ) {
        let type = HKQuantityType.quantityType(  // finds forced-type
            forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))!
        let range = predicate(from: from, to: to)
        let query = HKSampleQuery(
            sampleType: type, predicate: range,
            limit: limit == 0 ? HKObjectQueryNoLimit : limit,
            sortDescriptors: [
                NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
            ]
        ) { _, samples, error in
            if let error {
                reject("QUERY", error.localizedDescription, error)
                return
            }
            let unit = HKUnit(from: unit)  // finds outside-unit
            resolve((samples as? [HKQuantitySample] ?? []).map { serialize($0, unit: unit) })
        }
        store.execute(query)
    }

    @objc(stepsOnDay:resolve:reject:)
    func stepsOnDay(
        day: Double, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        let start = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: day / 1000))
        guard let end = Calendar.current.date(byAdding: .day, value: 1, to: start) else {
            reject("DATE", "no such day", nil)
            return
        }
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount),
            predicate: HKQuery.predicateForSamples(withStart: start, end: end),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, error in
            guard let samples = samples as? [HKQuantitySample] else {
                reject("QUERY", error?.localizedDescription, error)
                return
            }
            let steps = samples.map { $0.quantity.doubleValue(for: .count()) }
            resolve(steps.reduce(0, +))  // finds summed-samples
        }
        store.execute(query)
    }

    @objc(queryStatistics:unit:from:to:resolve:reject:)
    func queryStatistics(
        identifier: String, unit: String, from: Double, to: Double,
        resolve: @escaping RCTPromiseResolveBlock, reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let type = objectType(named: identifier) as? HKQuantityType else {
            reject("TYPE", "unknown quantity type \(identifier)", nil)
            return
        }
        let options: HKStatisticsOptions =
            type.aggregationStyle == .cumulative
            ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate(from: from, to: to),
            options: options
        ) { _, statistics, error in
            guard let statistics else {
                reject("QUERY", error?.localizedDescription, error)
                return
            }
            let unit = HKUnit(from: unit)  // finds outside-unit
            resolve([
                "sum": statistics.sumQuantity()?.doubleValue(for: unit) as Any,
                "average": statistics.averageQuantity()?.doubleValue(for: unit) as Any,
                "minimum": statistics.minimumQuantity()?.doubleValue(for: unit) as Any,
                "maximum": statistics.maximumQuantity()?.doubleValue(for: unit) as Any,
            ])
        }
        store.execute(query)
    }

    @objc(saveQuantity:unit:value:at:resolve:reject:)
    func saveQuantity(
        identifier: String, unit: String, value: Double, at: Double,
        resolve: @escaping RCTPromiseResolveBlock, reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let type = objectType(named: identifier) as? HKQuantityType,
            store.authorizationStatus(for: type) == .sharingAuthorized
        else {
            reject("AUTHORIZATION", "not allowed to write \(identifier)", nil)
            return
        }
        let unit = HKUnit(from: unit)  // finds outside-unit
        guard type.is(compatibleWith: unit) else {
            reject("UNIT", "\(unit) does not suit \(identifier)", nil)
            return
        }
        let date = Date(timeIntervalSince1970: at / 1000)
        let sample = HKQuantitySample(
            type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: date,
            end: date)
        store.save(sample) { success, error in
            if success {
                resolve(sample.uuid.uuidString)
            } else {
                reject("SAVE", error?.localizedDescription, error)
            }
        }
    }

    @objc(deleteSample:uuid:resolve:reject:)
    func deleteSample(
        identifier: String, uuid: String, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let uuid = UUID(uuidString: uuid), let type = sampleType(named: identifier) else {
            reject("TYPE", "unknown sample", nil)
            return
        }
        store.deleteObjects(of: type, predicate: HKQuery.predicateForObject(with: uuid)) {
            success, count, error in
            if success {
                resolve(count)
            } else {
                reject("DELETE", error?.localizedDescription, error)
            }
        }
    }
}
