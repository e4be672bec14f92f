import Foundation
import HealthKit

extension HealthBridge {
    func queryAggregated(
        _ raw: String, start: Date, end: Date, bucket: String, aggregation: String,
        completion: @escaping (Result<[[String: Any]], Error>) -> Void
    ) throws {
        guard let metric = HealthMetric(rawValue: raw), let id = metric.quantityIdentifier,
            let type = HKObjectType.quantityType(forIdentifier: id)
        else { throw BridgeError.dataTypeUnavailable(raw) }
        var interval = DateComponents()
        switch bucket {
        case "hour": interval.hour = 1
        case "week": interval.day = 7
        case "month": interval.month = 1
        default: interval.day = 1
        }
        let options: HKStatisticsOptions
        switch aggregation {
        case "average": options = .discreteAverage
        case "min": options = .discreteMin
        case "max": options = .discreteMax
        default: options = .cumulativeSum
        }
        let query = HKStatisticsCollectionQuery(
            quantityType: type,
            quantitySamplePredicate: HKQuery.predicateForSamples(
                withStart: start, end: end, options: .strictStartDate), options: options,
            anchorDate: Calendar.current.startOfDay(for: start), intervalComponents: interval)
        query.initialResultsHandler = { _, collection, error in
            if let error { completion(.failure(error)); return }
            guard let collection else { completion(.success([])); return }
            var out: [[String: Any]] = []
            collection.enumerateStatistics(from: start, to: end) { statistics, _ in
                let q: HKQuantity?
                switch options {
                case .discreteAverage: q = statistics.averageQuantity()
                case .discreteMin: q = statistics.minimumQuantity()
                case .discreteMax: q = statistics.maximumQuantity()
                case .cumulativeSum: q = statistics.sumQuantity()
                default: q = nil
                }
                guard let value = q?.doubleValue(for: metric.defaultUnit) else { return }
                out.append([
                    "startDate": self.isoFormatter.string(from: statistics.startDate),
                    "value": value, "unit": metric.defaultUnit.unitString,
                ])
            }
            completion(.success(out))
        }
        healthStore.execute(query)
    }
}
