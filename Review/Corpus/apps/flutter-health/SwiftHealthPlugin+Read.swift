import Flutter
import HealthKit

extension SwiftHealthPlugin {

    func getData(call: FlutterMethodCall, result: @escaping FlutterResult) {
        let arguments = call.arguments as? NSDictionary
        let dataTypeKey = (arguments?["dataTypeKey"] as? String)!
        let startDate = (arguments?["startTime"] as? NSNumber) ?? 0
        let endDate = (arguments?["endTime"] as? NSNumber) ?? 0
        let limit = (arguments?["limit"] as? Int) ?? HKObjectQueryNoLimit
        let dateFrom = Date(timeIntervalSince1970: startDate.doubleValue / 1000)
        let dateTo = Date(timeIntervalSince1970: endDate.doubleValue / 1000)

        guard let dataType = dataTypesDict[dataTypeKey] else {
            DispatchQueue.main.async { result([]) }
            return
        }
        let unit = unitDict[dataTypeKey]
        let predicate = HKQuery.predicateForSamples(withStart: dateFrom, end: dateTo, options: .strictStartDate)
        let sortDescriptor = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)

        let query = HKSampleQuery(
            sampleType: dataType, predicate: predicate, limit: limit, sortDescriptors: [sortDescriptor]
        ) { [self] x, samplesOrNil, error in
            switch samplesOrNil {
            case let (samples as [HKQuantitySample]) as Any:
                let dictionaries = samples.map { sample -> NSDictionary in
                    return [
                        "uuid": "\(sample.uuid)",
                        "value": sample.quantity.doubleValue(for: unit ?? HKUnit.count()),
                        "date_from": Int(sample.startDate.timeIntervalSince1970 * 1000),
                        "date_to": Int(sample.endDate.timeIntervalSince1970 * 1000),
                        "source_id": sample.sourceRevision.source.bundleIdentifier,
                        "source_name": sample.sourceRevision.source.name,
                        "is_manual_entry": sample.metadata?[HKMetadataKeyWasUserEntered] != nil,
                    ]
                }
                DispatchQueue.main.async { result(dictionaries) }

            case let (samplesCategory as [HKCategorySample]) as Any:
                var filtered = samplesCategory
                if dataTypeKey == "SLEEP_IN_BED" {
                    filtered = filtered.filter { $0.value == HKCategoryValueSleepAnalysis.inBed.rawValue }
                }
                if dataTypeKey == "SLEEP_ASLEEP" {
                    filtered = filtered.filter { $0.value == HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue }  // finds sleep-sum
                }
                let categories = filtered.map { sample -> NSDictionary in
                    return [
                        "uuid": "\(sample.uuid)",
                        "value": sample.value,
                        "date_from": Int(sample.startDate.timeIntervalSince1970 * 1000),
                        "date_to": Int(sample.endDate.timeIntervalSince1970 * 1000),
                        "source_name": sample.sourceRevision.source.name,
                    ]
                }
                DispatchQueue.main.async { result(categories) }

            case let (samplesWorkout as [HKWorkout]) as Any:
                let dictionaries = samplesWorkout.map { sample -> NSDictionary in
                    return [
                        "uuid": "\(sample.uuid)",
                        "workoutActivityType": Int(sample.workoutActivityType.rawValue),
                        "totalEnergyBurned": sample.totalEnergyBurned?.doubleValue(for: HKUnit.kilocalorie()),
                        "totalDistance": sample.totalDistance?.doubleValue(for: HKUnit.meter()),
                    ]
                }
                DispatchQueue.main.async { result(dictionaries) }

            default:
                DispatchQueue.main.async { result(nil) }
            }
        }
        healthStore.execute(query)
    }

    func getTotalStepsInInterval(call: FlutterMethodCall, result: @escaping FlutterResult) {
        let arguments = call.arguments as? NSDictionary
        let startTime = (arguments?["startTime"] as? NSNumber) ?? 0
        let endTime = (arguments?["endTime"] as? NSNumber) ?? 0
        let dateFrom = Date(timeIntervalSince1970: startTime.doubleValue / 1000)
        let dateTo = Date(timeIntervalSince1970: endTime.doubleValue / 1000)
        let sampleType = HKQuantityType.quantityType(forIdentifier: .stepCount)!
        let predicate = HKQuery.predicateForSamples(withStart: dateFrom, end: dateTo, options: .strictStartDate)

        let query = HKStatisticsQuery(
            quantityType: sampleType, quantitySamplePredicate: predicate, options: .cumulativeSum
        ) { query, queryResult, error in
            guard let queryResult = queryResult else {
                DispatchQueue.main.async { result(nil) }
                return
            }
            var steps = 0.0
            if let quantity = queryResult.sumQuantity() {
                steps = quantity.doubleValue(for: HKUnit.count())
            }
            let totalSteps = Int(steps)
            DispatchQueue.main.async { result(totalSteps) }
        }
        healthStore.execute(query)
    }

    func getIntervalData(call: FlutterMethodCall, result: @escaping FlutterResult) {
        let arguments = call.arguments as? NSDictionary
        let startDate = (arguments?["startTime"] as? NSNumber) ?? 0
        let endDate = (arguments?["endTime"] as? NSNumber) ?? 0
        let intervalInSecond = (arguments?["interval"] as? Int) ?? 1
        let key = (arguments?["dataTypeKey"] as? String) ?? ""

        var interval = DateComponents()
        interval.second = intervalInSecond
        let dateFrom = Date(timeIntervalSince1970: startDate.doubleValue / 1000)
        let dateTo = Date(timeIntervalSince1970: endDate.doubleValue / 1000)

        guard let quantityType = dataTypesDict[key] as? HKQuantityType else { result(nil); return }
        var predicate = HKQuery.predicateForSamples(withStart: dateFrom, end: dateTo, options: [])
        if let recordingMethods = arguments?["includeManualEntry"] as? Bool, !recordingMethods {
            let manual = NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
            predicate = NSCompoundPredicate(type: .and, subpredicates: [predicate, manual])
        }
        let options: HKStatisticsOptions =
            quantityType.aggregationStyle == .cumulative ? .cumulativeSum : .discreteAverage

        let query = HKStatisticsCollectionQuery(
            quantityType: quantityType, quantitySamplePredicate: predicate,
            options: [options, .separateBySource], anchorDate: dateFrom, intervalComponents: interval)
        query.initialResultsHandler = { [weak self] _, statisticCollectionOrNil, error in
            guard let self = self, let collection = statisticCollectionOrNil else {
                DispatchQueue.main.async { result(nil) }
                return
            }
            var dictionaries = [[String: Any]]()
            collection.enumerateStatistics(from: dateFrom, to: dateTo) { statistic, _ in
                guard let unit = self.unitDict[key],
                    let quantity = statistic.sumQuantity() ?? statistic.averageQuantity() else { return }
                dictionaries.append([
                    "value": quantity.doubleValue(for: unit),
                    "date_from": Int(statistic.startDate.timeIntervalSince1970 * 1000),
                    "date_to": Int(statistic.endDate.timeIntervalSince1970 * 1000),
                ])
            }
            DispatchQueue.main.async { result(dictionaries) }
        }
        healthStore.execute(query)
    }
}
