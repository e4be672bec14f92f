// Numbers whose names say another unit.
import HealthKit

final class DrinkLog {
    private let store = HKHealthStore()
    private let water = HKQuantityType(.dietaryWater)
    private let caffeine = HKQuantityType(.dietaryCaffeine)

    func drink(milliliters: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .liter(), doubleValue: milliliters)  // finds unit-scale
        try await store.save(HKQuantitySample(type: water, quantity: quantity, start: date, end: date))
    }

    func addCaffeine(_ amount: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .gram(), doubleValue: amount)  // finds unit-scale
        try await store.save(HKQuantitySample(type: caffeine, quantity: quantity, start: date, end: date))
    }

    func volume(of sample: HKQuantitySample) -> Double {
        let ml = sample.quantity.doubleValue(for: .liter())  // finds unit-scale
        return ml
    }
}

struct Beverage {
    let title: String
    let caffeineMilligrams: Double
}

func order(_ drink: Beverage, _ log: DrinkLog) async throws {
    try await log.addCaffeine(drink.caffeineMilligrams, at: .now)
}

struct NutritionRow {
    let sodiumMg: Double
    let date: Date
}

func row(of sample: HKQuantitySample) -> NutritionRow {
    NutritionRow(
        sodiumMg: sample.quantity.doubleValue(for: .gram()),  // finds unit-scale
        date: sample.startDate)
}

func weightSample(from body: [String: Any], at date: Date) -> HKQuantitySample? {
    guard let weight = body["weightKg"] as? Double else { return nil }
    let quantity = HKQuantity(unit: .gram(), doubleValue: weight)  // finds unit-scale
    return HKQuantitySample(type: HKQuantityType(.bodyMass), quantity: quantity, start: date, end: date)
}

final class RidePlugin {
    var distanceKm = 0.0

    func read(_ statistics: HKStatistics) {
        distanceKm = statistics.sumQuantity()?.doubleValue(for: .meter()) ?? 0  // finds unit-scale
    }
}

func mindful(minutes: Int, until end: Date) -> HKQuantity {
    HKQuantity(unit: .second(), doubleValue: Double(minutes))  // finds unit-scale
}
