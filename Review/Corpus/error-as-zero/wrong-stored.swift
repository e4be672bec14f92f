// The day's total is kept for a widget and for a server, whatever became of the query.
import Foundation
import HealthKit

final class DayTotals {
    private let store: HKHealthStore
    private let defaults = UserDefaults(suiteName: "group.org.example.totals")
    private let steps = HKQuantityType(.stepCount)

    init(store: HKHealthStore) { self.store = store }

    private var today: NSPredicate {
        HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: .now), end: nil, options: .strictStartDate)
    }

    /// The handler never looks at the error.
    func refresh() {
        let query = HKStatisticsQuery(
            quantityType: steps, quantitySamplePredicate: today, options: .cumulativeSum
        ) { [weak self] _, result, _ in
            let total = result?.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds error-as-zero
            self?.defaults?.set(total, forKey: "stepsToday")
        }
        store.execute(query)
    }

    /// The error and the missing sum end in the same 0, and the caller stores it.
    func steps(_ completion: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: steps, quantitySamplePredicate: today, options: .cumulativeSum
        ) { _, result, error in
            guard error == nil, let sum = result?.sumQuantity() else {
                completion(0)  // finds error-as-zero
                return
            }
            completion(sum.doubleValue(for: .count()))
        }
        store.execute(query)
    }

    func remember() {
        steps { [weak self] total in
            self?.defaults?.set(Int(total), forKey: "steps")
        }
    }

    /// A continuation that knows no failure.
    func distance() async -> Double {
        await withCheckedContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: HKQuantityType(.distanceWalkingRunning),
                quantitySamplePredicate: today, options: .cumulativeSum
            ) { _, statistics, error in
                if let error {
                    print("distance: \(error)")
                    continuation.resume(returning: 0)  // finds error-as-zero
                    return
                }
                let sum = statistics?.sumQuantity()?.doubleValue(for: .meter())
                continuation.resume(returning: sum ?? 0)
            }
            store.execute(query)
        }
    }

    func upload(to server: URL) async throws {
        struct Day: Codable {
            var date: Date
            var meters: Double
        }
        let meters = await distance()
        let day = Day(date: .now, meters: meters)
        var request = URLRequest(url: server)
        request.httpBody = try JSONEncoder().encode(day)
        _ = try await URLSession.shared.data(for: request)  // finds unchecked-upload
    }
}
