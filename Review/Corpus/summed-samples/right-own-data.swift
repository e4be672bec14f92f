// Sums of what isn't raw samples of others: one's own rows, other numbers, single values.
import HealthKit

struct Meal: Codable {
    let kilocalories: Double
    let grams: Double
}

struct Journal {
    var meals: [Meal] = []
    var cached: [Date: Double] = [:]

    var eaten: Double {
        meals.reduce(0) { $0 + $1.kilocalories }
    }

    mutating func add(_ meal: Meal, goal: inout Double) {
        meals.append(meal)
        goal += meal.kilocalories
    }

    var week: Double { cached.values.reduce(0, +) }

    func intake(store: HKHealthStore, range: NSPredicate) async throws -> Double {
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.dietaryEnergyConsumed), predicate: range),
            options: .cumulativeSum)
        return try await descriptor.result(for: store)?.sumQuantity()?
            .doubleValue(for: .kilocalorie()) ?? 0
    }

    func balance(_ burned: HKQuantity, _ eaten: HKQuantity) -> Double {
        var balance = 0.0
        balance += eaten.doubleValue(for: .kilocalorie())
        balance -= burned.doubleValue(for: .kilocalorie())
        return balance
    }

    func totals(of types: [HKQuantityType], store: HKHealthStore, range: NSPredicate) async throws
        -> Double
    {
        var grams = 0.0
        for type in types {
            let statistics = try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: type, predicate: range), options: .cumulativeSum
            ).result(for: store)
            grams += statistics?.sumQuantity()?.doubleValue(for: .gram()) ?? 0
        }
        return grams
    }

    func samplesToSave(_ date: Date) -> (samples: [HKQuantitySample], kilocalories: Double) {
        let samples = meals.map {
            HKQuantitySample(
                type: HKQuantityType(.dietaryEnergyConsumed),
                quantity: HKQuantity(unit: .kilocalorie(), doubleValue: $0.kilocalories),
                start: date, end: date)
        }
        return (samples, meals.map(\.kilocalories).reduce(0, +))
    }
}
