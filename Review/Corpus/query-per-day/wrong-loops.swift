// A week or a month of steps, one query for each day.
import HealthKit

@MainActor
final class WeekModel {
    let store: HKHealthStore
    var values: [Int] = []
    var steps: [Date: Double] = [:]

    init(store: HKHealthStore) { self.store = store }

    private func steps(on day: Date) async throws -> Double {
        let end = Calendar.current.date(byAdding: .day, value: 1, to: day)
        let range = HKQuery.predicateForSamples(withStart: day, end: end)
        let result = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
            options: .cumulativeSum
        ).result(for: store)
        return result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }

    func week() async throws {
        let today = Calendar.current.startOfDay(for: .now)
        for offset in (0..<7).reversed() {
            guard let day = Calendar.current.date(byAdding: .day, value: -offset, to: today) else {
                continue
            }
            steps[day] = try await steps(on: day)  // finds query-per-day
        }
    }

    func month(_ days: Int) async throws -> [Double] {
        let today = Calendar.current.startOfDay(for: .now)
        return try await withThrowingTaskGroup(of: (Int, Double).self) { group in
            for offset in 0..<days {
                let day = today.addingTimeInterval(-86_400 * Double(offset))
                group.addTask { (offset, try await self.steps(on: day)) }  // finds query-per-day
            }
            var all = [Double](repeating: 0, count: days)
            for try await (offset, value) in group { all[offset] = value }
            return all
        }
    }

    func until(_ end: Date, from start: Date) async throws -> [(Date, Double)] {
        var rows: [(Date, Double)] = []
        var day = start
        while day < end {
            rows.append((day, try await steps(on: day)))  // finds query-per-day
            day = Calendar.current.date(byAdding: .day, value: 1, to: day) ?? end
        }
        return rows
    }

    func listed(_ days: [Date]) async throws -> Double {
        var total = 0.0
        for day in days {
            total += try await steps(on: day)  // finds query-per-day
        }
        return total
    }
}

final class OldWeek {
    let store: HKHealthStore
    var values: [Double] = []
    var rows: [(day: Date, value: Double)] = []

    init(store: HKHealthStore) { self.store = store }

    func unordered(completion: @escaping () -> Void) {
        let calendar = Calendar.current
        let group = DispatchGroup()
        for offset in 0...6 {
            guard let day = calendar.date(byAdding: .day, value: -offset, to: Date()) else { return }
            let start = calendar.startOfDay(for: day)
            let range = HKQuery.predicateForSamples(
                withStart: start, end: calendar.date(byAdding: .day, value: 1, to: start))
            group.enter()
            let query = HKStatisticsQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
                options: .cumulativeSum
            ) { [weak self] _, statistics, _ in
                DispatchQueue.main.async {
                    let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
                    self?.values.append(sum)  // finds query-per-day
                    group.leave()
                }
            }
            store.execute(query)
        }
        group.notify(queue: .main, execute: completion)
    }

    private func energy(from start: Date, to end: Date, completion: @escaping (Double) -> Void) {
        let range = HKQuery.predicateForSamples(withStart: start, end: end)
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.activeEnergyBurned), quantitySamplePredicate: range,
            options: .cumulativeSum
        ) { _, statistics, _ in
            completion(statistics?.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0)
        }
        store.execute(query)
    }

    func hours() {
        let midnight = Calendar.current.startOfDay(for: Date())
        (0..<24).forEach { hour in
            let start = midnight.addingTimeInterval(Double(hour) * 3600)
            energy(from: start, to: start.addingTimeInterval(3600)) { value in  // finds query-per-day
                DispatchQueue.main.async { self.rows.append((start, value)) }
            }
        }
    }
}
