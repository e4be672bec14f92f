// The small calorie where people mean what is on a package of food.
import HealthKit

final class EnergyReader {
    let store: HKHealthStore
    let energyUnit: HKUnit = .calorie()  // finds unit-scale

    init(store: HKHealthStore) { self.store = store }

    func burned(_ statistics: HKStatistics) -> Double {
        statistics.sumQuantity()?.doubleValue(for: HKUnit.calorie()) ?? 0  // finds unit-scale
    }

    func burned(_ workout: HKWorkout) -> Int {
        let calories = workout.statistics(for: HKQuantityType(.activeEnergyBurned))?
            .sumQuantity()?.doubleValue(for: .smallCalorie())  // finds unit-scale
        return Int(calories ?? 0)
    }

    func save(_ calories: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: HKUnit(from: "cal"), doubleValue: calories)  // finds unit-scale
        let sample = HKQuantitySample(
            type: HKQuantityType(.dietaryEnergyConsumed), quantity: quantity, start: date, end: date)
        try await store.save(sample)
    }

    func unit(for identifier: HKQuantityTypeIdentifier) -> HKUnit {
        switch identifier {
        case .stepCount: return .count()
        case .activeEnergyBurned, .basalEnergyBurned: return .calorie()  // finds unit-scale
        case .bodyMass: return .gramUnit(with: .kilo)
        default: return .count()
        }
    }
}

enum Metric: String, CaseIterable {
    case steps, activeEnergy

    var unit: HKUnit {
        switch self {
        case .steps: .count()
        case .activeEnergy: HKUnit.smallCalorie()  // finds unit-scale
        }
    }
}

let units: [String: HKUnit] = [
    "steps": .count(),
    "active_calories": .calorie(),  // finds unit-scale
    "basal_calories": .kilocalorie(),
]

struct Entry {
    let type: HKQuantityTypeIdentifier
    let unit: HKUnit
    init(_ type: HKQuantityTypeIdentifier, _ unit: HKUnit) { (self.type, self.unit) = (type, unit) }
}

let entries = [
    Entry(.stepCount, .count()),
    Entry(.activeEnergyBurned, .calorie()),  // finds unit-scale
    Entry(.bodyMass, .gramUnit(with: .kilo)),
]
