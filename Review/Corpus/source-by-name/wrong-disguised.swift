// The name is kept, respelled, switched over, looked up in a list, or asked of a helper's sources.
import HealthKit

final class SourcePicker {
    private let preferredNames = ["Apple Watch", "Ring"]
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func rank(_ sample: HKSample) -> Int {
        let revision = sample.sourceRevision
        switch revision.source.name {  // finds source-by-name
        case "Apple Watch": return 0
        case "iPhone": return 1
        default: return 2
        }
    }

    func kept(_ samples: [HKQuantitySample]) -> [HKQuantitySample] {
        samples.filter { preferredNames.contains($0.sourceRevision.source.name) }  // finds source-by-name
    }

    func later(_ one: HKQuantitySample, _ other: HKQuantitySample) -> Bool {
        let source = one.sourceRevision.source
        let name = source.name.lowercased()
        guard name.range(of: "watch") != nil else { return false }  // finds source-by-name
        return one.endDate > other.endDate
    }

    private func sources(of type: HKSampleType) async -> Set<HKSource> {
        await withCheckedContinuation { continuation in
            let query = HKSourceQuery(sampleType: type, samplePredicate: nil) { _, sources, _ in
                continuation.resume(returning: sources ?? [])
            }
            store.execute(query)
        }
    }

    func watch() async -> HKSource? {
        let all = await sources(of: HKQuantityType(.stepCount))
        return all.first { source in
            source.name.localizedStandardContains("watch")  // finds source-by-name
        }
    }

    func isPhone(_ source: HKSource) -> Bool {
        "iPhone" == source.name  // finds source-by-name
    }
}
