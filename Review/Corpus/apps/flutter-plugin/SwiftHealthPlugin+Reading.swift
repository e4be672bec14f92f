// Samples, totals and buckets.
import Flutter
import HealthKit

extension SwiftHealthPlugin {
    func interval(_ arguments: [String: Any]) -> (start: Date, end: Date) {
        let start = (arguments["startTime"] as? NSNumber)?.doubleValue ?? 0
        let end = (arguments["endTime"] as? NSNumber)?.doubleValue ?? 0
        return (
            Date(timeIntervalSince1970: start / 1000), Date(timeIntervalSince1970: end / 1000)
        )
    }

    func getData(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let name = arguments["type"] as? String, let type = dataTypes[name]
        else {
            result(FlutterError(code: "ARGUMENTS", message: "type", details: nil))
            return
        }
        let limit = arguments["limit"] as? Int ?? HKObjectQueryNoLimit
        let (start, end) = interval(arguments)
        let predicate = HKQuery.predicateForSamples(
            withStart: start, end: end, options: .strictStartDate)
        let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: type, predicate: predicate, limit: limit, sortDescriptors: [newest]
        ) { [weak self] _, samplesOrNil, error in
            guard let self else { return }  // finds completion-not-called
            switch samplesOrNil {
            case let (samples as [HKQuantitySample]) as Any:
                let unit = self.units[name] ?? .count()
                let dictionaries = samples.map { sample -> NSDictionary in
                    [
                        "uuid": "\(sample.uuid)",
                        "value": sample.quantity.doubleValue(for: unit),
                        "date_from": Int(sample.startDate.timeIntervalSince1970 * 1000),
                        "date_to": Int(sample.endDate.timeIntervalSince1970 * 1000),
                        "source_id": sample.sourceRevision.source.bundleIdentifier,
                        "source_name": sample.sourceRevision.source.name,
                        "is_manual_entry": sample.metadata?[HKMetadataKeyWasUserEntered] as Any,
                    ]
                }
                DispatchQueue.main.async { result(dictionaries) }
            case let (samples as [HKCategorySample]) as Any:
                let dictionaries = samples.map { sample -> NSDictionary in
                    [
                        "uuid": "\(sample.uuid)",
                        "value": sample.value,
                        "date_from": Int(sample.startDate.timeIntervalSince1970 * 1000),
                        "date_to": Int(sample.endDate.timeIntervalSince1970 * 1000),
                    ]
                }
                DispatchQueue.main.async { result(dictionaries) }
            default:
                DispatchQueue.main.async {
                    result(
                        FlutterError(
                            code: "QUERY", message: error?.localizedDescription, details: nil))
                }
            }
        }
        healthStore.execute(query)
    }

    func getTotalSteps(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        let arguments = call.arguments as? [String: Any] ?? [:]
        let (start, end) = interval(arguments)
        var predicate = HKQuery.predicateForSamples(
            withStart: start, end: end, options: .strictStartDate)
        if arguments["includeManualEntry"] as? Bool == false {
            let automatic = NSPredicate(
                format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
            predicate = NSCompoundPredicate(
                type: .and, subpredicates: [predicate, automatic])
        }
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: predicate,
            options: .cumulativeSum
        ) { _, statistics, error in
            let steps = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds error-as-zero
            DispatchQueue.main.async { result(Int(steps)) }
        }
        healthStore.execute(query)
    }

    func getIntervalData(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let name = arguments["type"] as? String,
            let type = dataTypes[name] as? HKQuantityType, let unit = units[name]
        else {
            result(FlutterError(code: "ARGUMENTS", message: "type", details: nil))
            return
        }
        let (start, end) = interval(arguments)
        var components = DateComponents()
        components.second = arguments["interval"] as? Int ?? 3600
        let query = HKStatisticsCollectionQuery(
            quantityType: type,
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: type.aggregationStyle == .cumulative ? [.cumulativeSum] : [.discreteAverage],
            anchorDate: start, intervalComponents: components)
        query.initialResultsHandler = { _, collection, error in
            guard let collection else {
                DispatchQueue.main.async { result([]) }
                return
            }
            var dictionaries: [[String: Any]] = []
            collection.enumerateStatistics(from: start, to: end) { statistics, _ in
                let quantity = statistics.sumQuantity() ?? statistics.averageQuantity()
                guard let value = quantity?.doubleValue(for: unit) else { return }
                dictionaries.append([
                    "value": value,
                    "date_from": Int(statistics.startDate.timeIntervalSince1970 * 1000),
                    "date_to": Int(statistics.endDate.timeIntervalSince1970 * 1000),
                ])
            }
            DispatchQueue.main.async { result(dictionaries) }
        }
        healthStore.execute(query)
    }
}
