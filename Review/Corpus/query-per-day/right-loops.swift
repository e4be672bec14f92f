// Loops over types, two or three days to compare, one collection, and days without a query.
import HealthKit

struct Figures {
    let store: HKHealthStore

    private func sum(_ type: HKQuantityType, unit: HKUnit, from start: Date, to end: Date) async throws
        -> Double
    {
        let range = HKQuery.predicateForSamples(withStart: start, end: end)
        let result = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: range), options: .cumulativeSum
        ).result(for: store)
        return result?.sumQuantity()?.doubleValue(for: unit) ?? 0
    }

    func today() async throws -> [Double] {
        let start = Calendar.current.startOfDay(for: .now)
        var values: [Double] = []
        for type in [HKQuantityType(.stepCount), HKQuantityType(.flightsClimbed)] {
            values.append(try await sum(type, unit: .count(), from: start, to: .now))
        }
        return values
    }

    func compared() async throws -> [Double] {
        let calendar = Calendar.current
        let today = calendar.startOfDay(for: .now)
        var values: [Double] = []
        for offset in 0..<2 {
            guard let day = calendar.date(byAdding: .day, value: -offset, to: today),
                let next = calendar.date(byAdding: .day, value: 1, to: day)
            else { continue }
            values.append(
                try await sum(HKQuantityType(.stepCount), unit: .count(), from: day, to: next))
        }
        return values
    }

    func week() async throws -> [Date: Double] {
        let calendar = Calendar.current
        let end = calendar.startOfDay(for: .now)
        guard let start = calendar.date(byAdding: .day, value: -7, to: end) else { return [:] }
        let range = HKQuery.predicateForSamples(withStart: start, end: end)
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
            options: .cumulativeSum, anchorDate: start, intervalComponents: DateComponents(day: 1)
        ).result(for: store)
        var days: [Date: Double] = [:]
        for offset in 0..<7 {
            guard let day = calendar.date(byAdding: .day, value: offset, to: start) else { continue }
            days[day] = collection.statistics(for: day)?.sumQuantity()?.doubleValue(for: .count())
        }
        return days
    }

    func perWorkout(_ workouts: [HKWorkout]) async throws -> [Double] {
        var distances: [Double] = []
        for workout in workouts {
            distances.append(
                try await sum(
                    HKQuantityType(.distanceCycling), unit: .meter(), from: workout.startDate,
                    to: workout.endDate))
        }
        return distances
    }
}
