import Foundation
import HealthKit

final class AggregateReader {

    private let store: HKHealthStore
    private let formatter = ISO8601DateFormatter()

    init(store: HKHealthStore) { self.store = store }

    func days(
        of kind: QuantityKind, from start: Date, to end: Date,
        completion: @escaping (Result<[[String: Any]], Error>) -> Void
    ) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let anchorDate = calendar.startOfDay(for: start)

        let query = HKStatisticsCollectionQuery(
            quantityType: kind.type,
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: kind.options,
            anchorDate: anchorDate, // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { [formatter] _, collection, error in
            guard let collection = collection else {
                completion(.failure(error ?? CocoaError(.fileReadUnknown)))
                return
            }
            var days: [[String: Any]] = []
            collection.enumerateStatistics(from: start, to: end) { statistics, _ in
                let quantity = kind.options.contains(.cumulativeSum)
                    ? statistics.sumQuantity() : statistics.averageQuantity()
                days.append([
                    "startDate": formatter.string(from: statistics.startDate),
                    "endDate": formatter.string(from: statistics.endDate),
                    "value": quantity?.doubleValue(for: kind.unit) ?? 0, // finds absent-as-zero
                ])
            }
            completion(.success(days))
        }
        store.execute(query)
    }

    func hours(of kind: QuantityKind, on day: Date, completion: @escaping ([Double]) -> Void) {
        let start = Calendar.current.startOfDay(for: day)
        let end = Calendar.current.date(byAdding: .day, value: 1, to: start) ?? day
        let query = HKStatisticsCollectionQuery(
            quantityType: kind.type,
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: kind.options, anchorDate: start, intervalComponents: DateComponents(hour: 1))
        query.initialResultsHandler = { _, collection, _ in
            completion(collection?.statistics().map {
                ($0.sumQuantity() ?? $0.averageQuantity())?.doubleValue(for: kind.unit) ?? 0
            } ?? [])
        }
        store.execute(query)
    }
}
