//  Luna: cycles and sleep, 2021.

import HealthKit

enum Flow: Int {
    case unspecified = 1, light, medium, heavy, none
}

struct PeriodDay: Hashable {
    let date: Date
    let flow: Flow
    let startsCycle: Bool
}

class CycleStore {

    let healthStore: HKHealthStore
    private let menstrualFlow = HKObjectType.categoryType(forIdentifier: .menstrualFlow)!
    private let basalTemperature = HKQuantityType.quantityType(forIdentifier: .basalBodyTemperature)!

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func periods(completion: @escaping ([PeriodDay]) -> Void) {
        let query = HKSampleQuery( // finds unbounded-query
            sampleType: menstrualFlow, predicate: nil, limit: HKObjectQueryNoLimit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)]
        ) { _, samples, error in
            let days = (samples as? [HKCategorySample] ?? []).map { sample in  // finds error-as-zero
                PeriodDay(
                    date: sample.startDate, flow: Flow(rawValue: sample.value) ?? .unspecified,
                    startsCycle: sample.metadata?[HKMetadataKeyMenstrualCycleStart] as? Bool ?? false)
            }
            DispatchQueue.main.async { completion(days) }
        }
        healthStore.execute(query)
    }

    func log(_ flow: Flow, on date: Date, startsCycle: Bool, completion: @escaping (Error?) -> Void) {
        let sample = HKCategorySample(
            type: menstrualFlow, value: flow.rawValue, start: date, end: date,
            metadata: [HKMetadataKeyMenstrualCycleStart: startsCycle])
        healthStore.save(sample) { _, error in
            DispatchQueue.main.async { completion(error) }
        }
    }

    func logTemperature(_ degrees: Double, at date: Date, completion: @escaping (Bool) -> Void) {
        guard healthStore.authorizationStatus(for: basalTemperature) == .sharingAuthorized else {
            completion(false)
            return
        }
        let unit: HKUnit = Locale.current.usesMetricSystem ? .degreeCelsius() : .degreeFahrenheit()
        let sample = HKQuantitySample(
            type: basalTemperature, quantity: HKQuantity(unit: unit, doubleValue: degrees), start: date, end: date)
        healthStore.save(sample) { success, _ in completion(success) }
    }

    /// Replaces the entry of a day, which only this app wrote.
    func remove(on day: Date, completion: @escaping (Bool) -> Void) {
        let start = Calendar.current.startOfDay(for: day)
        let end = Calendar.current.date(byAdding: .day, value: 1, to: start)
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: start, end: end),
            HKQuery.predicateForObjects(from: .default()),
        ])
        healthStore.deleteObjects(of: menstrualFlow, predicate: predicate) { success, _, _ in
            completion(success)
        }
    }

    func averageCycle(of days: [PeriodDay]) -> Double? {
        let starts = days.filter(\.startsCycle).map(\.date)
        guard starts.count > 1 else { return nil }
        let lengths = zip(starts.dropFirst(), starts).map { later, earlier in
            Calendar.current.dateComponents([.day], from: earlier, to: later).day ?? 0
        }
        return Double(lengths.reduce(0, +)) / Double(lengths.count)
    }

    func temperatureCurve(from start: Date, to end: Date, completion: @escaping ([Date: Double]) -> Void) {
        let query = HKStatisticsCollectionQuery(
            quantityType: basalTemperature,
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: [.discreteAverage], anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in
            var curve: [Date: Double] = [:]
            collection?.enumerateStatistics(from: start, to: end) { statistics, _ in
                curve[statistics.startDate] = statistics.averageQuantity()?.doubleValue(for: .degreeCelsius())
            }
            completion(curve)
        }
        healthStore.execute(query)
    }
}
