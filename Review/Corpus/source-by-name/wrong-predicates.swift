// Sources found by name and then asked for alone.
import HealthKit

final class RingOnly {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func predicate(completion: @escaping (NSPredicate?) -> Void) {
        let query = HKSourceQuery(
            sampleType: HKCategoryType(.sleepAnalysis), samplePredicate: nil
        ) { _, sources, _ in
            let ring = (sources ?? []).filter { $0.name.hasPrefix("Ring") }  // finds source-by-name
            completion(ring.isEmpty ? nil : HKQuery.predicateForObjects(from: ring))
        }
        store.execute(query)
    }

    func isFromThisApp(_ sample: HKSample) -> Bool {
        sample.sourceRevision.source.name == "Sleep Diary"  // finds source-by-name
    }

    func skipManual(_ samples: [HKSample]) -> [HKSample] {
        samples.filter { $0.source.name != "Health" }  // finds source-by-name
    }

    func steps(of statistics: HKStatistics) -> Double? {
        for source in statistics.sources ?? [] where source.name.contains("Watch") {  // finds source-by-name
            return statistics.sumQuantity(for: source)?.doubleValue(for: .count())
        }
        return statistics.sumQuantity()?.doubleValue(for: .count())
    }
}
