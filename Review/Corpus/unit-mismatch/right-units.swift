// Units that fit, written in the many ways there are.
import HealthKit

final class FittingUnits {
    let store: HKHealthStore
    private let bpm = HKUnit.count().unitDivided(by: .minute())

    init(store: HKHealthStore) {
        self.store = store
    }

    func latestHeartRate(completion: @escaping (Double?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 1,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)]
        ) { [bpm] _, samples, _ in
            completion((samples?.first as? HKQuantitySample)?.quantity.doubleValue(for: bpm))
        }
        store.execute(query)
    }

    func glucose(_ value: Double, at date: Date) -> HKQuantitySample {
        let millimoles = HKUnit.moleUnit(
            with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
        let unit = millimoles.unitDivided(by: .liter())
        return HKQuantitySample(
            type: HKQuantityType(.bloodGlucose),
            quantity: HKQuantity(unit: unit, doubleValue: value), start: date, end: date)
    }

    func oxygen(percent: Double, at date: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.oxygenSaturation),
            quantity: HKQuantity(unit: .percent(), doubleValue: percent / 100),
            start: date, end: date)
    }

    func variability(predicate: NSPredicate) async throws -> Double? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.heartRateVariabilitySDNN), predicate: predicate),
            options: .discreteAverage
        ).result(for: store)?.averageQuantity()?.doubleValue(for: .secondUnit(with: .milli))
    }

    func fitness(_ value: Double, at date: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.vo2Max),
            quantity: HKQuantity(unit: HKUnit(from: "ml/kg*min"), doubleValue: value),
            start: date, end: date)
    }

    func weight(pounds: Double, at date: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: .pound(), doubleValue: pounds), start: date, end: date)
    }
}
