// Whoever is called "Watch" wins: names are the person's own, and differ by language.
import HealthKit

struct SourceRanking {
    func preferred(_ samples: [HKQuantitySample]) -> [HKQuantitySample] {
        let watch = samples.filter { $0.sourceRevision.source.name.contains("Watch") }  // finds source-by-name
        return watch.isEmpty ? samples : watch
    }

    func consolidated(_ samples: [HKQuantitySample]) -> [Date: Double] {
        var result: [Date: Double] = [:]
        for sample in samples {
            let isWatch = sample.sourceRevision.source.name.contains("Watch")  // finds source-by-name
            if result[sample.startDate] == nil || isWatch {
                result[sample.startDate] = sample.quantity.doubleValue(for: .count())
            }
        }
        return result
    }

    func withoutPhone(_ samples: [HKSample]) -> [HKSample] {
        samples.filter { sample in
            let name = sample.sourceRevision.source.name.lowercased()
            return !name.hasPrefix("iphone")  // finds source-by-name
        }
    }

    func best(of sources: Set<HKSource>) -> HKSource? {
        sources.first { $0.name == "Apple Watch" } ?? sources.first  // finds source-by-name
    }

    func rank(_ source: HKSource) -> Int {
        if source.name.localizedCaseInsensitiveContains("watch") { return 0 }  // finds source-by-name
        if source.name.hasSuffix("iPhone") { return 1 }  // finds source-by-name
        return 2
    }

    func nights(_ samples: [HKCategorySample], chosen: String) -> [HKCategorySample] {
        samples.filter { $0.sourceRevision.source.name == chosen }  // finds source-by-name
    }
}
