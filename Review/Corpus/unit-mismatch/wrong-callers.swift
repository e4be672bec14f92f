// Quantities whose type is told by who calls, by the workout, or by the correlation.
import HealthKit

final class VitalSigns {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    private func latest(
        _ identifier: HKQuantityTypeIdentifier, completion: @escaping (HKQuantity?) -> Void
    ) {
        let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(identifier), predicate: nil, limit: 1,
            sortDescriptors: [newest]
        ) { _, samples, _ in
            completion((samples?.first as? HKQuantitySample)?.quantity)
        }
        store.execute(query)
    }

    func weight(completion: @escaping (Double?) -> Void) {
        latest(.bodyMass) { quantity in
            completion(quantity?.doubleValue(for: .meterUnit(with: .centi)))  // finds unit-mismatch
        }
    }

    func height(completion: @escaping (Double?) -> Void) {
        latest(.height) { completion($0?.doubleValue(for: .meterUnit(with: .centi))) }
    }

    func systolic(_ pressure: HKCorrelation) -> Double? {
        let samples = pressure.objects(for: HKQuantityType(.bloodPressureSystolic))
        let sample = samples.first as? HKQuantitySample
        return sample?.quantity.doubleValue(for: .pound())  // finds unit-mismatch
    }

    func swim(_ workout: HKWorkout) -> Double? {
        workout.totalSwimmingStrokeCount?.doubleValue(for: .meter())  // finds unit-mismatch
    }

    func ring(_ summary: HKActivitySummary) -> Double {
        summary.appleExerciseTime.doubleValue(for: .kilocalorie())  // finds unit-mismatch
    }

    func daily(from start: Date, to end: Date, done: @escaping ([Double]) -> Void) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.distanceSwimming), quantitySamplePredicate: nil,
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in
            var lengths: [Double] = []
            collection?.enumerateStatistics(from: start, to: end) { day, _ in
                lengths.append(day.sumQuantity()?.doubleValue(for: .count()) ?? 0)  // finds unit-mismatch
            }
            done(lengths)
        }
        store.execute(query)
    }

    private func mean(
        of identifier: HKQuantityTypeIdentifier, unit: HKUnit, in range: NSPredicate,
        done: @escaping (Double?) -> Void
    ) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(identifier), quantitySamplePredicate: range,
            options: .discreteAverage
        ) { _, statistics, _ in
            done(statistics?.averageQuantity()?.doubleValue(for: unit))
        }
        store.execute(query)
    }

    func means(in range: NSPredicate) {
        mean(of: .bodyMass, unit: .gramUnit(with: .kilo), in: range) { print($0 as Any) }
        mean(of: .heartRate, unit: .count(), in: range) { print($0 as Any) }  // finds unit-mismatch
        mean(of: .oxygenSaturation, unit: .percent(), in: range) { print($0 as Any) }
    }
}
