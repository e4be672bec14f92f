import HealthKit
let read: Set<HKObjectType> = [
    HKObjectType.quantityType(forIdentifier: .stepCount)!, // finds forced-type
    HKObjectType.categoryType(forIdentifier: .sleepAnalysis)!, // finds forced-type
    HKObjectType.characteristicType(forIdentifier: .bloodType)!, // finds forced-type
]
