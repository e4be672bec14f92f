import HealthKit
func types(_ names: [String]) -> [HKQuantityType] {
    let known = names.compactMap { HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0)) }
    guard let steps = HKObjectType.quantityType(forIdentifier: .stepCount) else { return known }
    if let sleep = HKObjectType.categoryType(forIdentifier: .sleepAnalysis) { print(sleep) }
    return known + [steps, HKQuantityType(.heartRate)]
}
