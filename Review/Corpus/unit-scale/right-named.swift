// Names of units that agree, are calculated or are of something else.
import HealthKit

final class BottleLog {
    private let store = HKHealthStore()
    private let water = HKQuantityType(.dietaryWater)

    func drink(milliliters: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .literUnit(with: .milli), doubleValue: milliliters)
        try await store.save(HKQuantitySample(type: water, quantity: quantity, start: date, end: date))
    }

    func drinkInLiters(milliliters: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .liter(), doubleValue: milliliters / 1000)
        try await store.save(HKQuantitySample(type: water, quantity: quantity, start: date, end: date))
    }

    func pour(_ amount: Double) -> HKQuantity { HKQuantity(unit: .liter(), doubleValue: amount) }

    func pour(glass milliliters: Double) -> HKQuantity { pour(milliliters / 1000) }
}

func glucose(mgPerDl: Double) -> HKQuantity {
    HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: mgPerDl)
}

func distanceInMiles(_ quantity: HKQuantity) -> Double {
    let meters = quantity.doubleValue(for: .mile()) * 1609.344
    return meters / 1609.344
}

func pace(kilometers: Double, minutes: Double) -> HKQuantity {
    HKQuantity(unit: .minute(), doubleValue: minutes)
}

func converted(_ weight: Measurement<UnitMass>) -> HKQuantity {
    let pounds = weight.converted(to: .grams).value
    return HKQuantity(unit: .gram(), doubleValue: pounds * 1)
}

struct Day {
    var seconds = 0.0
    var hours: Double { seconds / 3600 }
}

func sample(_ day: Day) -> HKQuantity { HKQuantity(unit: .hour(), doubleValue: day.hours) }
