// The small calorie where people mean what is on a package of food.
import HealthKit

final class EnergyReader {
    let store: HKHealthStore
    let energyUnit: HKUnit = .calorie()  // finds small-calorie

    init(store: HKHealthStore) { self.store = store }

    func burned(_ statistics: HKStatistics) -> Double {
        statistics.sumQuantity()?.doubleValue(for: HKUnit.calorie()) ?? 0  // finds small-calorie
    }

    func burned(_ workout: HKWorkout) -> Int {
        let calories = workout.statistics(for: HKQuantityType(.activeEnergyBurned))?
            .sumQuantity()?.doubleValue(for: .smallCalorie())  // finds small-calorie
        return Int(calories ?? 0)
    }

    func save(_ calories: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: HKUnit(from: "cal"), doubleValue: calories)  // finds small-calorie
        let sample = HKQuantitySample(
            type: HKQuantityType(.dietaryEnergyConsumed), quantity: quantity, start: date, end: date)
        try await store.save(sample)
    }

    func unit(for identifier: HKQuantityTypeIdentifier) -> HKUnit {
        switch identifier {
        case .stepCount: return .count()
        case .activeEnergyBurned, .basalEnergyBurned: return .calorie()  // finds small-calorie
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
        case .activeEnergy: HKUnit.smallCalorie()  // finds small-calorie
        }
    }
}

let units: [String: HKUnit] = [
    "steps": .count(),
    "active_calories": .calorie(),  // finds small-calorie
    "basal_calories": .kilocalorie(),
]

struct Entry {
    let type: HKQuantityTypeIdentifier
    let unit: HKUnit
    init(_ type: HKQuantityTypeIdentifier, _ unit: HKUnit) { (self.type, self.unit) = (type, unit) }
}

let entries = [
    Entry(.stepCount, .count()),
    Entry(.activeEnergyBurned, .calorie()),  // finds small-calorie
    Entry(.bodyMass, .gramUnit(with: .kilo)),
]
