import Foundation
import HealthEngine

extension Metric {
    /// HealthKit's type; nil where this system has none of that name.
    var sampleType: HKSampleType? {
        if self == .workouts { return HKObjectType.workoutType() }
        return kind == .state ? categoryType : quantityType
    }

    var quantityType: HKQuantityType? {
        kind == .state
            ? nil
            : HKObjectType.quantityType(
                forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))
    }

    var categoryType: HKCategoryType? {
        kind == .state
            ? HKObjectType.categoryType(
                forIdentifier: HKCategoryTypeIdentifier(rawValue: identifier)) : nil
    }

    /// HealthKit's unit; nil if the type has another dimension here.
    func unit(of type: HKQuantityType) -> HKUnit? {
        let unit = HKUnit(from: self.unit)
        return type.is(compatibleWith: unit) ? unit : nil
    }

    /// Those of the catalogue that this system has.
    static var known: [Metric] {
        Catalogue.types.compactMap { Metric($0) }.filter { $0.sampleType != nil }
    }
}
