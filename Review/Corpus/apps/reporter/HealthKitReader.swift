import Foundation
import HealthKit

public class HealthKitReader {

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    public func quantityQuery(
        type: HKQuantityType, unit: HKUnit, predicate: NSPredicate? = nil,
        sortDescriptors: [NSSortDescriptor] = [
            NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        ],
        limit: Int = HKObjectQueryNoLimit,
        resultsHandler: @escaping ([Quantity], Error?) -> Void
    ) -> HKSampleQuery {
        return HKSampleQuery(
            sampleType: type, predicate: predicate, limit: limit, sortDescriptors: sortDescriptors
        ) { _, data, error in
            guard error == nil, let result = data as? [HKQuantitySample] else {
                resultsHandler([], error)
                return
            }
            resultsHandler(result.compactMap { try? Quantity(sample: $0, unit: unit) }, nil)
        }
    }

    public func statisticsQuery(
        type: HKQuantityType, unit: HKUnit, predicate: NSPredicate?,
        completionHandler: @escaping (Statistic?, Error?) -> Void
    ) -> HKStatisticsQuery {
        return HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: type.statisticsOptions
        ) { _, data, error in
            guard let data = data else {
                completionHandler(nil, error)
                return
            }
            completionHandler(Statistic(data, unit: unit), nil)
        }
    }

    public func statisticsCollectionQuery(
        type: HKQuantityType, unit: HKUnit, anchorDate: Date, enumerateFrom: Date, enumerateTo: Date,
        intervalComponents: DateComponents, monthlyHandler: @escaping (Statistic?, Error?) -> Void
    ) -> HKStatisticsCollectionQuery {
        let query = HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: nil, options: type.statisticsOptions,
            anchorDate: anchorDate, intervalComponents: intervalComponents)
        query.initialResultsHandler = { _, data, error in
            guard let data = data else {
                monthlyHandler(nil, error)
                return
            }
            data.enumerateStatistics(from: enumerateFrom, to: enumerateTo) { data, _ in
                monthlyHandler(Statistic(data, unit: unit), nil)
            }
        }
        return query
    }

    public func anchoredQuery(
        type: HKSampleType, predicate: NSPredicate? = nil, anchor: HKQueryAnchor?, limit: Int,
        completionHandler: @escaping ([HKSample], [UUID], HKQueryAnchor?, Error?) -> Void
    ) -> HKAnchoredObjectQuery {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: predicate, anchor: anchor, limit: limit
        ) { _, data, deletedObjects, anchor, error in
            completionHandler(data ?? [], (deletedObjects ?? []).map { $0.uuid }, anchor, error)
        }
        query.updateHandler = { _, data, deletedObjects, anchor, error in
            completionHandler(data ?? [], (deletedObjects ?? []).map { $0.uuid }, anchor, error)
        }
        return query
    }

    public func heartbeats(
        of series: HKHeartbeatSeriesSample, completion: @escaping ([TimeInterval], Error?) -> Void
    ) -> HKQuery {
        var beats: [TimeInterval] = []
        return HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, gap, done, error in
            if let error = error {
                completion([], error)
                return
            }
            if !gap { beats.append(time) }
            if done { completion(beats, nil) }
        }
    }

    public func run(_ query: HKQuery) { healthStore.execute(query) }
    public func stop(_ query: HKQuery) { healthStore.stop(query) }
}

extension HKQuantityType {
    var statisticsOptions: HKStatisticsOptions {
        switch aggregationStyle {
        case .cumulative: return .cumulativeSum
        default: return [.discreteAverage, .discreteMin, .discreteMax]
        }
    }
}
