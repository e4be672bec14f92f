import HealthKit
struct Kind {
    let identifier: HKCategoryTypeIdentifier
    var type: HKCategoryType { HKObjectType.categoryType(forIdentifier: identifier)! }
    static func food() -> HKCorrelationType {
        return HKCorrelationType.correlationType(forIdentifier: .food)!
    }
}
