// Force that is not about a type: another rule's business, or nobody's.
import HealthKit

struct Defaults {
    static let epoch = Calendar.current.date(from: DateComponents(year: 2014, month: 9, day: 17))!
    let url = URL(string: "https://example.org/ingest")!

    func start(of sample: HKSample?) -> Date {
        sample!.startDate
    }

    func quantityType(forIdentifier name: String) -> String? {
        name.isEmpty ? nil : name
    }

    func label() -> String {
        quantityType(forIdentifier: "steps")!
    }

    func isSteps(_ type: HKObjectType) -> Bool {
        type != HKObjectType.workoutType() && !type.identifier.isEmpty
    }
}
