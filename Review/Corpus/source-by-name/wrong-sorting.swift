// Names in sorting, in search and in an optional chain, still deciding who wins.
import HealthKit

extension HKSample {
    var isFromWatch: Bool {
        sourceRevision.source.name.range(of: "Watch") != nil  // finds source-by-name
    }
}

struct Merge {
    let favourite = "My Watch"

    func winner(_ samples: [HKQuantitySample]) -> HKQuantitySample? {
        samples.first { $0.sourceRevision.source.name == favourite } ?? samples.first  // finds source-by-name
    }

    func ordered(_ samples: [HKSample]) -> [HKSample] {
        samples.sorted { first, second in
            first.sourceRevision.source.name.hasPrefix("Apple")  // finds source-by-name
        }
    }

    func without(_ banned: Set<String>, in samples: [HKSample]) -> [HKSample] {
        samples.filter { !banned.contains($0.sourceRevision.source.name) }  // finds source-by-name
    }
}
