// Names under other names: constants, switches, lists, lower case.
import HealthKit

struct Chooser {
    let trusted = ["Apple Watch", "iPhone"]

    func isKept(_ sample: HKQuantitySample) -> Bool {
        let source = sample.sourceRevision.source
        let name = source.name.lowercased()
        return name.contains("watch")  // finds source-by-name
    }

    func rank(_ sample: HKSample) -> Int {
        switch sample.sourceRevision.source.name {  // finds source-by-name
        case "Apple Watch": 0
        case "iPhone": 1
        default: 2
        }
    }

    func trustedOnly(_ samples: [HKQuantitySample]) -> [HKQuantitySample] {
        samples.filter { trusted.contains($0.sourceRevision.source.name) }  // finds source-by-name
    }

    func preferred(_ revision: HKSourceRevision, over other: HKSourceRevision) -> Bool {
        guard "Apple Watch" == revision.source.name else { return false }  // finds source-by-name
        return other.source.name.range(of: "phone", options: .caseInsensitive) != nil  // finds source-by-name
    }

    func watches(_ sources: Set<HKSource>) -> [HKSource] {
        sources.sorted { $0.name < $1.name }
            .filter { source in source.name.localizedCaseInsensitiveContains("Watch") }  // finds source-by-name
    }
}
