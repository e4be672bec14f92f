// Identifiers that the source names, by constants, tables, callers and texts: the look-up can't fail.
import HealthKit

enum Signal: String, CaseIterable {
    case steps, heartRate

    static let identifiers: [Signal: HKQuantityTypeIdentifier] = [
        .steps: .stepCount, .heartRate: .heartRate,
    ]

    var type: HKQuantityType { HKObjectType.quantityType(forIdentifier: Self.identifiers[self]!)! }
}

final class Reader {
    private let stored: HKCategoryTypeIdentifier

    init(stored: HKCategoryTypeIdentifier = .sleepAnalysis) { self.stored = stored }

    var category: HKCategoryType { .categoryType(forIdentifier: stored)! }

    func read() -> [HKQuantityType] {
        func type(_ identifier: HKQuantityTypeIdentifier) -> HKQuantityType {
            HKQuantityType.quantityType(forIdentifier: identifier)!
        }
        return [type(.bodyMass), type(.height)]
    }

    func spelled() -> HKQuantityType {
        let identifier = HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierStepCount")
        return HKQuantityType.quantityType(forIdentifier: identifier)!
    }
}
