// Code in comments, in strings and in documentation is no code.
import HealthKit

enum Advice {
    /// Don't write `HKObjectType.quantityType(forIdentifier: .stepCount)!`: there is a
    /// constructor without an optional.
    static let steps = HKQuantityType(.stepCount)

    // let heartRate = HKObjectType.quantityType(forIdentifier: .heartRate)!

    static let text = "HKObjectType.quantityType(forIdentifier: .heartRate)! may end the app"

    static let longText = """
        let query = HKSampleQuery(
            sampleType: HKQuantityType.quantityType(forIdentifier: .stepCount)!,
            predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil) { _, _, _ in }
        """

    /*
     HKHealthStore().execute(query)
     HKUnit(from: "bpm")
     */
    static func advise() -> [String] {
        [text, longText, "HKUnit(from: \"steps\")"]
    }
}
