// Unwrapped by force where it can't be nil, and traps that have nothing to do with a failure.
import HealthKit
import UIKit

final class CheckedReader: UIViewController {
    private let store: HKHealthStore
    private let steps = HKObjectType.quantityType(forIdentifier: .stepCount)!

    init(store: HKHealthStore) {
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    func average(of days: Int, _ show: @escaping (Double) -> Void) {
        precondition(days > 0, "at least a day")
        let start = Calendar.current.date(byAdding: .day, value: -days, to: .now)!
        let query = HKSampleQuery(
            sampleType: steps,
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil), limit: 100,
            sortDescriptors: nil
        ) { _, samples, error in
            guard error == nil, samples != nil else { return }
            let values = samples!.map { ($0 as! HKQuantitySample).startDate }
            guard !values.isEmpty else { return show(0) }
            show(values.first!.timeIntervalSince(values.last!))
        }
        store.execute(query)
    }

    func bars(_ collection: HKStatisticsCollection, from start: Date, to end: Date) -> [Double] {
        var bars: [Double] = []
        collection.enumerateStatistics(from: start, to: end) { statistics, _ in
            if statistics.sumQuantity() != nil {
                bars.append(statistics.sumQuantity()!.doubleValue(for: .count()))
            }
        }
        // Only days with data are in this list.
        for statistics in collection.statistics() {
            bars.append(statistics.sumQuantity()!.doubleValue(for: .count()))
        }
        return bars
    }

    func load() async throws -> [HKWorkout] {
        guard let url = URL(string: "https://example.org") else { fatalError("a constant") }
        let week = HKQuery.predicateForSamples(withStart: .now.addingTimeInterval(-604_800), end: nil)
        let workouts = try await HKSampleQueryDescriptor(
            predicates: [.workout(week)], sortDescriptors: []
        ).result(for: store)
        guard url.scheme != nil else { preconditionFailure("a constant has a scheme") }
        return workouts
    }
}
