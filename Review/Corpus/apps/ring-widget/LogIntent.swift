import AppIntents
import HealthKit

struct LogWaterIntent: AppIntent {

    static let title: LocalizedStringResource = "Log water"

    @Parameter(title: "Milliliters", default: 250)
    var milliliters: Double

    func perform() async throws -> some IntentResult & ProvidesDialog {
        let store = HKHealthStore()
        let type = HKQuantityType(.dietaryWater)
        guard store.authorizationStatus(for: type) == .sharingAuthorized else {
            return .result(dialog: "Open the app to allow it to write water.")
        }
        let sample = HKQuantitySample(
            type: type, quantity: HKQuantity(unit: .literUnit(with: .milli), doubleValue: milliliters),
            start: .now, end: .now)
        try await store.save(sample)

        let start = Calendar.current.startOfDay(for: .now)
        let total = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: nil)),
            options: .cumulativeSum
        ).result(for: store)?.sumQuantity()?.doubleValue(for: .literUnit(with: .milli)) ?? 0
        return .result(dialog: "\(Int(total)) ml today")
    }
}

struct WeightIntent: AppIntent {

    static let title: LocalizedStringResource = "Last weight"

    func perform() async throws -> some IntentResult & ReturnsValue<Double> {
        let store = HKHealthStore()
        let descriptor = HKSampleQueryDescriptor( // finds unbounded-query
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
            sortDescriptors: [SortDescriptor(\.startDate)])
        let last = try await descriptor.result(for: store).last
        return .result(value: last?.quantity.doubleValue(for: .gramUnit(with: .kilo)) ?? 0)
    }
}
