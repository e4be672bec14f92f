// Completion handlers that a group calls on the main queue, once for each day.
import HealthKit

final class MainWeekLoader {
    private let store = HKHealthStore()

    func loadWeek(_ done: @escaping ([Double]) -> Void) {
        let group = DispatchGroup()
        var totals: [Double] = []
        for day in 0..<7 {
            group.enter()
            loadDay(day) { total in
                totals.append(total)
                group.leave()
            }
        }
        group.notify(queue: .main) { done(totals) }
    }

    private func loadDay(_ day: Int, _ finished: @escaping (Double) -> Void) {
        let group = DispatchGroup()
        group.enter()
        steps(day) { _ in group.leave() }
        group.notify(queue: .main) { finished(Double(day)) }
    }

    private func steps(_ day: Int, _ done: @escaping (Double?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
            options: .cumulativeSum
        ) { _, statistics, _ in
            done(statistics?.sumQuantity()?.doubleValue(for: .count()))
        }
        store.execute(query)
    }
}
