// What one meal holds was saved together: nothing of it is there twice.
import HealthKit

func energy(of meal: HKCorrelation) -> Double {
    meal.objects(for: HKQuantityType(.dietaryEnergyConsumed))
        .compactMap { $0 as? HKQuantitySample }
        .reduce(0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) }
}

func protein(of meal: HKCorrelation) -> Double {
    var grams = 0.0
    for case let sample as HKQuantitySample in meal.objects(for: HKQuantityType(.dietaryProtein)) {
        grams += sample.quantity.doubleValue(for: .gram())
    }
    return grams
}
