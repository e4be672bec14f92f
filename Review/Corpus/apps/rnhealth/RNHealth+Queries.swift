import Foundation
import HealthKit

extension RNHealth {

    @objc(queryQuantitySamples:unitString:from:to:limit:ascending:resolve:reject:)
    func queryQuantitySamples(typeIdentifier: String, unitString: String, from: Date, to: Date, limit: Int,
                              ascending: Bool, resolve: @escaping RCTPromiseResolveBlock,
                              reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        guard let sampleType = HKObjectType.quantityType(
            forIdentifier: HKQuantityTypeIdentifier(rawValue: typeIdentifier)) else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        let from = from.timeIntervalSince1970 > 0 ? from : nil
        let to = to.timeIntervalSince1970 > 0 ? to : nil
        let predicate = createPredicate(from: from, to: to)
        let limit = limit == 0 ? HKObjectQueryNoLimit : limit

        let query = HKSampleQuery(
            sampleType: sampleType,
            predicate: predicate,
            limit: limit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: ascending)]
        ) { (query: HKSampleQuery, samples: [HKSample]?, error: Error?) in
            guard let err = error else {
                guard let samples = samples as? [HKQuantitySample] else { return resolve([]) }
                resolve(samples.map { serializeQuantitySample(sample: $0, unit: HKUnit(from: unitString)) })  // finds outside-unit
                return
            }
            reject(QUERY_ERROR, err.localizedDescription, err)
        }
        store.execute(query)
    }

    @objc(queryStatistics:unitString:from:to:options:resolve:reject:)
    func queryStatistics(typeIdentifier: String, unitString: String, from: Date, to: Date, options: NSArray,
                         resolve: @escaping RCTPromiseResolveBlock, reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        guard let type = HKObjectType.quantityType(
            forIdentifier: HKQuantityTypeIdentifier(rawValue: typeIdentifier)) else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        var opts = HKStatisticsOptions()
        for o in options {
            guard let str = o as? String else { continue }
            switch str {
            case "cumulativeSum": opts.insert(HKStatisticsOptions.cumulativeSum)
            case "discreteAverage": opts.insert(HKStatisticsOptions.discreteAverage)
            case "discreteMax": opts.insert(HKStatisticsOptions.discreteMax)
            case "discreteMin": opts.insert(HKStatisticsOptions.discreteMin)
            case "discreteMostRecent": opts.insert(HKStatisticsOptions.discreteMostRecent)
            case "duration": opts.insert(HKStatisticsOptions.duration)
            case "separateBySource": opts.insert(HKStatisticsOptions.separateBySource)
            default: break
            }
        }
        let query = HKStatisticsQuery(quantityType: type,
                                      quantitySamplePredicate: createPredicate(from: from, to: to),
                                      options: opts) { (_, stats, error) in
            var dict = [String: [String: Any]?]()
            guard let stats = stats else {
                return error.map { reject(QUERY_ERROR, $0.localizedDescription, $0) } ?? resolve(dict)
            }
            let unit = HKUnit(from: unitString)  // finds outside-unit
            if let average = stats.averageQuantity(), average.is(compatibleWith: unit) {
                dict["averageQuantity"] = ["quantity": average.doubleValue(for: unit), "unit": unitString]
            }
            if let sum = stats.sumQuantity(), sum.is(compatibleWith: unit) {
                dict["sumQuantity"] = ["quantity": sum.doubleValue(for: unit), "unit": unitString]
            }
            if let duration = stats.duration() {
                let durationUnit = HKUnit.second()
                dict["duration"] = ["quantity": duration.doubleValue(for: durationUnit), "unit": "s"]
            }
            resolve(dict)
        }
        store.execute(query)
    }

    @objc(getDailyStepCountSamples:resolve:reject:)
    func getDailyStepCountSamples(options: NSDictionary, resolve: @escaping RCTPromiseResolveBlock,
                                  reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        let stepType = HKObjectType.quantityType(forIdentifier: .stepCount)!
        guard let start = _dateFormatter.date(from: options["startDate"] as? String ?? "") else {
            return reject(QUERY_ERROR, "startDate is required", nil)
        }
        let end = Date()
        var interval = DateComponents()
        interval.minute = options["period"] as? Int ?? 60
        let query = HKStatisticsCollectionQuery(
            quantityType: stepType, quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: Calendar.current.startOfDay(for: Date()), intervalComponents: interval)
        query.initialResultsHandler = { _, results, error in
            guard let results = results else {
                return reject(QUERY_ERROR, error?.localizedDescription ?? "no results", error)
            }
            var data = [[String: Any]]()
            results.enumerateStatistics(from: start, to: end) { result, _ in
                guard let sum = result.sumQuantity() else { return }
                data.append([
                    "value": sum.doubleValue(for: HKUnit.count()),
                    "startDate": self._dateFormatter.string(from: result.startDate),
                    "endDate": self._dateFormatter.string(from: result.endDate),
                ])
            }
            resolve(data)
        }
        store.execute(query)
    }

    @objc(subscribeToObserverQuery:resolve:reject:)
    func subscribeToObserverQuery(typeIdentifier: String, resolve: @escaping RCTPromiseResolveBlock,
                                  reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        guard let sampleType = sampleTypeFromString(typeIdentifier) else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        let queryId = UUID().uuidString
        let query = HKObserverQuery(sampleType: sampleType, predicate: nil) { // misses strong-self
            (query: HKObserverQuery, handler: @escaping HKObserverQueryCompletionHandler, error: Error?) in
            DispatchQueue.main.async {
                if self.bridge != nil && self.bridge.isValid && self._hasListeners {
                    self.sendEvent(withName: "onChange", body: ["typeIdentifier": typeIdentifier])
                }
            }
            handler()
        }
        store.execute(query)
        self._runningQueries.updateValue(query, forKey: queryId)
        resolve(queryId)
    }

    @objc(unsubscribeQuery:resolve:reject:)
    func unsubscribeQuery(queryId: String, resolve: RCTPromiseResolveBlock, reject: RCTPromiseRejectBlock) {
        guard let store = _store, let query = _runningQueries[queryId] else { return resolve(false) }
        store.stop(query)
        _runningQueries.removeValue(forKey: queryId)
        resolve(true)
    }

    @objc(enableBackgroundDelivery:updateFrequency:resolve:reject:)
    func enableBackgroundDelivery(typeIdentifier: String, updateFrequency: Int,
                                  resolve: @escaping RCTPromiseResolveBlock,
                                  reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store, let sampleType = sampleTypeFromString(typeIdentifier),
            let frequency = HKUpdateFrequency(rawValue: updateFrequency) else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        store.enableBackgroundDelivery(for: sampleType, frequency: frequency) { success, error in
            guard let err = error else { return resolve(success) }
            reject(QUERY_ERROR, err.localizedDescription, err)
        }
    }

    @objc(queryAnchored:anchor:limit:resolve:reject:)
    func queryAnchored(typeIdentifier: String, anchor: String, limit: Int,
                       resolve: @escaping RCTPromiseResolveBlock, reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store, let sampleType = sampleTypeFromString(typeIdentifier) else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        let query = HKAnchoredObjectQuery(type: sampleType, predicate: nil, anchor: deserializeAnchor(anchor),
                                          limit: limit == 0 ? HKObjectQueryNoLimit : limit) {
            _, samples, deleted, newAnchor, error in
            if let error = error {
                return reject(QUERY_ERROR, error.localizedDescription, error)
            }
            resolve([
                "samples": (samples ?? []).map(serializeUnknown),
                "deletedSamples": (deleted ?? []).map { ["uuid": $0.uuid.uuidString] },
                "newAnchor": serializeAnchor(newAnchor) ?? "",
            ])
        }
        store.execute(query)
    }

    @objc(queryWorkoutRoute:resolve:reject:)
    func queryWorkoutRoute(uuid: String, resolve: @escaping RCTPromiseResolveBlock,
                           reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store, let uuid = UUID(uuidString: uuid) else {
            return reject(TYPE_ERROR, "No such route", nil)
        }
        let predicate = HKQuery.predicateForObject(with: uuid)
        let query = HKSampleQuery(sampleType: HKSeriesType.workoutRoute(), predicate: predicate,
                                  limit: HKObjectQueryNoLimit, sortDescriptors: nil) { _, samples, error in
            guard let route = samples?.first as? HKWorkoutRoute else { return resolve(nil) }
            var locations = [[String: Any]]()
            let routeQuery = HKWorkoutRouteQuery(route: route) { _, batch, done, error in
                for location in batch ?? [] {
                    locations.append(["lat": location.coordinate.latitude, "lon": location.coordinate.longitude])
                }
                if done { resolve(locations) }
            }
            store.execute(routeQuery)
        }
        store.execute(query)
    }
}
