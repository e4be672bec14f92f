import HealthKit
func types(_ names: [String]) -> [HKQuantityType] {
    names.map { HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0))! } // finds forced-type
}
